/* amalgamate.c - joins src/ into the one header that users take
 *
 *     cc -std=c99 -O1 tools/amalgamate.c -o build/amalgamate && build/amalgamate src > bayeslin.h
 *
 * src/manual.h, then the public parts (.h), then the implementations (_private.h, .c), then src/end.h; the parts in the order of
 * the list below, which is the order of the floors. Strips the local includes, the include guards and what is for BLNI_SEPARATE
 * (files of src/ compiled one by one), keeps everything else, comments included; writes the contents of the manual from the rooms'
 * own titles. On the way it checks the house: a room may include only rooms listed before it, so that there are no circles and
 * nothing reaches up a floor. Deterministic: no time stamps, no paths.
 *
 * BAYESLIN_WITH_x choose what is implemented. Rooms name no switch: the rules below give the roots of each, and a room belongs to a
 * rule if the roots reach it by their includes. The implementation of a room stands in the #if of its rules; the declaration of a
 * function that may be missing begins with BLN_IN_x for BLN_API; where it is missing a compiler that can names the switch at the
 * call. An include inside #if BLNI_x counts for the order only.
 *
 * Models share verbs: the manual's table of them is written from what is defined. A model that lacks a verb needs a reason in
 * manual_tables.h, and a reason needs a hole: so the table stays true.
 *
 * A private declaration that stands above its definition with no use between them says nothing in one file: it is left out, and a
 * comment above it moves to the definition. So is the blank line behind the title of a section. */
#include "manual_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every part of the house, lowest floor first; of a floor those of one condition next to each other. A part may lack its .h (a
 * piece of a large room, floor/room_piece, or one with a _private.h only) or its .c. */
static const char *const parts[] = {
    "core/config", "core/status", "core/memory", "core/data", "core/bytes", "core/load",
    "core/allreduce", "core/threads",
    "math/special_tables", "math/special_pair", "math/special_elementary", "math/special", "math/special_erf", "math/special_gamma",
    "math/special_incomplete", "math/cpu", "math/vecmath", "math/blas_kernels", "math/blas", "math/cholesky", "math/exact",
    "math/decimal", "math/hadamard", "math/qr", "math/quadrature",
    "random/ziggurat_tables", "random/rng", "random/distributions", "random/qmc", "random/discrete",
    "random/polya_gamma", "random/slice",
    "optim/sgd", "optim/minibatch", "optim/transform", "optim/lbfgs",
    "basis/basis_inputs", "basis/basis", "basis/basis_compose", "basis/basis_lengths", "basis/kernel",
    "basis/polynomial", "basis/radial", "basis/group",
    "basis/fourier_kernels", "basis/fourier", "basis/fastfood", "basis/spectral", "basis/inducing", "basis/inducing_select",
    "basis/spec",
    "likelihood/latent",
    "likelihood/likelihood", "likelihood/likelihood_defaults", "likelihood/likelihood_latents", "likelihood/expect",
    "likelihood/predictive", "likelihood/latents_predictive",
    "likelihood/location", "likelihood/binomial", "likelihood/counts", "likelihood/ordinal", "likelihood/categorical",
    "likelihood/categorical_expect", "likelihood/gaussian_scale", "likelihood/heteroscedastic",
    "likelihood/logistic_softmax",
    "likelihood/augment_latents", "likelihood/augment",
    "posterior/hyper_prior", "posterior/mixture_rows", "posterior/mixture",
    "posterior/prior", "posterior/gaussian", "posterior/sample", "posterior/psis",
    "posterior/posterior", "posterior/kind_gaussian", "posterior/kind_gaussian_leave", "posterior/kind_student",
    "posterior/observe_noise",
    "posterior/kind_diagonal", "posterior/kind_point", "posterior/kind_product", "posterior/observe_likelihood",
    "posterior/observe_latents",
    "posterior/predict", "posterior/slopes", "posterior/weights", "posterior/draws", "posterior/loo", "posterior/store",
    "posterior/record",
    "posterior/chains", "posterior/chains_csv", "posterior/convergence", "posterior/diagnosis",
    "sampling/density", "sampling/leapfrog", "sampling/nuts", "sampling/warmup", "sampling/hmc_chain", "sampling/hmc",
    "sampling/approximation", "sampling/advi_family", "sampling/advi", "sampling/pathfinder",
    "linear/statistics",
    "linear/slm", "linear/slm_sigma", "linear/slm_evidence", "linear/slm_qr", "linear/slm_primal", "linear/slm_exact",
    "linear/slm_dual", "linear/slm_search", "linear/slm_point", "linear/slm_fit",
    "linear/relevance", "linear/slm_integrated", "linear/sequential", "linear/slm_file", "linear/slm_integrated_file",
    "linear/slm_density",
    "glm/method", "glm/layout", "glm/rows", "glm/rows_reduce", "glm/rows_batch", "glm/fit", "glm/result", "glm/search",
    "glm/mode",
    "glm/mode_point", "glm/expected", "glm/laplace_latents", "glm/laplace", "glm/full_differences", "glm/full",
    "glm/integrated", "glm/map",
    "glm/mixture_bound", "glm/mixture_draws", "glm/mixture_start", "glm/mixture", "glm/npv", "glm/sgvi",
    "glm/glm", "glm/glm_fit", "glm/glm_point", "glm/glm_file", "glm/keep", "glm/glm_density", "glm/nuts",
    "glm/sites", "glm/gibbs_chain", "glm/gibbs", "glm/cavi",
    "program/tape", "program/tape_array", "program/tape_matrix", "program/tape_density", "program/tape_density_continuous",
    "program/tape_density_discrete", "program/tape_joint", "program/tape_basis", "program/tape_custom",
    "program/constrain", "program/program_rows", "program/program",
    "use/auto_basis", "use/auto_slm", "use/auto_glm",
    "use/metrics", "use/check", "use/sbc", "use/conformal", "use/scaler", "use/savefile", "use/modelfile", "use/builtin",
    "core/config_end"
};
enum { N_PARTS = sizeof parts / sizeof *parts, LINE = 4096 };

/* The switches, BAYESLIN_WITH_x, in the order of the bits of a mask. */
static const char *const switches[] = { "LINEAR", "GLM", "SCORES", "FILES", "SAMPLING", "AUGMENTED", "PROGRAM" };
enum { LINEAR = 1, GLM = 2, SCORES = 4, FILES = 8, SAMPLING = 16, AUGMENTED = 32, PROGRAM = 64,
       N_SWITCHES = sizeof switches / sizeof *switches };
enum { TERMS = 8, TEXT = 200 };

/* AUGMENTED has GLM on as well: one of its methods and no more; PROGRAM has SAMPLING, which takes what it makes. */
static unsigned with_implied(unsigned mask)
{
    return mask | (mask & AUGMENTED ? (unsigned)GLM : 0u) | (mask & PROGRAM ? (unsigned)SAMPLING : 0u);
}

/* What all switches of a mask together turn on. A piece of a room comes with its room, unless a rule names it. */
static const struct { unsigned mask; const char *roots; } rules[] = {
    { LINEAR, "linear/slm linear/relevance linear/slm_integrated linear/sequential basis/spec" },
    { GLM, "glm/glm basis/spec likelihood/location likelihood/binomial likelihood/counts" },
    { GLM, "glm/laplace glm/full glm/integrated glm/map glm/mixture glm/npv glm/sgvi likelihood/ordinal" },
    { GLM, "likelihood/categorical likelihood/gaussian_scale likelihood/heteroscedastic likelihood/logistic_softmax" },
    { LINEAR, "posterior/kind_gaussian posterior/kind_student posterior/observe_noise posterior/predict" },
    { LINEAR, "posterior/slopes posterior/weights posterior/draws posterior/loo" },
    { GLM, "posterior/kind_gaussian posterior/kind_diagonal posterior/kind_point posterior/kind_product posterior/kind_student" },
    { GLM, "posterior/observe_noise posterior/observe_likelihood posterior/observe_latents" },
    { GLM, "posterior/predict posterior/slopes posterior/weights posterior/draws posterior/loo" },
    { SAMPLING, "sampling/hmc sampling/advi sampling/pathfinder posterior/chains_csv posterior/diagnosis use/sbc" },
    { AUGMENTED, "random/polya_gamma likelihood/augment glm/gibbs glm/cavi" },
    { PROGRAM, "program/tape_array program/tape_matrix program/tape_density program/tape_joint program/tape_custom" },
    { PROGRAM, "program/program" },
    { LINEAR | PROGRAM, "program/tape_basis" },
    { GLM | PROGRAM, "program/tape_basis" },
    { LINEAR, "use/auto_slm" },
    { GLM, "use/auto_glm" },
    { SCORES, "use/metrics use/check use/conformal use/scaler" },
    { FILES, "use/modelfile" },
    { LINEAR | FILES, "linear/slm_file linear/slm_integrated_file use/builtin" },
    { LINEAR | SAMPLING, "linear/slm_density" },
    { GLM | SAMPLING, "glm/glm_density glm/nuts" },
    { GLM | FILES, "glm/glm_file use/builtin" }
};
enum { N_RULES = sizeof rules / sizeof *rules };

/* A condition: one of the masks must be on. No masks: always there. */
typedef struct condition { int n; unsigned mask[TERMS]; } condition;

/* What the first pass finds. Part i includes part k; a piece that a rule names; where a public function is defined. */
static struct { char name[80]; int part; } functions[2000];
static int n_functions;
static unsigned char uses[N_PARTS][N_PARTS], named[N_PARTS];
static condition needs[N_PARTS];

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

/* Of its own, public or private. */
static int has_header(int part)
{
    FILE *f = open_part(parts[part], ".h");
    if (!f) f = open_part(parts[part], "_private.h");
    if (f) fclose(f);
    return f != NULL;
}

/* #include "../floor/room.h" or "room.h" inside part `self`: must name an earlier part, or the part itself. That part, or self. */
static int check_include(int self, const char *line)
{
    char name[LINE];
    const char *begin = strchr(line, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end) { fail(parts[self], "cannot read", line); return self; }
    begin++;
    if (!strncmp(begin, "../", 3)) snprintf(name, sizeof name, "%.*s", (int)(end - begin - 3), begin + 3);
    else snprintf(name, sizeof name, "%.*s/%.*s", (int)(strchr(parts[self], '/') - parts[self]), parts[self],
                  (int)(end - begin), begin);
    char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".h")) { fail(parts[self], "includes something that is no header:", name); return self; }
    const size_t length = (size_t)(dot - name), tail = strlen("_private");
    const int hidden = length > tail && !strncmp(dot - tail, "_private", tail);
    const int other = find_part(name, hidden ? length - tail : length);
    if (other < 0) fail(parts[self], "includes an unknown room:", name);
    else if (other > self && !belongs_to(self, other)) fail(parts[self], "reaches up to", name);
    return other < 0 ? self : other;
}

/* ---- first pass: who includes whom, where functions are, and what that means for each part ---- */

/* Behind what tells the compiler how to treat a function, which may stand before BLN_API or BLNI_PRIV. */
static const char *past_marks(const char *line)
{
    static const char *const marks[] = { "EXACT ", "CALLED ", "NOINLINE ", "COLD ", "ONCE ", "HOT " };
    for (size_t i = 0; i < sizeof marks/sizeof *marks && !strncmp(line, "BLNI_", 5); i++)
        if (!strncmp(line + 5, marks[i], strlen(marks[i]))) return past_marks(line + 5 + strlen(marks[i]));
    return line;
}

/* The name of the function that a line at the left margin declares or defines; 0: none. */
static int function_of(const char *line, char name[80])
{
    line = past_marks(line);
    const char *open = strncmp(line, "BLN_API ", 8) ? NULL : strchr(line, '('), *begin = open;
    while (begin && begin[-1] == ' ') open = --begin;
    while (begin && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') || (begin[-1] >= '0' && begin[-1] <= '9'))) begin--;
    if (!open || open - begin >= 80) return 0;
    memcpy(name, begin, (size_t)(open - begin));
    name[open - begin] = '\0';
    return 1;
}

/* The part that defines the function, or -1. */
static int defined_in(const char *name)
{
    for (int i = 0; i < n_functions; i++) if (!strcmp(functions[i].name, name)) return functions[i].part;
    return -1;
}

/* #if BLNI_x of a switch? */
static int is_switch(const char *line)
{
    if (strncmp(line, "#if BLNI_", 9)) return 0;
    for (int k = 0; k < N_SWITCHES; k++)
        if (!strncmp(line + 9, switches[k], strlen(switches[k])) && line[9 + strlen(switches[k])] == '\n') return 1;
    return 0;
}

static void scan(int self, const char *suffix)
{
    char line[LINE], name[80];
    int within = 0;                                              /* an #if of a switch */
    FILE *f = open_part(parts[self], suffix);
    if (!f) return;
    while (fgets(line, sizeof line, f)) {
        if (is_switch(line)) within = 1;
        else if (!strncmp(line, "#endif", 6)) within = 0;
        else if (!strncmp(line, "#include \"", 10)) {
            const int other = check_include(self, line);
            if (!within) uses[self][other] = 1;
        } else if (!strcmp(suffix, ".c") && function_of(line, name) && defined_in(name) < 0
                   && n_functions < (int)(sizeof functions/sizeof *functions)) {
            strcpy(functions[n_functions].name, name);
            functions[n_functions++].part = self;
        }
    }
    fclose(f);
}

/* One more way to have a part: dropped if it says no more than another, and drops those that say no more than it. */
static void add_mask(condition *c, unsigned mask)
{
    int kept = 0;
    for (int i = 0; i < c->n; i++) if ((c->mask[i] & with_implied(mask)) == c->mask[i]) return;
    for (int i = 0; i < c->n; i++) if ((with_implied(c->mask[i]) & mask) != mask) c->mask[kept++] = c->mask[i];
    if (kept < TERMS) c->mask[kept++] = mask;
    c->n = kept;
}

/* The room that a piece without a header comes with: of those that it belongs to, the one with the longest name; or -1. */
static int room_of(int piece)
{
    int room = -1;
    for (int i = 0; i < N_PARTS; i++)
        if (belongs_to(piece, i) && has_header(i) && (room < 0 || strlen(parts[i]) > strlen(parts[room]))) room = i;
    return named[piece] || has_header(piece) ? -1 : room;
}

static void reach(int part, unsigned mask, unsigned char *seen)
{
    if (seen[part]) return;
    seen[part] = 1;
    add_mask(&needs[part], mask);
    for (int i = 0; i < N_PARTS; i++)
        if (uses[part][i] || room_of(i) == part) reach(i, mask, seen);
}

/* Calls visit(part, user) for each part that the rule names. */
static void each_root(int rule, void (*visit)(int part, unsigned mask, unsigned char *seen), unsigned char *seen)
{
    for (const char *at = rules[rule].roots; *at;) {
        const size_t length = strcspn(at, " ");
        const int part = find_part(at, length);
        if (part < 0) fail("rules", "no such part:", at);
        else visit(part, rules[rule].mask, seen);
        at += length + (at[length] == ' ');
    }
}

static void mark(int part, unsigned mask, unsigned char *seen) { (void)mask; (void)seen; named[part] = 1; }

static int by_mask(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static void work_out(void)
{
    for (int i = 0; i < N_PARTS; i++) {
        scan(i, ".h");
        scan(i, "_private.h");
        scan(i, ".c");
    }
    for (int r = 0; r < N_RULES; r++) each_root(r, mark, NULL);
    for (int r = 0; r < N_RULES; r++) {
        unsigned char seen[N_PARTS] = { 0 };
        each_root(r, reach, seen);
    }
    for (int i = 0; i < N_PARTS; i++) {
        unsigned single = AUGMENTED | PROGRAM;                   /* with GLM, with SAMPLING */
        if (needs[i].n == 0) fail(parts[i], "belongs to no rule", "");
        for (int k = 0; k < needs[i].n; k++) if ((needs[i].mask[k] & (needs[i].mask[k] - 1)) == 0) single |= needs[i].mask[k];
        if (single == (1u << N_SWITCHES) - 1) needs[i].n = 0;    /* one of them is always on */
        qsort(needs[i].mask, (size_t)needs[i].n, sizeof *needs[i].mask, by_mask);
    }
}

/* The condition in words: `prefix` before each switch, and between them `both` and `either`. */
static void say(const condition *c, const char *prefix, const char *both, const char *either, char *out)
{
    *out = '\0';
    for (int k = 0; k < c->n; k++)
        for (unsigned bit = 0, first = 1; bit < N_SWITCHES; bit++)
            if (c->mask[k] >> bit & 1) {
                sprintf(out + strlen(out), "%s%s%s", !first ? both : k ? either : "", prefix, switches[bit]);
                first = 0;
            }
}

static int same_condition(const condition *a, const condition *b)
{
    return a->n == b->n && !memcmp(a->mask, b->mask, (size_t)a->n*sizeof *a->mask);
}

/* Is part i the first of its condition? */
static int is_first(int i)
{
    for (int k = 0; k < i; k++) if (same_condition(&needs[k], &needs[i])) return 0;
    return needs[i].n > 0;
}

static void if_line(const condition *c, char *out)
{
    *out = '\0';
    for (int k = 0; k < c->n; k++) {
        condition one = { 1, { 0 } };
        one.mask[0] = c->mask[k];
        const int brackets = c->n > 1 && (c->mask[k] & (c->mask[k] - 1));
        sprintf(out + strlen(out), "%s%s", k ? " || " : "", brackets ? "(" : "");
        say(&one, "BLNI_", " && ", "", out + strlen(out));
        strcat(out, brackets ? ")" : "");
    }
}

/* The include guard of part p, as "BLN_FLOOR_ROOM_H", or "BLN_FLOOR_ROOM_PRIVATE_H" with suffix "_private.h". */
static void guard_of(const char *part, const char *suffix, char *guard)
{
    size_t at = (size_t)sprintf(guard, "BLN_");
    for (; *part; part++) guard[at++] = *part == '/' ? '_' : (char)(*part >= 'a' && *part <= 'z' ? *part - 'a' + 'A' : *part);
    strcpy(guard + at, *suffix == '_' ? "_PRIVATE_H" : "_H");
}

/* ---- lines that are kept until all are there ---- */

typedef struct text_line { char *text; int dropped, before, end; } text_line;    /* before it stand the lines before..end - 1 */
static text_line *lines;
static int n_lines, room_for_lines;
static struct { int first, end, with_name; } hidden[N_PARTS]; /* the private headers among them; with a line of their name? */
static int n_hidden, waiting[N_PARTS], n_waiting;                /* waiting: those that the next .c takes in behind its title */

static void keep(const char *text)
{
    if (n_lines == room_for_lines) {
        room_for_lines = 2*room_for_lines + 1024;
        lines = (text_line *)realloc(lines, (size_t)room_for_lines*sizeof *lines);
        if (!lines) exit(1);
    }
    lines[n_lines].text = (char *)malloc(strlen(text) + 1);
    if (!lines[n_lines].text) exit(1);
    strcpy(lines[n_lines].text, text);
    lines[n_lines].before = lines[n_lines].end = 0;
    lines[n_lines++].dropped = 0;
}

static int is_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/* The title of a section, a line by itself? */
static int is_title(const char *line) { return !strncmp(line, "/* ----", 7) && !strcmp(line + strlen(line) - 3, "*/\n"); }

/* Of a line that begins a private declaration or definition: the function's name, or "". */
static void private_name(const char *line, char name[80])
{
    line = past_marks(line);
    const char *open = strncmp(line, "BLNI_PRIV ", 10) ? NULL : strchr(line, '('), *begin = open;
    while (begin && is_word(begin[-1])) begin--;
    snprintf(name, 80, "%.*s", open ? (int)(open - begin) : 0, open ? begin : "");
}

/* Of a comment that begins at the left margin? */
static int is_comment(const char *line) { return !strncmp(line, "/*", 2) || !strncmp(line, " *", 2); }

/* The last line of what begins at line i; *body: is it a definition? */
static int statement_end(int i, int *body)
{
    while (i < n_lines && !strchr(lines[i].text, ';') && !strchr(lines[i].text, '{')) i++;
    *body = i < n_lines && strchr(lines[i].text, '{') != NULL;
    return i;
}

static int mentions(const char *line, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(line, name); at; at = strstr(at + 1, name))
        if ((at == line || !is_word(at[-1])) && !is_word(at[length])) return 1;
    return 0;
}

/* Where the function that is declared up to line `end` is defined, if no code mentions it before; else 0. */
static int declared_in_vain(int end, const char *name)
{
    int body = 0;
    char found[80];
    for (int i = end + 1; i < n_lines; i++) {
        if (is_comment(lines[i].text) || !mentions(lines[i].text, name)) continue;
        private_name(lines[i].text, found);
        if (strcmp(found, name)) return 0;
        statement_end(i, &body);
        return body ? i : 0;
    }
    return 0;
}

/* If the declarations under the comment that begins at line i are all in vain, they go, and it moves to the first definition. */
static void move_comment(int i, int end)
{
    int at = i, place = 0, body;
    char name[80];
    while (at < end && is_comment(lines[at].text)) at++;
    const int comment_end = at;
    for (; at < end && lines[at].text[0] != '\n'; at++) {
        private_name(lines[at].text, name);
        if (!*name) return;
        at = statement_end(at, &body);
        const int definition = body ? 0 : declared_in_vain(at, name);
        if (!definition) return;
        if (!place) place = definition;
    }
    if (!place) return;
    while (is_comment(lines[place - 1].text) && !is_title(lines[place - 1].text)) place--;
    if (lines[place].end) return;
    lines[place].before = i;
    lines[place].end = comment_end;
    for (int k = i; k < at; k++) lines[k].dropped = 1;
}

/* A comment that is the name of a file and no more? */
static int is_file_name(const char *line)
{
    const size_t word = strncmp(line, "/* ", 3) ? 0 : strspn(line + 3, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return word > 0 && !strcmp(line + 3 + word, " */\n");
}

/* Of a private header, lines from first to end - 1, the first of which may be its name: declarations in vain go, but those whose
 * comment cannot move, and so do comments that speak of a header; and all of it if nothing is left. */
static void thin_out(int first, int end, int with_name)
{
    int told = 0, left = 0;
    for (int i = first; i < end; i++) {
        const char *line = lines[i].text;
        char name[80];
        int body;
        const int about = strstr(line, "comments stand at the definitions */") != NULL || is_file_name(line);
        if (line[0] == '/' && !about) move_comment(i, end);
        private_name(line, name);
        if (about) lines[i].dropped = 1;
        if (about || line[0] == '\n') told = 0;
        else if (!*name) told = line[0] == '/' || line[1] == '*';
        if (!*name) continue;
        const int last = statement_end(i, &body);
        if (!body && !told && declared_in_vain(last, name)) for (int k = i; k <= last; k++) lines[k].dropped = 1;
        i = last;
    }
    for (int i = first + with_name; i < end; i++) left += !lines[i].dropped && lines[i].text[0] != '\n';
    for (int i = first; i < end && !left; i++) lines[i].dropped = 1;
}

/* All that was kept, with one blank line where dropped lines leave several. */
static void write_lines(void)
{
    int blank = 0;
    for (int i = 0; i < n_hidden; i++) thin_out(hidden[i].first, hidden[i].end, hidden[i].with_name);
    for (int i = 0; i < n_lines; i++) {
        if (lines[i].dropped || (lines[i].text[0] == '\n' && blank)) continue;
        blank = lines[i].text[0] == '\n';
        for (int k = lines[i].before; k < lines[i].end; k++) fputs(lines[k].text, stdout);
        fputs(lines[i].text, stdout);
    }
    for (int i = 0; i < n_lines; i++) free(lines[i].text);
    n_lines = n_hidden = 0;
}

/* A declaration, whose first line this is: BLN_API becomes BLN_IN_x if its definition has a condition. The columns that the other
 * lines move to the right. */
static size_t declaration(const char *line, int self)
{
    char name[80], word[TEXT] = "BLN_IN_", out[LINE + TEXT];
    int part = self;
    const int known = function_of(line, name);
    if (known && defined_in(name) >= 0) part = defined_in(name);
    if (!known || needs[part].n == 0) { keep(line); return 0; }
    say(&needs[part], "", "_AND_", "_OR_", word + strlen(word));
    snprintf(out, sizeof out, "%s%s", word, line + strlen("BLN_API"));
    keep(out);
    return strchr(line, ';') ? 0 : strlen(word) - strlen("BLN_API");
}

/* What follows stands under this condition: the #if of one file serves the next ones too, as long as theirs is the same. */
static void under_condition(const condition *c)
{
    static char open[TEXT];
    char text[TEXT], frame[TEXT + 40];
    if_line(c, text);
    if (!strcmp(text, open)) return;
    snprintf(frame, sizeof frame, "#endif /* %s */\n\n", open);
    if (*open) keep(frame);
    snprintf(frame, sizeof frame, "#if %s\n", text);
    if (*text) keep(frame);
    strcpy(open, text);
}

/* The first line of a public header or of a .c, a comment that names the room: with the name of the file, be it a long line. */
static void keep_title(int self, const char *suffix, const char *line)
{
    char text[2*LINE];
    const char *name = strrchr(parts[self], '/') + 1;
    const size_t length = strlen(name), open = strlen(line) - 1, ends = open > 3 && !strcmp(line + open - 3, " */\n") ? 3 : 0;
    if (!strcmp(suffix, ".c") && !strncmp(line + 3, name, length) && line[3 + length] == ':')
        snprintf(text, sizeof text, "/* ==== src/%s.c%s", parts[self], line + 3 + length);
    else snprintf(text, sizeof text, "%.*s   (src/%s.h)%s", (int)(open - ends), line, parts[self], line + open - ends);
    keep(text);
}

static void emit(int self, const char *suffix);

/* The private headers that wait, behind the title of a .c. */
static void take_in(void)
{
    keep("\n");
    for (int i = 0; i < n_waiting; i++) emit(waiting[i], "_private.h");
    n_waiting = 0;
}

static void emit(int self, const char *suffix)
{
    char line[LINE], guard[LINE], with_guard[LINE], moved[LINE + TEXT];
    const int public_part = !strcmp(suffix, ".h");
    size_t shift = 0;
    int separate = 0;                             /* 1 behind #ifdef BLNI_SEPARATE, 2 behind its #else */
    FILE *f = open_part(parts[self], suffix);
    if (!f) return;
    present[self] = 1;
    guard_of(parts[self], suffix, guard);
    if (!public_part) under_condition(&needs[self]);
    const int first = n_lines, with_name = *suffix == '_' && !n_waiting;
    snprintf(moved, sizeof moved, "/* ==== src/%s%s */\n", parts[self], suffix);
    if (with_name) keep(moved);
    int blank = 1, title = *suffix != '_';
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, "#include \"", 10)) continue;
        if (!strcmp(line, "#ifdef BLNI_SEPARATE\n"))       { separate = 1; continue; }
        if (separate && !strcmp(line, "#else\n"))          { separate = 2; continue; }
        if (separate && !strncmp(line, "#endif", 6))       { separate = 0; continue; }
        if (separate == 1) continue;
        if (strcmp(suffix, ".c")) {
            snprintf(with_guard, sizeof with_guard, "#ifndef %.200s\n", guard);         if (!strcmp(line, with_guard)) continue;
            snprintf(with_guard, sizeof with_guard, "#define %.200s\n", guard);         if (!strcmp(line, with_guard)) continue;
            snprintf(with_guard, sizeof with_guard, "#endif /* %.200s */\n", guard);    if (!strcmp(line, with_guard)) continue;
        }
        if (line[0] == '\n' && blank) continue;       /* stripped lines leave no holes, and a title stands on its section */
        blank = line[0] == '\n' || is_title(line);
        if (title && n_lines == first) keep_title(self, suffix, line);
        else if (public_part && !strncmp(line, "BLN_API ", 8)) { shift = declaration(line, self); continue; }
        else {
            memset(moved, ' ', sizeof moved);
            strcpy(moved + (line[0] == ' ' ? shift : 0), line);
            if (strchr(line, ';')) shift = 0;
            keep(moved);
        }
        if (!title || !strstr(line, "*/")) continue;
        title = 0;
        if (!strcmp(suffix, ".c")) { take_in(); blank = 1; }
    }
    if (!blank) keep("\n");
    if (suffix[0] == '_') {
        hidden[n_hidden].first = first;
        hidden[n_hidden].with_name = with_name;
        hidden[n_hidden++].end = n_lines;
    }
    fclose(f);
}

/* ---- the switches ---- */

/* Which of them are on; how the functions of a condition are declared; names for what is missing. */
static void switch_macros(void)
{
    char text[TEXT], word[TEXT];
    for (int k = 0; k < N_SWITCHES; k++)
        printf("#if defined(BAYESLIN_WITH_%s)%s\n#define BLNI_%s 1\n#else\n#define BLNI_%s 0\n#endif\n", switches[k],
               1u << k == GLM ? " || defined(BAYESLIN_WITH_AUGMENTED)"
               : 1u << k == SAMPLING ? " || defined(BAYESLIN_WITH_PROGRAM)" : "", switches[k], switches[k]);
    printf("#if !(");
    for (int k = 0; k < N_SWITCHES; k++) printf("%sBLNI_%s", k ? " || " : "", switches[k]);
    puts(")");
    for (int k = 0; k < N_SWITCHES; k++) printf("#undef BLNI_%s\n#define BLNI_%s 1\n", switches[k], switches[k]);
    puts("#endif\n");
    puts("/* BLN_IN_x declares what is there if BAYESLIN_WITH_x is defined, or none of these. Where it is missing, calls from the\n"
         " * implementing file are errors that say so, with compilers that can. */\n"
         "#if defined(__has_attribute)\n#if __has_attribute(error)\n"
         "#define BLNI_MISSING(part) __attribute__((error(\"this needs \" part)))\n#endif\n#endif\n"
         "#ifndef BLNI_MISSING\n#define BLNI_MISSING(part)\n#endif\n");
    for (int i = 0; i < N_PARTS; i++) {
        if (!is_first(i)) continue;
        if_line(&needs[i], text);
        say(&needs[i], "", "_AND_", "_OR_", word);
        printf("#if !(%s) && defined(BAYESLIN_IMPLEMENTATION)\n", text);
        say(&needs[i], "BAYESLIN_WITH_", " and ", " or ", text);
        printf("#define BLN_IN_%s extern BLNI_MISSING(\"%s\")\n#else\n#define BLN_IN_%s BLN_API\n#endif\n", word, text, word);
    }
    putchar('\n');
}

/* Whom a floor is for. Models are what nearly everyone calls; parts are for those who compose models; kernels are the numerical
 * library that this also is. */
typedef struct tier { const char *title, *floors; } tier;
static const tier tiers[] = {
    { "MODELS   what nearly everyone calls", " linear glm program " },
    { "PARTS    bases, likelihoods, posteriors, optimisers, scores, files: for those who compose",
      " core optim basis likelihood posterior sampling use " },
    { "KERNELS  dense algebra, special functions, random numbers", " math random " }
};
enum { N_TIERS = sizeof tiers / sizeof *tiers };

/* The tier of part i, or N_TIERS. */
static int tier_of(int i)
{
    char floor[LINE];
    int t = 0;
    snprintf(floor, sizeof floor, " %.*s ", (int)(strchr(parts[i], '/') - parts[i]), parts[i]);
    while (t < N_TIERS && !strstr(tiers[t].floors, floor)) t++;
    return t;
}

/* The line of a room in the contents: its `>>room - title`, the floor if it is the first of it. A title ends at two blanks, behind
 * which the rooms put their references. */
static void contents_line(int i, const char **floor)
{
    char line[LINE];
    const size_t floor_length = (size_t)(strchr(parts[i], '/') - parts[i]);
    FILE *f = open_part(parts[i], ".h");
    if (!f) return;
    int found = 0;
    while (!found && fgets(line, sizeof line, f)) {
        char *tag = strstr(line, ">>"), *title = tag ? strstr(tag, " - ") : NULL, *end;
        if (strncmp(line, "/* >>", 5) || !title) continue;
        found = 1;
        *title = '\0';
        title += 3;
        title[strcspn(title, "\n")] = '\0';
        if ((end = strstr(title, "  ")) != NULL || (end = strstr(title, " */")) != NULL) *end = '\0';
        const int same = !strncmp(*floor, parts[i], floor_length + 1);
        printf(" *     %-11.*s %-16s %s\n", same ? 0 : (int)floor_length, parts[i], tag, title);
        *floor = parts[i];
    }
    if (!found) fail(parts[i], "has no line", "/* >>room - title");
    fclose(f);
}

/* The table of contents of the manual, tier after tier. */
static void contents(void)
{
    for (int t = 0; t < N_TIERS; t++) {
        const char *floor = "";
        printf("%s *     %s\n", t ? " *\n" : "", tiers[t].title);
        for (int i = 0; i < N_PARTS; i++)
            if (tier_of(i) == t) contents_line(i, &floor);
    }
    for (int i = 0; i < N_PARTS; i++)
        if (tier_of(i) == N_TIERS) fail(parts[i], "is on a floor of", "no tier");
}

#include "manual_verbs.h"

static void copy(const char *name)
{
    char path[LINE], line[LINE];
    snprintf(path, sizeof path, "%s/%s", src, name);
    FILE *f = fopen(path, "rb");
    if (!f) { fail(name, "is missing", ""); return; }
    while (fgets(line, sizeof line, f))
        if (!strcmp(line, " *     @CONTENTS@\n")) contents();
        else if (!strcmp(line, " *     @VERBS@\n")) verb_table();
        else if (!strcmp(line, " *     @QUESTIONS@\n")) question_table();
        else fputs(line, stdout);
    fclose(f);
}

/* A private header comes with the first piece of its room, if that has the condition and a .c, and else by itself. */
static void hide(int room, int piece)
{
    FILE *f = open_part(parts[piece], ".c"), *header = open_part(parts[room], "_private.h");
    if (f && header && same_condition(&needs[room], &needs[piece])) waiting[n_waiting++] = room;
    else if (header) emit(room, "_private.h");
    if (f) fclose(f);
    if (header) fclose(header);
}

int main(int argc, char **argv)
{
    if (argc != 2) { fprintf(stderr, "usage: amalgamate SRC > bayeslin.h\n"); return 2; }
    src = argv[1];
    work_out();
    copy("manual.h");
    puts("#ifndef BAYESLIN_H\n#define BAYESLIN_H\n");
    switch_macros();
    puts("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (int i = 0; i < N_PARTS; i++) emit(i, ".h");
    write_lines();
    puts("#ifdef __cplusplus\n}\n#endif\n\n#endif /* BAYESLIN_H */\n");
    puts("#if defined(BAYESLIN_IMPLEMENTATION) && !defined(BAYESLIN_IMPLEMENTED)\n#define BAYESLIN_IMPLEMENTED\n");
    puts("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (int i = 0; i < N_PARTS; i++) {
        for (int room = 0; room < N_PARTS; room++)            /* above the first piece of its room */
            if ((room == i || belongs_to(i, room)) && !opened[room]) { opened[room] = 1; hide(room, i); }
        emit(i, ".c");
    }
    const condition always = { 0, { 0 } };
    under_condition(&always);
    write_lines();
    puts("#ifdef __cplusplus\n}\n#endif\n\n#endif /* BAYESLIN_IMPLEMENTATION */\n");
    copy("end.h");
    for (int i = 0; i < N_PARTS; i++)
        if (!present[i]) fprintf(stderr, "amalgamate: %s: neither .h nor .c\n", parts[i]);
    return failed || ferror(stdout) || fflush(stdout) ? 1 : 0;
}
