/* flat_spec: what a fit must know of the text of a basis */
#include "flat_private.h"

/* Is the text [p, p + n), without blanks around it, this word? */
static int flat_is(const char *p, size_t n, const char *word)
{
    while (n && *p == ' ') { p++; n--; }
    while (n && p[n - 1] == ' ') n--;
    return strlen(word) == n && !strncmp(p, word, n);
}

/* One term [p, p + n) at `to` without its constant; *ones: has it one? Returns the end. */
static char *flat_put_apart(char *to, int first, const char *p, size_t n, int *ones)
{
    const char *colon = (const char *)memchr(p, ':', n), *end = p + n, *mark = ":";
    const size_t name = colon ? (size_t)(colon - p) : n;
    const int may = flat_is(p, name, "linear") || flat_is(p, name, "polynomial") || flat_is(p, name, "legendre");
    *ones = may;
    if (flat_is(p, name, "bias")) { *ones = 1; return to; }
    to += sprintf(to, "%s%.*s%s", first ? "" : "+", (int)name, p, may ? ":ones=0" : "");
    if (may) mark = ",";
    while (colon) {
        const char *option = colon + 1, *comma = (const char *)memchr(option, ',', (size_t)(end - option));
        const char *stop = comma ? comma : end, *equals = (const char *)memchr(option, '=', (size_t)(stop - option));
        if (may && flat_is(option, (size_t)((equals ? equals : stop) - option), "ones"))
            *ones = !equals || !flat_is(equals + 1, (size_t)(stop - equals - 1), "0");
        else {
            to += sprintf(to, "%s%.*s", mark, (int)(stop - option), option);
            mark = ",";
        }
        colon = comma;
    }
    return to;
}

/* The SPEC with one constant as its last term, if any term had one, or always: standardising takes the mean off y, which is an
 * intercept and gets a flat prior of its own. To be freed. */
static char *flat_intercept_apart(const char *spec, int always, int *constant)
{
    char *out = (char *)malloc(9*strlen(spec) + 32), *to = out;
    *constant = always;
    if (!out) return NULL;
    *to = '\0';
    for (const char *p = spec;; p++) {
        const size_t n = strcspn(p, "+");
        int ones;
        to = flat_put_apart(to, to == out, p, n, &ones);
        *constant |= ones;
        p += n;
        if (!*p) break;
    }
    if (*constant) strcpy(to, to == out ? "bias" : "+bias");
    return out;
}

/* group[i] = 1 for the columns that by= names: numbers of groups, which are not to be scaled. */
static void flat_groups(const bayeslin_model *model, const char *spec, char *group)
{
    memset(group, 0, model->d);
    for (const char *p = spec; (p = strpbrk(p, ":,")) != NULL;) {
        p++;
        const size_t n = strcspn(p, ":,+");
        const char *equals = (const char *)memchr(p, '=', n);
        if (!equals || !flat_is(p, (size_t)(equals - p), "by")) continue;
        for (size_t i = 0; i < model->d; i++) {
            char number[32];
            sprintf(number, "%lu", (unsigned long)i);
            const char *name = model->names ? model->names[i] : number;
            const size_t length = n - (size_t)(equals + 1 - p);
            if (flat_is(equals + 1, length, name) || flat_is(equals + 1, length, number)) { group[i] = 1; break; }
        }
    }
}

/* names=a;b;c. */
static int flat_names(bayeslin_model *model, const char *text, const flat_message *m)
{
    const size_t length = strlen(text) + 1;
    size_t n = 0;
    model->names = (const char **)malloc(model->d*sizeof *model->names + length);
    if (!model->names) return flat_memory(m);
    char *copy = (char *)(void *)(model->names + model->d);
    memcpy(copy, text, length);
    for (char *word = copy, *end; word; word = end) {
        end = strchr(word, ';');
        if (end) *end++ = '\0';
        if (n < model->d) model->names[n] = flat_trim(word);
        if (n < model->d && !*model->names[n]) return flat_fail(m, BLN_EINVAL, "names: column %lu has none", (unsigned long)n);
        n++;
    }
    if (n != model->d)
        return flat_fail(m, BLN_ESHAPE, "names: %lu of them for %lu columns", (unsigned long)n, (unsigned long)model->d);
    return 0;
}
