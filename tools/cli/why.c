/* why: failures and notes in words, and memory that must be there */
#include "why.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char why_clean(char c) { return (unsigned char)c < 32 || c == 127 ? '?' : c; }

char *cli_clean(char *text)
{
    for (char *p = text; *p; p++) *p = why_clean(*p);
    return text;
}

void cli_print(FILE *file, const char *text)
{
    for (; *text; text++) fputc(why_clean(*text), file);
}

/* cli_fail and cli_misuse differ only in the status that they return. */
#define WHY_WRITE(status) \
    va_list list; \
    va_start(list, format); \
    vsnprintf(why->text, sizeof why->text, format, list); \
    va_end(list); \
    cli_clean(why->text); \
    why->place[0] = '\0'; \
    return status

int cli_fail(cli_why *why, const char *format, ...)   { WHY_WRITE(CLI_FAILED); }
int cli_misuse(cli_why *why, const char *format, ...) { WHY_WRITE(CLI_USAGE); }

/* Notes are kept for the answer in JSON. They come from everywhere, so the list is global. */
enum { WHY_NOTES = 100 };
static char *why_notes[WHY_NOTES];
static size_t why_noted;

const char *cli_noted(size_t i) { return i < why_noted ? why_notes[i] : NULL; }

void cli_note(const char *format, ...)
{
    va_list list;
    char text[1000];
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "bayeslin: note: %s\n", cli_clean(text));
    if (why_noted < WHY_NOTES) why_notes[why_noted++] = cli_copy(text);
}

const char *cli_show(cli_shown *out, const char *text)
{
    enum { LONGEST = sizeof out->text - 8 };
    size_t n = 0;
    for (; text[n] && n < LONGEST; n++) out->text[n] = why_clean(text[n]);
    if (text[n]) {                                             /* cut between characters of UTF-8, not within one */
        while (n > 0 && ((unsigned char)text[n] & 0xC0u) == 0x80u) n--;
        memcpy(out->text + n, "...", 3);
        n += 3;
    }
    out->text[n] = '\0';
    return out->text;
}

int cli_bytes(const char *text, int characters)
{
    int bytes = 0;
    for (; characters > 0; characters--, bytes++) {
        if (!*text) continue;
        for (text++; ((unsigned char)*text & 0xC0u) == 0x80u; text++) bytes++;
    }
    return bytes;
}

const char *cli_count(cli_counted *out, size_t n, const char *thing)
{
    snprintf(out->text, sizeof out->text, "%lu %.40s%s", (unsigned long)n, thing, n == 1 ? "" : "s");
    return out->text;
}

const char *cli_all(cli_counted *out, size_t n, const char *thing)
{
    if (n == 1) snprintf(out->text, sizeof out->text, "the only %.40s", thing);
    else snprintf(out->text, sizeof out->text, "all %lu %.40ss", (unsigned long)n, thing);
    return out->text;
}

static void *cli_must(void *pointer)
{
    if (!pointer) {
        fputs("bayeslin: out of memory\n", stderr);
        exit(CLI_FAILED);
    }
    return pointer;
}

void *cli_memory(size_t count, size_t unit)
{
    return cli_must(calloc(count ? count : 1, unit));
}

void *cli_grow(void *pointer, size_t count, size_t unit)
{
    /* No array has more than half of the address space, and none grows to more than twice its size at once. */
    return cli_must(CLI_NEVER(count > (size_t)-1 / unit) ? NULL : realloc(pointer, count*unit));
}

char *cli_copy(const char *text)
{
    const size_t n = strlen(text) + 1;
    return (char *)memcpy(cli_memory(n, 1), text, n);
}
