/* fuzz_table: a table must be read alike as a whole and as a stream, or be refused with a reason both times
 *
 * make fuzz NAME=table, see docs/security.md. A case is options of `fit`, a word in a line, then the table: decimals, dates,
 * percentages, currencies, missing cells, groups and roles, whatever the options and the cells say. The numbers of both ways must
 * be the same
 * bits. */
#include "fuzz_cli.h"
#include "../../tools/cli/frame.h"
#include "../../tools/cli/rows.h"
#include "../../tools/cli/stream.h"

enum { TABLE_MOST = 2000 };

static const char *table_same(const cli_columns *a, const cli_rows *x, const stream *s)
{
    const cli_columns *b = &s->cols;
    if (a->n != b->n || a->d != b->d || a->n_targets != b->n_targets || a->n_made != b->n_made) return "other columns as a stream";
    for (size_t j = 0; j < a->d; j++) if (strcmp(a->inputs[j], b->inputs[j])) return "another name of an input as a stream";
    if (x->data.n != s->n || x->data.n != s->some.n) return "another number of rows as a stream";
    for (size_t i = 0; i < x->data.n; i++) {
        if (memcmp(x->data.X + i*a->d, s->some.X + i*a->d, a->d*sizeof(double))) return "other inputs as a stream";
        if (memcmp(x->data.y + i*a->n_targets, s->some.y + i*a->n_targets,
            a->n_targets*sizeof(double))) return "another target as a stream";
        if (x->data.weight && x->data.weight[i] != s->some.weight[i]) return "another weight as a stream";
        if (x->data.noise_var && x->data.noise_var[i] != s->some.noise_var[i]) return "another noise variance as a stream";
        if (x->data.offset && x->data.offset[i] != s->some.offset[i]) return "another offset as a stream";
    }
    for (size_t k = 0; k < x->data.n*a->d; k++) if (x->data.X[k] - x->data.X[k] != 0.0) return "an input that is not finite";
    return NULL;
}

static const char *table_options(const options *o)
{
    const char *wrong = NULL;
    frame f;
    cli_columns cols;
    cli_rows rows;
    stream s;
    cli_why whole, part;
    progress p;
    memset(&f, 0, sizeof f);
    memset(&cols, 0, sizeof cols);
    memset(&rows, 0, sizeof rows);
    memset(&s, 0, sizeof s);
    memset(&p, 0, sizeof p);
    memset(&whole, 0, sizeof whole);
    memset(&part, 0, sizeof part);
    s.file = -1;
    int status = frame_for_training(o, &f, &whole);
    const int framed = !status;
    if (!status) status = frame_learn(o, &f, f.n, f.rows, &cols, &whole);
    const int learned = !status;
    if (!status) status = rows_read(&cols, &f.table, f.at, f.n, f.rows, COLUMNS_TRAIN, &rows, &whole);
    const int streamed = stream_open(o, NULL, STREAM_SOME, &p, &s, &part);
    if (status && !whole.text[0]) wrong = "refused without a reason";
    else if (streamed && !part.text[0]) wrong = "refused as a stream without a reason";
    else if (!status != !streamed) wrong = status ? "refused as a whole, and not as a stream"
        : "refused as a stream, and not as a whole";
    else if (!status) wrong = table_same(&cols, &rows, &s);
    fuzz_loud();
    if (wrong) fprintf(stderr, "whole: %s\nstream: %s\n", whole.text, part.text);
    if (!streamed) stream_close(&s);
    rows_free(&rows);
    if (learned) columns_free(&cols);
    if (framed) frame_free(&f);
    return wrong;
}

static const char *table_check(const unsigned char *bytes, size_t n)
{
    static char fixed[6][16] = { "table", "--target", "y", "--basis", "linear", "-o" }, out[] = "out";
    const char *wrong = NULL;
    fuzz_words w;
    options o;
    cli_why why = { "", "" };
    char *word[FUZZ_WORDS + 8];
    int basis = 0, k = 0;
    if (!fuzz_home[0]) fuzz_folder();
    const size_t used = fuzz_words_read(bytes, n, &w);
    for (int i = 0; i < w.n; i++) basis = basis || !strncmp(w.word[i], "--basis", 7) || !strncmp(w.word[i], "--formula", 9);
    for (int i = 0; i < 6; i++) if (!(basis && i > 0 && i < 5)) word[k++] = fixed[i];
    word[k++] = out;
    for (int i = 0; i < w.n; i++) word[k++] = w.word[i];
    fuzz_put(fixed[0], bytes + used, n - used);
    fuzz_mute();
    const int status = options_read(VERB_FIT, k, word, &o, &why);
    /* Of what a model of a likelihood takes, and of by-products of a fit, a stream has nothing. */
    if (!status && !o.help && !o.glm && !o.loo && !o.loo_group && !o.waic && !o.integrate && o.data && !strcmp(o.data, fixed[0])
        && !o.from_stats && !o.role[ROLE_TRIALS]) wrong = table_options(&o);
    fuzz_loud();
    options_free(&o);
    return wrong;
}

static const char *const table_pieces[] = {
    "\n", ",", ";", "\t", "\"", "\"\"", "\r\n", "NA", "-", "nan", "1,5", "1.5", "-2e3", "5 %", "$ 3", "3 \xE2\x82\xAC", "1,234.5",
    "1.234,5",
    "2024-02-29", "29.2.2024", "12/31/2024", "2024-02-30", "red", "x", "y", "g", "w", "\n--sep\nsemicolon\n", "\n--sep\ntab\n",
    "\n--decimal\ncomma\n", "\n--missing\ndrop\n", "\n--missing\nmean\n", "\n--missing\nindicator\n", "\n--date\nd\n",
    "\n--factor\nx\n",
    "\n--number\nx\n", "\n--na\n9\n", "\n--ignore\nx\n", "\n--weights\nw\n", "\n--noise-var\nw\n", "\n--offset\nw\n",
    "\n--basis\ngroup:by=g\n--target\ny\n", "\n--basis\nlinear:cols=x*g;log(x)\n--target\ny\n", "\n--formula\ny ~ x + (1|g)\n",
    "\xEF\xBB\xBF", NULL
};
static const fuzz_harness table = { "table", TABLE_MOST, table_check, table_pieces, NULL };
FUZZ_MAIN(table)
