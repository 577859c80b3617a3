#ifndef TESTS_CSV_TOOLS_H
#define TESTS_CSV_TOOLS_H
/* csv_tools - the tool's reader of tables, and tables made of text, for its tests */
#include "../test.h"
#include "../../tools/cli/why.c"
#include "../../tools/cli/number.c"
#include "../../tools/cli/csv.c"
#include "../../tools/cli/csv_blocks.c"
#include "../../tools/cli/columns.c"
#include "../../tools/cli/made.c"
#include "../../tools/cli/role.c"
#include "../../tools/cli/rows.c"
#include "../../tools/cli/terms.c"
#include "../../tools/cli/cell.c"
#include "../../tools/cli/reading_apply.c"

/* Parses n bytes of text with the reader's own copy. */
static TEST_UNUSED int csv_test_parse(const char *text, size_t n, char separator, csv_table *out, cli_why *why)
{
    char *bytes = (char *)malloc(n + 1);
    if (!bytes) exit(2);
    memcpy(bytes, text, n);
    why->text[0] = '\0';
    memset(out, 0, sizeof *out);
    return csv_parse("t.csv", bytes, n, separator, out, why);
}

static TEST_UNUSED int csv_test_good(const char *text, csv_table *out)
{
    cli_why why;
    const int status = csv_test_parse(text, strlen(text), ',', out, &why);
    CHECK(status == CLI_GOOD);
    if (status) printf("    %s\n", why.text);
    return !status;
}

static TEST_UNUSED void csv_test_cell(const csv_table *t, size_t row, size_t column, const char *want, int line)
{
    test_checks++;
    if (row >= t->n_rows || column >= t->n_columns) { test_fail(__FILE__, line, "no such cell"); return; }
    if (strcmp(csv_at(t, row, column)->text, want)) {
        printf("    got \"%s\", want \"%s\"\n", csv_at(t, row, column)->text, want);
        test_fail(__FILE__, line, "wrong cell");
    }
}
#define CSV_CELL(t, row, column, want) csv_test_cell((t), (row), (column), (want), __LINE__)

/* All cells, row by row. */
static TEST_UNUSED void csv_test_cells(const csv_table *t, const char *const *want, size_t n, int line)
{
    if (t->n_rows*t->n_columns != n) test_fail(__FILE__, line, "another number of cells");
    for (size_t i = 0; i < n; i++) csv_test_cell(t, i/t->n_columns, i%t->n_columns, want[i], line);
}
#define CSV_CELLS(t, want) csv_test_cells((t), (want), sizeof (want)/sizeof *(want), __LINE__)

/* The text must be refused with exactly this message. */
static TEST_UNUSED void csv_test_bad(const char *text, size_t n, const char *message, int line)
{
    csv_table t;
    cli_why why;
    test_checks++;
    if (csv_test_parse(text, n, ',', &t, &why) == CLI_GOOD) {
        test_fail(__FILE__, line, "accepted");
        csv_free(&t);
    } else if (strcmp(why.text, message)) {
        printf("    got  %s\n    want %s\n", why.text, message);
        test_fail(__FILE__, line, "another message");
    }
}
#define CSV_BAD(text, message) csv_test_bad((text), sizeof (text) - 1, (message), __LINE__)

/* Writes a file, and reads it in blocks with a buffer that starts at `room` bytes; 0: the default. */
static TEST_UNUSED int csv_test_blocks(const char *text, size_t n, size_t room, csv_blocks *b, cli_why *why)
{
    const char *path = "build/test_csv_blocks.csv";
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, n, f) != n || fclose(f)) exit(2);
    why->text[0] = '\0';
    int status = csv_blocks_open(path, ',', b, why);
    remove(path);
    if (status || room == 0) return status;
    b->room = room;
    return csv_blocks_rewind(b, why);
}

#endif
