/* amalgamate.c - joins src/ into the one header that users take
 *
 *     cc -std=c99 -O1 tools/amalgamate.c -o build/amalgamate && build/amalgamate src > bayeslin.h
 *
 * src/manual.h, then the public parts (.h), then the implementations (_private.h, .c), then src/end.h; the parts in the order of
 * the list below, which is the order of the floors. Strips the local includes and the include guards, keeps everything else,
 * comments included; writes the contents of the manual from the rooms' own titles. On the way it checks the house: a room may
 * include only rooms listed before it, so that there are no circles and nothing reaches up a floor. Deterministic: no time stamps,
 * no paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every part of the house, lowest floor first. A part may lack its .h (a piece of a large room, floor/room_piece, or one with
 * a _private.h only) or its .c. */
static const char *const parts[] = {
    "core/config", "core/status", "core/memory", "core/data", "core/bytes", "core/allreduce",
    "core/threads",
    "math/special_tables", "math/special_pair", "math/special_elementary", "math/special", "math/special_erf", "math/special_gamma",
    "math/special_incomplete", "math/cpu", "math/vecmath", "math/hadamard", "math/blas_kernels", "math/blas",
    "math/cholesky", "math/qr",
    "math/exact", "math/decimal", "math/quadrature",
    "random/ziggurat_tables", "random/rng", "random/distributions", "random/discrete", "random/multivariate", "random/qmc",
    "optim/transform", "optim/lbfgs", "optim/sgd", "optim/minibatch",
    "basis/basis_inputs", "basis/basis", "basis/basis_compose", "basis/basis_lengths", "basis/kernel",
    "basis/polynomial", "basis/radial",
    "basis/fourier_kernels", "basis/fourier", "basis/fastfood", "basis/spectral", "basis/inducing", "basis/inducing_select",
    "basis/spec",
    "likelihood/likelihood", "likelihood/likelihood_defaults", "likelihood/expect", "likelihood/predictive", "likelihood/location",
    "likelihood/binomial", "likelihood/counts", "likelihood/ordinal", "likelihood/families",
    "posterior/prior", "posterior/posterior", "posterior/predict", "posterior/sample", "posterior/mixture_rows",
    "posterior/mixture", "posterior/psis",
    "linear/statistics", "linear/fixed_point",
    "linear/slm", "linear/slm_sigma", "linear/slm_evidence", "linear/slm_qr", "linear/slm_primal", "linear/slm_exact",
    "linear/slm_dual", "linear/slm_search", "linear/slm_point", "linear/slm_fit", "linear/slm_predict",
    "linear/slm_loo", "linear/slm_sample", "linear/slm_file", "linear/slm_integrated",
    "linear/slm_integrated_predict", "linear/slm_integrated_file", "linear/sequential",
    "glm/method", "glm/rows", "glm/rows_reduce", "glm/rows_batch", "glm/fit", "glm/search", "glm/mode", "glm/mode_point",
    "glm/expected", "glm/laplace", "glm/full", "glm/full_batch", "glm/map", "glm/mixture", "glm/mixture_bound",
    "glm/mixture_draws", "glm/mixture_start", "glm/npv", "glm/sgvi",
    "glm/glm", "glm/glm_fit", "glm/glm_point", "glm/glm_predict", "glm/glm_sample",
    "glm/glm_loo", "glm/glm_loo_groups", "glm/glm_file",
    "use/metrics", "use/conformal", "use/scaler", "use/modelfile", "use/table", "use/table_text", "use/table_binary",
    "core/config_end"
};
enum { N_PARTS = sizeof parts / sizeof *parts, LINE = 4096 };

static const char *src;
static int failed, present[N_PARTS], opened[N_PARTS];

static void fail(const char *where, const char *what, const char *detail)
{
    fprintf(stderr, "amalgamate: %s: %s %s\n", where, what, detail);
    failed = 1;
}

static FILE *open_part(const char *part, const char *suffix)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s/%s%s", src, part, suffix);
    return fopen(path, "rb");
}

/* The index of "floor/room", or -1. */
static int find_part(const char *name, size_t length)
{
    for (int i = 0; i < N_PARTS; i++)
        if (strlen(parts[i]) == length && !strncmp(parts[i], name, length)) return i;
    return -1;
}

/* Is `part` a piece of `room`? Pieces of a large room have no header of their own and are called floor/room_piece. */
static int belongs_to(int part, int room)
{
    const size_t length = strlen(parts[room]);
    return !strncmp(parts[part], parts[room], length) && parts[part][length] == '_';
}

/* #include "../floor/room.h" or "room.h" inside part `self`: must name an earlier part, or the part itself. */
static void check_include(int self, const char *line)
{
    char name[LINE];
    const char *begin = strchr(line, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end) { fail(parts[self], "cannot read", line); return; }
    begin++;
    if (!strncmp(begin, "../", 3)) snprintf(name, sizeof name, "%.*s", (int)(end - begin - 3), begin + 3);
    else snprintf(name, sizeof name, "%.*s/%.*s", (int)(strchr(parts[self], '/') - parts[self]), parts[self],
                  (int)(end - begin), begin);
    char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".h")) { fail(parts[self], "includes something that is no header:", name); return; }
    const size_t length = (size_t)(dot - name), tail = strlen("_private");
    const int hidden = length > tail && !strncmp(dot - tail, "_private", tail);
    const int other = find_part(name, hidden ? length - tail : length);
    if (other < 0) fail(parts[self], "includes an unknown room:", name);
    else if (other > self && !belongs_to(self, other)) fail(parts[self], "reaches up to", name);
}

/* The include guard of part p, as "BLN_FLOOR_ROOM_H", or "BLN_FLOOR_ROOM_PRIVATE_H" with suffix "_private.h". */
static void guard_of(const char *part, const char *suffix, char *guard)
{
    size_t at = (size_t)sprintf(guard, "BLN_");
    for (; *part; part++) guard[at++] = *part == '/' ? '_' : (char)(*part >= 'a' && *part <= 'z' ? *part - 'a' + 'A' : *part);
    strcpy(guard + at, *suffix == '_' ? "_PRIVATE_H" : "_H");
}

static void emit(int self, const char *suffix)
{
    char line[LINE], guard[LINE], with_guard[LINE];
    FILE *f = open_part(parts[self], suffix);
    if (!f) return;
    present[self] = 1;
    guard_of(parts[self], suffix, guard);
    printf("/* ---------------------------------------------------------------- src/%s%s */\n", parts[self], suffix);
    int blank = 1;
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, "#include \"", 10)) { check_include(self, line); continue; }
        if (strcmp(suffix, ".c")) {
            snprintf(with_guard, sizeof with_guard, "#ifndef %.200s\n", guard);         if (!strcmp(line, with_guard)) continue;
            snprintf(with_guard, sizeof with_guard, "#define %.200s\n", guard);         if (!strcmp(line, with_guard)) continue;
            snprintf(with_guard, sizeof with_guard, "#endif /* %.200s */\n", guard);    if (!strcmp(line, with_guard)) continue;
        }
        if (line[0] == '\n' && blank) continue;       /* stripped lines leave no holes */
        blank = line[0] == '\n';
        fputs(line, stdout);
    }
    if (!blank) putchar('\n');
    fclose(f);
}

/* One line for each room that has a `>>room - title`, under the name of its floor: the table of contents of the manual. A title
 * ends at two blanks, behind which the rooms put their references. */
static void contents(void)
{
    const char *floor = "";
    for (int i = 0; i < N_PARTS; i++) {
        char line[LINE];
        const size_t floor_length = (size_t)(strchr(parts[i], '/') - parts[i]);
        FILE *f = open_part(parts[i], ".h");
        if (!f) continue;
        int found = 0;
        while (!found && fgets(line, sizeof line, f)) {
            char *tag = strstr(line, ">>"), *title = tag ? strstr(tag, " - ") : NULL, *end;
            if (strncmp(line, "/* >>", 5) || !title) continue;
            found = 1;
            *title = '\0';
            title += 3;
            title[strcspn(title, "\n")] = '\0';
            if ((end = strstr(title, "  ")) != NULL || (end = strstr(title, " */")) != NULL) *end = '\0';
            const int same = !strncmp(floor, parts[i], floor_length + 1);
            printf(" *     %-11.*s %-16s %s\n", same ? 0 : (int)floor_length, parts[i], tag, title);
            floor = parts[i];
        }
        if (!found) fail(parts[i], "has no line", "/* >>room - title");
        fclose(f);
    }
}

static void copy(const char *name)
{
    char path[LINE], line[LINE];
    snprintf(path, sizeof path, "%s/%s", src, name);
    FILE *f = fopen(path, "rb");
    if (!f) { fail(name, "is missing", ""); return; }
    while (fgets(line, sizeof line, f))
        if (!strcmp(line, " *     @CONTENTS@\n")) contents();
        else fputs(line, stdout);
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc != 2) { fprintf(stderr, "usage: amalgamate SRC > bayeslin.h\n"); return 2; }
    src = argv[1];
    copy("manual.h");
    puts("#ifndef BAYESLIN_H\n#define BAYESLIN_H\n");
    puts("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (int i = 0; i < N_PARTS; i++) emit(i, ".h");
    puts("#ifdef __cplusplus\n}\n#endif\n\n#endif /* BAYESLIN_H */\n");
    puts("#if defined(BAYESLIN_IMPLEMENTATION) && !defined(BAYESLIN_IMPLEMENTED)\n#define BAYESLIN_IMPLEMENTED\n");
    puts("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (int i = 0; i < N_PARTS; i++) {
        for (int room = 0; room < N_PARTS; room++)            /* above the first piece of its room */
            if ((room == i || belongs_to(i, room)) && !opened[room]) { opened[room] = 1; emit(room, "_private.h"); }
        emit(i, ".c");
    }
    puts("#ifdef __cplusplus\n}\n#endif\n\n#endif /* BAYESLIN_IMPLEMENTATION */\n");
    copy("end.h");
    for (int i = 0; i < N_PARTS; i++)
        if (!present[i]) fprintf(stderr, "amalgamate: %s: neither .h nor .c\n", parts[i]);
    return failed || ferror(stdout) || fflush(stdout) ? 1 : 0;
}
