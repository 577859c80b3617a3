/* output: to a path, as bln_modelfile_save does it, or to standard output */
#define _XOPEN_SOURCE 700
#include "output.h"
#include "system.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int output_is(const char *path, const char *input)
{
    return input && system_same(path, input);
}

int output_is_standard(const char *path) { return !path || !strcmp(path, "-"); }

/* Does the name end in this, in upper or lower case? */
static int output_ends(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    if (n <= m) return 0;
    for (size_t i = 0; i < m; i++) {
        const char c = path[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != end[i]) return 0;
    }
    return 1;
}

/* Refuses a name whose ending stands for another format than what is written. */
static int output_check_kind(const options *o, cli_why *why)
{
    static const char *const pictures[] = { ".png", ".pdf", ".jpg", ".jpeg", ".eps" };
    const int draws = o->verb == VERB_PLOT || o->verb == VERB_CHECK || o->verb == VERB_DIAGNOSE;
    const int stem = (int)(strrchr(o->output, '.') ? strrchr(o->output, '.') - o->output : 0);
    for (size_t k = 0; k < sizeof pictures/sizeof *pictures && draws; k++)
        if (output_ends(o->output, pictures[k]))
            return cli_misuse(why, "-o %s: pictures are written as SVG, which browsers, word processors and LaTeX (inkscape) take: "
                              "-o %.*s.svg; then, for %s: rsvg-convert or inkscape, with -o %s", o->output, stem, o->output,
                              pictures[k] + 1, o->output);
    if (output_ends(o->output, ".json") && (o->verb == VERB_PREDICT || o->verb == VERB_CV))
        return cli_misuse(why, "-o %s: with --json the answer goes to standard output, so leave -o out and write > %s", o->output,
                          o->output);
    return CLI_GOOD;
}

int output_check(const options *o, cli_why *why)
{
    const char *path = o->output;
    struct stat s;
    if (!path || output_is_standard(path)) return CLI_GOOD;
    const int other = output_check_kind(o, why);
    if (other) return other;
    if (output_is(path, o->data)) return cli_fail(why, "%s: would be written over, and holds the data", path);
    if (output_is(path, o->model)) return cli_fail(why, "%s: would be written over, and holds the model", path);
    if (output_is(path, o->from_stats) || output_is(path, o->like) || output_is(path, o->reference))
        return cli_fail(why, "%s: would be written over, and is read", path);
    for (size_t i = 0; i < o->n_files && o->verb != VERB_MERGE; i++)
        if (output_is(path, o->files[i]))
            return cli_fail(why, "%s: would be written over, and holds %s", path, o->verb == VERB_PLOT ? "a model" : "draws");
    if (stat(path, &s) == 0) {
        if (S_ISDIR(s.st_mode)) return cli_fail(why, "%s: is a folder", path);
        if (access(path, W_OK)) return cli_fail(why, "%s: %s", path, strerror(errno));
        if (!S_ISREG(s.st_mode)) return CLI_GOOD;
    }
    char *folder = cli_copy(path);
    const size_t n = system_folder(path);
    folder[n > 1 ? n - 1 : n] = '\0';
    const int may = system_may_make(n ? folder : ".");
    free(folder);
    return may ? CLI_GOOD : cli_fail(why, "%s: cannot be written there: %s", path, strerror(errno));
}

/* Says what went wrong with the path, by errno. */
static int output_fail(const char *path, cli_why *why)
{
    return cli_fail(why, "%s: %s", path, errno ? strerror(errno) : "could not be written");
}

int output_open(const char *path, output *out, cli_why *why)
{
    memset(out, 0, sizeof *out);
    if (output_is_standard(path)) { out->file = stdout; return CLI_GOOD; }
    out->saving = saving_begin(path, &out->file);
    if (!out->saving) return output_fail(path, why);
    out->path = cli_copy(path);
    return CLI_GOOD;
}

int output_close(output *out, cli_why *why)
{
    int status = CLI_GOOD;
    if (out->saving && !saving_end(out->saving)) status = output_fail(out->path, why);
    free(out->path);
    memset(out, 0, sizeof *out);
    return status;
}

void output_drop(output *out)
{
    if (out->saving) saving_drop(out->saving);
    free(out->path);
    memset(out, 0, sizeof *out);
}
