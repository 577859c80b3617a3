/* fuzz_tool: any command line of the tool must end with a known exit status, and leave nothing behind
 *
 * make fuzz NAME=tool, see docs/security.md. A case is the words of a command line (fuzz_cli.h), then the bytes of the file `t`.
 * Beside it there are two tables, models, statistics and draws to work on. A run may write the files that its words name, and no
 * other; one that fails leaves every file as it was. */
#include "fuzz_cli.h"
#define main tool_main
#include "../../tools/bayeslin.c"
#undef main
#include <dirent.h>
#include <sys/stat.h>

enum { TOOL_MOST = 3000, TOOL_FILES = 32, TOOL_FILE = 1 << 16 };

typedef struct tool_file { char name[256]; unsigned char *bytes; size_t n; } tool_file;
typedef struct tool_files { size_t n; tool_file file[TOOL_FILES]; } tool_files;

static const char tool_a[] =
    "x,z,colour,y,k,w\n0.1,3,red,1.2,0,1\n0.9,1,blue,0.3,2,1\n1.7,4,red,2.9,1,2\n2.2,1,green,1.1,4,1\n3.1,5,blue,3.6,0,1\n"
    "3.8,9,red,4.9,3,1\n4.4,2,green,3.1,7,0.5\n5.2,6,blue,5.3,2,1\n5.9,5,red,5.2,5,1\n6.5,3,green,5.8,6,1\n7.3,5,blue,6.1,4,3\n"
    "8.1,8,red,8.8,9,1\n";
static const char tool_b[] =
    "day;x;p;g;y\n2024-01-31;1,5;10 %;a;3\n2024-02-01;;20 %;b;4\n2024-02-29;2,25;5 %;a;5\n2024-03-01;3;0 %;c;5\n"
    "2024-04-30;4,5;7 %;b;9\n"
    "2024-05-01;5;NA;a;8\n";
static const char tool_draws[] =
    "chain,draw,mu,sigma,lp__,divergent__\n1,1,0.3,1.1,-3,0\n1,2,0.5,1.3,-2.5,0\n1,3,0.1,0.9,-3.1,1\n1,4,0.4,1.2,-2.2,0\n"
    "2,1,0.2,1.4,-2.9,0\n2,2,0.6,1.0,-2.7,0\n2,3,0.3,1.2,-3.3,0\n2,4,0.35,1.15,-2.4,0\n";

/* Words with one blank between them, none in them. */
static int tool_run(int n, char **words)
{
    fuzz_mute();
    const int status = tool_main(n, words);
    fuzz_loud();
    return status;
}

static void tool_make(const char *line)
{
    char text[300], *word[30];
    int n = 0;
    snprintf(text, sizeof text, "bayeslin %s", line);
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " ")) word[n++] = p;
    word[n] = NULL;
    const int status = tool_run(n, word);
    if (status) { fprintf(stderr, "fuzz_tool: %s: exit status %d\n", line, status); exit(2); }
}

/* All files of the folder, in the order of their names. */
static int tool_order(const void *a, const void *b) { return strcmp(((const tool_file *)a)->name, ((const tool_file *)b)->name); }
static void tool_look(tool_files *out)
{
    out->n = 0;
    DIR *folder = opendir(".");
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (out->n == TOOL_FILES) { fprintf(stderr, "fuzz_tool: too many files\n"); exit(2); }
        tool_file *f = &out->file[out->n++];
        snprintf(f->name, sizeof f->name, "%s", entry->d_name);
        const fuzz_bytes b = fuzz_file(f->name, TOOL_FILE);
        f->bytes = b.bytes;
        f->n = b.n;
    }
    if (!folder) exit(2);
    closedir(folder);
    qsort(out->file, out->n, sizeof *out->file, tool_order);
}
static void tool_forget(tool_files *files) { for (size_t k = 0; k < files->n; k++) free(files->file[k].bytes); }

static const tool_file *tool_find(const tool_files *files, const char *name)
{
    for (size_t k = 0; k < files->n; k++) if (!strcmp(files->file[k].name, name)) return &files->file[k];
    return NULL;
}

static int tool_same(const tool_file *a, const tool_file *b) { return a && b && a->n == b->n && !memcmp(a->bytes, b->bytes, a->n); }

/* Does a word name the file: be it, or end with it behind a = or -o? */
static int tool_named(const fuzz_words *w, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < w->n; i++) {
        const size_t m = strlen(w->word[i]);
        if (m >= n && !strcmp(w->word[i] + m - n, name)) return 1;
    }
    return 0;
}

static const tool_files *tool_base(void)
{
    static tool_files base;
    if (base.n) return &base;
    fuzz_folder();
    fuzz_put("a.csv", tool_a, strlen(tool_a));
    fuzz_put("b.csv", tool_b, strlen(tool_b));
    fuzz_put("d.csv", tool_draws, strlen(tool_draws));
    fuzz_put("t", "", 0);
    tool_make("fit a.csv --target y --basis rbf:n=2,cols=x+linear:cols=z;colour --plug-in -o m");
    tool_make("fit a.csv --target k --ignore y --basis linear --likelihood poisson -o g");
    tool_make("fit b.csv --target y --sep semicolon --missing mean --basis group:by=g -o h");
    tool_make("stats a.csv --target y --basis linear:cols=x -o s");
    tool_make("stats a.csv --like s -o r");
    tool_look(&base);
    return &base;
}

/* What differs from before, put right again. */
static const char *tool_compare(const tool_files *base, const fuzz_words *w, int status)
{
    const char *wrong = NULL;
    tool_files now;
    tool_look(&now);
    for (size_t k = 0; k < now.n; k++) {
        const tool_file *f = &now.file[k], *was = tool_find(base, f->name);
        if (tool_same(f, was)) continue;
        if (!tool_named(w, f->name)) wrong = was ? "a file that no word names was written over"
            : "a file is left that no word names";
        if (status == CLI_FAILED || status == CLI_USAGE) wrong = "a run that failed has written to a file";
        if (wrong) fprintf(stderr, "%s\n", f->name);
        if (was) fuzz_put(was->name, was->bytes, was->n);
        else remove(f->name);
    }
    for (size_t k = 0; k < base->n; k++)
        if (!tool_find(&now, base->file[k].name)) {
            wrong = "a file is gone";
            fuzz_put(base->file[k].name, base->file[k].bytes, base->file[k].n);
        }
    tool_forget(&now);
    return wrong;
}

/* Draws of a sampler take their time unless it is said how many. */
static int tool_slow(const fuzz_words *w)
{
    int draws = 0, few = 0;
    for (int i = 0; i < w->n; i++) {
        if (strstr(w->word[i], "nuts") || strstr(w->word[i], "gibbs")) draws = 1;
        if (!strncmp(w->word[i], "--warmup", 8)) few = 1;
    }
    return draws && !few;
}

static const char *tool_check(const unsigned char *bytes, size_t n)
{
    static char name[] = "bayeslin";
    const tool_files *base = tool_base();
    fuzz_words w;
    char *word[FUZZ_WORDS + 2];
    const size_t used = fuzz_words_read(bytes, n, &w);
    if (!w.n || tool_slow(&w)) return NULL;
    word[0] = name;
    memcpy(word + 1, w.word, (size_t)(w.n + 1)*sizeof *word);
    tool_file *t = (tool_file *)(uintptr_t)tool_find(base, "t");
    free(t->bytes);
    t->bytes = fuzz_copy(bytes + used, n - used);
    t->n = n - used;
    fuzz_put("t", t->bytes, t->n);
    const int status = tool_run(w.n + 1, word);
    const char *wrong = tool_compare(base, &w, status);
    if (status < 0 || status > CLI_DOUBT) wrong = "an exit status that is not known";
    if (wrong) for (int i = 0; i <= w.n; i++) fprintf(stderr, "%s%s", word[i], i < w.n ? " " : "\n");
    return wrong;
}

static const char *const tool_pieces[] = {
#define X(NAME, name, words, arguments, what) #name,
    CLI_VERBS(X)
#undef X
    "help", "--version", "a.csv", "b.csv", "d.csv", "t", "m", "g", "h", "s", "r", "-o", "\nout", "-", "--", "\n", "\n--target\ny",
    "\n--outputs\ny,x", "\n--basis\nlinear", "\n--basis\nrbf:n=3", "\n--basis\nauto", "\n--formula\ny ~ x", "\n--show\n", "curve",
    "draws", "effects", "residuals", "coefficients", "evidence", "\n--x\nx", "\n--y\ny", "\n--folds\n3", "\n--group\ncolour",
    "\n--time\nx",
    "\n--curve", "\n--seed\n7", "\n--starts\n2", "\n--max-iterations\n3", "\n--tolerance\n1e-3", "\n--theta-sd\ninf",
    "\n--no-scale",
    "\n--no-hyper-prior", "\n--ignore\nz", "\n--factor\nz", "\n--number\nx", "\n--date\nday", "\n--na\n5", "\n--weights\nw",
    "\n--noise-var\nw", "\n--offset\nz", "\n--trials\nz", "\n--likelihood\n", "poisson", "binomial", "student_t",
    "ordinal", "categorical", "\n--inference\n", "map", "laplace", "full", "mixture", "sgvi", "npv", "integrated",
    "nuts\n--warmup\n9\n--draws\n9", "gibbs\n--warmup\n9\n--draws\n9", "\n--hyper\nlaplace", "\n--categories\n3", "\n--prior\n",
    "flat",
    "each", "\n--arithmetic\n", "exact", "qr", "double", "\n--optimiser\n", "\n--residual\n", "\n--noise\n", "\n--integrate",
    "\n--plug-in",
    "\n--calibrate", "\n--stream", "\n--sample\n5", "\n--from-stats\ns", "\n--like\ns", "\n--loo", "\n--loo-group\ncolour",
    "\n--loo-by\npsis",
    "\n--waic", "\n--trace\nout", "\n--reference\nd.csv", "\n--contrast\ncolour", "\n--covariance", "\n--keep\nx", "\n--draws\n3",
    "\n--missing\n", "drop", "mean", "indicator", "\n--unseen\n", "\n--interval\n0.9", "\n--json", "\n--all", "\n--sep\nsemicolon",
    "\n--decimal\ncomma", "--help", ",", ";", "\"", "NA", "1", "-2.5", "2024-02-30", "\n1,2,red,3,4,5",
    "[{\"mu\": [1, 2, 3, 4]}]", NULL
};
static const fuzz_harness tool = { "tool", TOOL_MOST, tool_check, tool_pieces, NULL };
FUZZ_MAIN(tool)
