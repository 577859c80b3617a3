/* output: a neighbouring file and a rename */
#define _XOPEN_SOURCE 700
#include "output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Exists, and is no plain file? */
static int output_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

static int output_is(const char *path, const char *input)
{
    struct stat a, b;
    if (!input) return 0;
    if (!strcmp(path, input)) return !output_special(path);
    return stat(path, &a) == 0 && stat(input, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_check(const options *o, cli_why *why)
{
    const char *path = o->output;
    struct stat s;
    if (!path) return CLI_GOOD;
    if (output_is(path, o->data)) return cli_fail(why, "%s: would be written over, and holds the data", path);
    if (output_is(path, o->model)) return cli_fail(why, "%s: would be written over, and holds the model", path);
    if (output_is(path, o->from_stats) || output_is(path, o->like))
        return cli_fail(why, "%s: would be written over, and is read", path);
    if (stat(path, &s) == 0) {
        if (S_ISDIR(s.st_mode)) return cli_fail(why, "%s: is a folder", path);
        if (access(path, W_OK)) return cli_fail(why, "%s: %s", path, strerror(errno));
        if (!S_ISREG(s.st_mode)) return CLI_GOOD;
    }
    char *folder = cli_copy(path), *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder ? 1 : 0] = '\0';
    const int bad = access(slash ? folder : ".", W_OK | X_OK);
    free(folder);
    return bad ? cli_fail(why, "%s: cannot be written there: %s", path, strerror(errno)) : CLI_GOOD;
}

/* What a symbolic link leads to, or the path itself, to free; NULL where the link leads to nothing yet. */
static char *output_target(const char *path)
{
    struct stat s;
    if (lstat(path, &s) || !S_ISLNK(s.st_mode)) return cli_copy(path);
    return realpath(path, NULL);
}

int output_open(const char *path, output *out, cli_why *why)
{
    memset(out, 0, sizeof *out);
    if (!path) { out->file = stdout; return CLI_GOOD; }
    out->path = output_special(path) ? NULL : output_target(path);
    if (out->path) {
        const size_t room = strlen(out->path) + 40;
        out->beside = (char *)cli_memory(room, 1);
        snprintf(out->beside, room, "%s.%ld.tmp", out->path, (long)getpid());
    } else out->path = cli_copy(path);
    out->file = fopen(out->beside ? out->beside : path, "wb");
    if (out->file) return CLI_GOOD;
    cli_fail(why, "%s: %s", path, strerror(errno));
    free(out->beside);
    free(out->path);
    memset(out, 0, sizeof *out);
    return CLI_FAILED;
}

static void output_forget(output *out)
{
    free(out->beside);
    free(out->path);
    memset(out, 0, sizeof *out);
}

int output_close(output *out, cli_why *why)
{
    errno = 0;
    int bad = 0;
    if (out->path) bad = ferror(out->file) || fflush(out->file);
    if (out->path && fclose(out->file)) bad = 1;
    if (!bad && out->beside) bad = rename(out->beside, out->path) != 0;
    if (bad) {
        cli_fail(why, "%s: %s", out->path, errno ? strerror(errno) : "could not be written");
        if (out->beside) remove(out->beside);
    }
    output_forget(out);
    return bad ? CLI_FAILED : CLI_GOOD;
}

void output_drop(output *out)
{
    if (out->path) fclose(out->file);
    if (out->beside) remove(out->beside);
    output_forget(out);
}
