/* manual_verbs: the middle of amalgamate.c that writes the manual's tables of verbs and of questions, from the lists of
 * manual_tables.h and what is defined; it stops where these differ */

static int needed[N_HOLES];                                      /* the reasons that found their hole */

/* Is `word` one of the words of the list, which blanks separate? */
static int is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && !strncmp(at, word, length)) return 1;
    return 0;
}

static int model_has(int model, const char *verb)
{
    char name[LINE];
    snprintf(name, sizeof name, "bln_%s_%s", models[model], verb);
    return defined_in(name) >= 0;
}

/* The declaration of a public function, from its name on, over as many lines as it takes. Empty: no header has it. */
static void declaration_of(const char *name, char *out, size_t size)
{
    char line[LINE], found[80];
    *out = '\0';
    for (int i = 0; i < N_PARTS; i++) {
        FILE *f = open_part(parts[i], ".h");
        while (f && !*out && fgets(line, sizeof line, f)) {
            if (!function_of(line, found) || strcmp(found, name)) continue;
            snprintf(out, size, "%s", strstr(line, name));
            while (!strchr(out, ';') && fgets(line, sizeof line, f)) snprintf(out + strlen(out), size - strlen(out), "%s", line);
        }
        if (f) fclose(f);
    }
}

/* The names of the arguments of bln_model_verb, as "(desc, model, report)": that of the model itself is `model` in all. */
static void arguments_of(int model, const char *verb, char *out, size_t size)
{
    char name[80], text[LINE], type[80];
    snprintf(name, sizeof name, "bln_%s_%s", models[model], verb);
    snprintf(type, sizeof type, "bln_%s *", models[model]);
    declaration_of(name, text, sizeof text);
    char *at = strchr(text, '('), *close = at ? strchr(at, ')') : NULL;
    snprintf(out, size, "(");
    if (!close) { fail(name, "has no declaration", ""); return; }
    *close = '\0';
    for (at = strtok(at + 1, ","); at; at = strtok(NULL, ",")) {
        const char *word = at + strlen(at), *self = strstr(at, type);
        while (word > at && is_word(word[-1])) word--;
        snprintf(out + strlen(out), size - strlen(out), "%s%s", out[1] ? ", " : "",
                 self && self[strlen(type)] != '*' ? "model" : word);
    }
    snprintf(out + strlen(out), size - strlen(out), ")");
    if (!strcmp(out, "(void)")) snprintf(out, size, "()");
}

/* The reason that stands for a verb and a model, or NULL. */
static const char *hole(const char *verb, int model)
{
    for (int i = 0; i < N_HOLES; i++)
        if (!strcmp(holes[i].verb, verb) && !strcmp(holes[i].model, models[model])) { needed[i] = 1; return holes[i].why; }
    return NULL;
}

/* Writes `text` behind column `from`, broken at blanks before column 130. *column is where the line stands. */
static void flow(const char *text, int from, int *column)
{
    for (const char *at = text; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        if (*column + 1 + length > 130) *column = printf("\n *     %*s", from - 7, "") - 1;
        *column += printf("%s%.*s", *column > from ? " " : "", length, at);
    }
}

/* The row's first verb; all its verbs as "_a _b" (LINE). Verbs of a row must be had by the same models, with the same arguments. */
static void row_names(const char *row, char *first, char *all)
{
    char text[LINE], verb[80], mine[LINE], theirs[LINE];
    *all = *first = '\0';
    for (const char *at = row; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        snprintf(verb, sizeof verb, "%.*s", (int)strcspn(at, " "), at);
        if (!*first) strcpy(first, verb);
        snprintf(all + strlen(all), LINE - strlen(all), "%s_%s", *all ? " " : "", verb);
        for (int m = 0; m < N_MODELS; m++) {
            snprintf(text, sizeof text, "%.40s %.40s", models[m], verb);
            if (model_has(m, verb) != model_has(m, first)) { fail("verbs", "of one row differ:", text); continue; }
            if (!model_has(m, verb)) continue;
            arguments_of(m, first, mine, sizeof mine);
            arguments_of(m, verb, theirs, sizeof theirs);
            if (strcmp(mine, theirs)) fail("verbs", "of one row differ in their arguments:", text);
        }
    }
}

/* A row: its verbs, which models have them, the arguments, and a reason for each that has not, or not with these. */
static void verb_row(const char *row)
{
    char verb[80], all[LINE], arguments[LINE] = "", own[LINE], text[LINE];
    int said = 0;
    row_names(row, verb, all);
    int column = printf(" *     %-30s", all);
    for (int m = 0; m < N_MODELS; m++) column += printf(" %*s", -(int)strlen(headings[m]), model_has(m, verb) ? "x" : "-");
    for (int m = 0; m < N_MODELS && !*arguments; m++)
        if (model_has(m, verb)) arguments_of(m, verb, arguments, sizeof arguments);
    column += printf("  ");
    const int from = column;
    flow(arguments, from, &column);
    for (int m = 0; m < N_MODELS; m++) {
        int differs = !model_has(m, verb);
        if (!differs) { arguments_of(m, verb, own, sizeof own); differs = strcmp(own, arguments) != 0; }
        const char *why = differs ? hole(verb, m) : NULL;
        snprintf(text, sizeof text, "%.40s %.40s", models[m], verb);
        if (differs && !why) fail("verbs", "no reason why a model lacks it, or has other arguments:", text);
        if (!why || !strncmp(why, "as _", 4)) continue;
        snprintf(text, sizeof text, "%s: %s.", headings[m], why);
        if (!said++) column += printf(" ");
        flow(text, from, &column);
    }
    putchar('\n');
}

/* The model that a public function belongs to, by the longest name that fits, and its verb; or -1. */
static int model_of(const char *function, const char **verb)
{
    int model = -1;
    size_t longest = 0;
    for (int m = 0; m < N_MODELS; m++) {
        const size_t length = strlen(models[m]);
        if (length <= longest || strncmp(function, "bln_", 4) || strncmp(function + 4, models[m], length)
            || function[4 + length] != '_') continue;
        model = m;
        longest = length;
        *verb = function + 5 + length;
    }
    return model;
}

static int in_table(const char *verb)
{
    for (int r = 0; r < N_VERB_ROWS; r++) if (is_listed(verb_rows[r], verb)) return 1;
    return 0;
}

/* What only one model has, in a line for each. What two have belongs into the table. */
static void own_verbs(int model)
{
    const char *verb = "";
    char text[LINE];
    int column = printf(" *     only %-11s", headings[model]);
    const int from = column;
    for (int i = 0; i < n_functions; i++) {
        if (model_of(functions[i].name, &verb) != model || in_table(verb)) continue;
        for (int m = 0; m < N_MODELS; m++)
            if (m != model && model_has(m, verb)) fail("verbs", "models share a verb that the table lacks:", verb);
        snprintf(text, sizeof text, "_%s", verb);
        flow(text, from, &column);
    }
    putchar('\n');
}

static void verb_table(void)
{
    printf(" *     %-30s", "bln_MODEL_x");
    for (int m = 0; m < N_MODELS; m++) printf(" %s", headings[m]);
    puts("  arguments; why not");
    for (int r = 0; r < N_VERB_ROWS; r++) verb_row(verb_rows[r]);
    for (int m = 0; m < N_MODELS; m++) own_verbs(m);
    for (int i = 0; i < N_HOLES; i++) if (!needed[i]) fail("verbs", "a reason without a hole:", holes[i].why);
}

/* Each question of the list is a function, and each function is in the list once. */
static void check_questions(void)
{
    const char prefix[] = "bln_posterior_";
    char name[LINE];
    for (int i = 0; i < n_functions; i++) {
        const char *word = functions[i].name + strlen(prefix), *tail = strstr(functions[i].name, "_work");
        int times = 0;
        if (strncmp(functions[i].name, prefix, strlen(prefix)) || (tail && !tail[5])) continue;
        for (int k = 0; k < N_QUESTIONS; k++) times += is_listed(questions[k].names, word);
        if (times != 1) fail("questions", "must have once:", functions[i].name);
    }
    for (int k = 0; k < N_QUESTIONS; k++)
        for (const char *at = questions[k].names; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
            snprintf(name, sizeof name, "%s%.*s", prefix, (int)strcspn(at, " "), at);
            if (defined_in(name) < 0) fail("questions", "no such function:", name);
        }
}

static void question_table(void)
{
    char text[LINE];
    check_questions();
    for (int k = 0; k < N_QUESTIONS; k++) {
        int column = printf(" *     %-11s", questions[k].kinds);
        const int from = column;
        for (const char *at = questions[k].names; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
            snprintf(text, sizeof text, "_%.*s", (int)strcspn(at, " "), at);
            flow(text, from, &column);
        }
        if (*questions[k].why) column += printf(":");
        flow(questions[k].why, from, &column);
        putchar('\n');
    }
}
