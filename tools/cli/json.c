/* json: the text written so far, and a stack of the arrays and objects that are open */
#include "json.h"
#include "../utf8.h"
#include "library.h"
#include "why.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_DEPTH = 16 };

struct cli_json {
    char  *text;
    size_t n, room;
    int    depth;
    char   close[JSON_DEPTH];           /* ']' or '}' of what is open            */
    char   some[JSON_DEPTH];            /* has it a member, so that a comma is due? */
    char   lines[JSON_DEPTH];           /* has each member a line to itself?        */
};

cli_json *json_create(void) { return (cli_json *)cli_memory(1, sizeof(cli_json)); }

void json_free(cli_json *j)
{
    if (j) free(j->text);
    free(j);
}

static void json_bytes(cli_json *j, const char *bytes, size_t n)
{
    if (j->room - j->n < n) {
        while (j->room - j->n < n) j->room = j->room ? 2*j->room : 4096;
        j->text = (char *)cli_grow(j->text, j->room, 1);
    }
    memcpy(j->text + j->n, bytes, n);
    j->n += n;
}

static void json_byte(cli_json *j, char c) { json_bytes(j, &c, 1); }

static void json_quoted(cli_json *j, const char *text)
{
    char escape[8];
    json_byte(j, '"');
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const size_t n = utf8_character(text);
        if (n == 0) json_bytes(j, "\xEF\xBF\xBD", 3);
        else if (c == '"' || c == '\\') {
            json_byte(j, '\\');
            json_byte(j, *text);
        } else if (c < 32 || c == 127) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
            json_bytes(j, escape, strlen(escape));
        } else json_bytes(j, text, n);
        text += n ? n : 1;
    }
    json_byte(j, '"');
}

/* Writes what precedes a value: a comma where one is due, a line end, and the key. Members of the outermost object begin a new
 * line, and so do objects and arrays within its arrays. */
static void json_begin(cli_json *j, const char *key, int opens)
{
    if (j->depth == 0) return;
    const int top = j->depth - 1;
    if (j->some[top]) json_byte(j, ',');
    if (top == 0 ? j->close[top] == '}' : top == 1 && opens && j->close[top] == ']') {
        json_byte(j, '\n');
        j->lines[top] = 1;
    } else if (j->some[top]) json_byte(j, ' ');
    j->some[top] = 1;
    if (j->close[top] != '}') return;
    json_quoted(j, key);
    json_bytes(j, ": ", 2);
}

static void json_open(cli_json *j, const char *key, char open, char close)
{
    if (!j) return;
    json_begin(j, key, 1);
    json_byte(j, open);
    if (CLI_NEVER(j->depth == JSON_DEPTH)) abort();          /* no answer is nested this deeply */
    j->close[j->depth] = close;
    j->some[j->depth] = j->lines[j->depth] = 0;
    j->depth++;
}

void json_object(cli_json *j, const char *key) { json_open(j, key, '{', '}'); }
void json_array(cli_json *j, const char *key)  { json_open(j, key, '[', ']'); }

void json_end(cli_json *j)
{
    if (!j || j->depth == 0) return;
    j->depth--;
    if (j->lines[j->depth]) json_byte(j, '\n');
    json_byte(j, j->close[j->depth]);
}

void json_number(cli_json *j, const char *key, double value)
{
    char text[40];
    double back = 0.0;
    if (!j) return;
    json_begin(j, key, 0);
    if (!isfinite(value)) {
        json_bytes(j, "null", 4);
        return;
    }
    snprintf(text, sizeof text, "%.15g", value);
    for (int digits = 16; digits <= 17; digits++) {                /* 17 always give the number back */
        bln_decimal_read(text, text + strlen(text), &back);
        if (back != value) snprintf(text, sizeof text, "%.*g", digits, value);
    }
    json_bytes(j, text, strlen(text));
}

void json_count(cli_json *j, const char *key, uint64_t value)
{
    char text[24], *p = text + sizeof text;
    if (!j) return;
    json_begin(j, key, 0);
    do *--p = (char)('0' + value % 10); while (value /= 10);
    json_bytes(j, p, (size_t)(text + sizeof text - p));
}

void json_flag(cli_json *j, const char *key, int value)
{
    if (!j) return;
    json_begin(j, key, 0);
    json_bytes(j, value ? "true" : "false", value ? 4 : 5);
}

void json_text(cli_json *j, const char *key, const char *value)
{
    if (!j) return;
    json_begin(j, key, 0);
    if (value) json_quoted(j, value);
    else json_bytes(j, "null", 4);
}

void json_numbers(cli_json *j, const char *key, size_t n, const double *value)
{
    json_array(j, key);
    for (size_t i = 0; i < n; i++) json_number(j, NULL, value[i]);
    json_end(j);
}

void json_texts(cli_json *j, const char *key, size_t n, const char *const *value)
{
    json_array(j, key);
    for (size_t i = 0; i < n; i++) json_text(j, NULL, value[i]);
    json_end(j);
}

const char *json_finish(cli_json *j, size_t *n)
{
    while (j->depth) json_end(j);
    json_byte(j, '\n');
    *n = j->n;
    return j->text;
}
