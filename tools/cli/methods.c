/* methods: the library's methods, of which the tool knows the cards listed here */
#include "methods.h"
#include "number.h"
#include <string.h>

static const bln_glm_card *(*const methods[])(void) = {
    bln_glm_laplace_card,
    bln_glm_full_card,
    bln_glm_integrated_card,
    bln_glm_nuts_card,
    bln_glm_gibbs_card,
    bln_glm_cavi_card,
    bln_glm_mixture_card,
    bln_glm_npv_card,
    bln_glm_sgvi_card,
    bln_glm_map_card
};
enum { N_METHODS = sizeof methods/sizeof *methods };

const bln_glm_card *methods_find(const char *name)
{
    for (size_t k = 0; k < N_METHODS; k++) if (!strcmp(methods[k]()->name, name)) return methods[k]();
    return NULL;
}

const bln_option *methods_option(const bln_glm_card *card, const char *name)
{
    for (size_t i = 0; i < card->n_options; i++) if (!strcmp(card->options[i].name, name)) return card->options + i;
    return NULL;
}

const bln_option *methods_any_option(const char *name)
{
    for (size_t k = 0; k < N_METHODS; k++)
        if (methods_option(methods[k](), name)) return methods_option(methods[k](), name);
    return NULL;
}

/* Appends a word to a list "a, b or c". */
static void methods_say(char out[METHODS_LIST], const char *word, int last)
{
    const size_t used = strlen(out);
    snprintf(out + used, METHODS_LIST - used, "%s%s", !used ? "" : last ? " or " : ", ", word);
}

const char *methods_list(const char *option, unsigned traits, char out[METHODS_LIST])
{
    const char *before = "";                            /* each option and trait that is asked for has a method */
    out[0] = '\0';
    for (size_t k = 0; k < N_METHODS; k++) {
        const bln_glm_card *card = methods[k]();
        if ((option && !methods_option(card, option)) || (card->traits & traits) != traits) continue;
        if (*before) methods_say(out, before, 0);
        before = card->name;
    }
    methods_say(out, before, 1);
    return out;
}

const char *methods_set(const bln_option *option, const char *value, void *own, char wanted[METHODS_LIST])
{
    void *place = (char *)own + option->offset;
    size_t k = 0;
    double number = 0.0;
    switch (option->kind) {
    case BLN_OPTION_COUNT:
        return number_count(value, (size_t *)place) ? NULL : "a whole number from 1";
    case BLN_OPTION_POSITIVE:
        if (number_read(value, &number) != NUMBER_VALUE || !(number > 0.0)) return "a number above 0";
        *(double *)place = number;
        return NULL;
    default:                                                   /* BLN_OPTION_WORD */
        while (option->words[k] && strcmp(option->words[k], value)) k++;
        if (option->words[k]) { *(int *)place = (int)k; return NULL; }
        wanted[0] = '\0';
        for (k = 0; option->words[k]; k++) methods_say(wanted, option->words[k], !option->words[k + 1]);
        return wanted;
    }
}

/* Lines of text, of which all but the first are indented. */
static void methods_lines(const char *text, int indent, FILE *file)
{
    for (; *text; text++) {
        fputc(*text, file);
        if (*text == '\n') fprintf(file, "%*s", indent, "");
    }
    fputc('\n', file);
}

void methods_help(FILE *file)
{
    enum { INDENT = 16 };
    char list[METHODS_LIST];
    for (size_t k = 0; k < N_METHODS; k++) {
        fprintf(file, "    %-*s", INDENT - 4, methods[k]()->name);
        methods_lines(methods[k]()->help, INDENT, file);
    }
    fputc('\n', file);
    for (size_t k = 0; k < N_METHODS; k++) {
        const bln_glm_card *card = methods[k]();
        for (size_t i = 0; i < card->n_options; i++) {
            const bln_option *option = card->options + i;
            if (methods_any_option(option->name) != option) continue;                    /* shown with the first that has it */
            fprintf(file, "  --%-*s", INDENT - 4, option->name);
            methods_lines(option->help, INDENT, file);
            fprintf(file, "%*s(%s%s%s)\n", INDENT, "", methods_list(option->name, 0, list), option->beside ? "; beside --" : "",
                    option->beside ? option->beside : "");
        }
    }
}
