/* info: what a model file holds */
#include "summary.h"
#include "verbs.h"

const cli_text verb_info_text = {
    "usage: bayeslin info MODEL [--interval 0.95] [--all] [--reference COL=WORD,...]\n"
    "                     [--contrast COL=A-B,...] [--covariance]\n",
    "\n"
    "Prints what a model file holds: the figures of the fit (see `bayeslin help\n"
    "figures`), words, and the coefficients with their standard deviation and\n"
    "interval.\n"
    "\n"
    "  bayeslin info houses.bln\n"
    "\n"
    "  --interval P        probability of lower..upper (default 0.95)\n"
    "  --all               every coefficient; by default those of linear terms and constants,\n"
    "                      or all if there are at most 40; effects of groups are among the others\n"
    "\n"
    "  --reference COL=WORD    the word that the others of its column are compared with (default:\n"
    "                      the first, of numbers the smallest); several with commas between them\n"
    "  --contrast COL=A-B  also the difference of two words; COL=A-mean: of a word and the mean of\n"
    "                      all; COL=mean: this of each; several with commas between them\n"
    "  --covariance        instead: the covariance of the coefficients, as CSV\n"
    "\n"
    "  bayeslin info m.bln --reference zone=b --contrast zone=c-a,sex=mean\n"
    "  bayeslin info m.bln --covariance > covariance.csv\n"
    "\n"
    "Coefficients with units `data` are for one unit of the input: of x, x^2, x * z, even if the\n"
    "fit has standardised these. `zone: b - a` is the difference that word b makes in place of a,\n"
    "beside numbers in a product at 0 and other words at their reference; `(zone: b - a) * x` is\n"
    "the difference of slopes. (intercept) is f where numbers are 0 and words the reference. Each\n"
    "has the interval of the difference itself, by the joint posterior. Others are `standardised`:\n"
    "of features of the standardised inputs, for the standardised target. With --prior\n"
    "flat alone all are in units of the data and have 15 digits. lower..upper is normal,\n"
    "mean -+ 1.96 sd for 0.95, or, with --integrate, from quantiles of Student's t.\n"
};

static void info_columns(const model *m, const cli_answer *to)
{
    cli_shown shown;
    json_array(to->json, "words");
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *one = &m->cols.column[i];
        if (!one->words) continue;
        say(to, "%-16s %s:", one->group ? "groups of" : "words of", cli_show(&shown, one->name));
        for (size_t k = 0; k < one->n_words; k++) say(to, "%s %s", k ? "," : "", cli_show(&shown, one->words[k]));
        say(to, "\n");
        json_object(to->json, NULL);
        json_text(to->json, "column", one->name);
        json_flag(to->json, "group", one->group);
        json_texts(to->json, "words", one->n_words, (const char *const *)one->words);
        json_end(to->json);
    }
    json_end(to->json);
}

int verb_info(const options *o, cli_why *why)
{
    model m;
    int status = model_load(o->model, &m, why);
    if (status) return status;
    if (o->covariance) status = summary_covariance(&m, o, stdout, why);
    else {
        json_number(o->to.json, "interval", o->interval);
        summary_print(&m, o->interval, &o->to);
        info_columns(&m, &o->to);
        reading_print(m.cols.how, &o->to);
        status = summary_coefficients(&m, o, why);
    }
    model_free(&m);
    return status;
}
