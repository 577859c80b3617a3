/* answer: the frame around what verbs say in JSON */
#include "answer.h"
#include "library.h"
#include <stdarg.h>

void say(const cli_answer *to, const char *format, ...)
{
    va_list list;
    if (!to->text) return;
    va_start(list, format);
    vfprintf(to->text, format, list);
    va_end(list);
}

void say_name(const cli_answer *to, const char *name)
{
    if (to->text) cli_print(to->text, name);
}

void answer_begin(cli_answer *to, const char *verb)
{
    to->text = NULL;
    to->json = json_create();
    json_object(to->json, NULL);
    json_text(to->json, "bayeslin", BLN_VERSION);
    json_count(to->json, "format", ANSWER_FORMAT);
    json_text(to->json, "verb", verb);
}

void answer_end(cli_answer *to, const char *verb, int status, const cli_why *why)
{
    size_t n;
    if (status && status != CLI_DOUBT) {                     /* no half answers */
        json_free(to->json);
        answer_begin(to, verb);
        json_text(to->json, "error", why->text);
    } else if (status) json_text(to->json, "doubt", why->text);
    json_count(to->json, "status", (uint64_t)status);
    json_array(to->json, "notes");
    for (size_t i = 0; cli_noted(i); i++) json_text(to->json, NULL, cli_noted(i));
    const char *text = json_finish(to->json, &n);
    fwrite(text, 1, n, stdout);
    json_free(to->json);
    to->json = NULL;
}
