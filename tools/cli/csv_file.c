/* csv_file: the bytes of a file, or of anything else that can be read once, such as standard input, which is called - */
#include "csv.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int csv_bytes(const char *path, char **out, size_t *size, cli_why *why)
{
    size_t n = 0, room = 1 << 16;
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!f) return cli_fail(why, "%s: %s", path, strerror(errno));
    char *bytes = (char *)cli_memory(room, 1);
    for (;;) {
        const size_t got = fread(bytes + n, 1, room - n - 1, f);
        n += got;
        if (got == 0) break;
        if (n + 1 == room) {
            room *= 2;
            bytes = (char *)cli_grow(bytes, room, 1);
        }
    }
    const int error = ferror(f) ? errno : 0;
    if (f != stdin) fclose(f);
    if (error) {
        free(bytes);
        return cli_fail(why, "%s: %s", csv_file_name(path), strerror(error));
    }
    *out = bytes;
    *size = n;
    return CLI_GOOD;
}

int csv_read(const char *path, char separator, csv_table *out, cli_why *why)
{
    char *bytes;
    size_t n;
    const int status = csv_bytes(path, &bytes, &n, why);
    return status ? status : csv_parse(csv_file_name(path), bytes, n, separator, out, why);
}
