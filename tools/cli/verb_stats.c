/* stats: sufficient statistics of a table */
#include "help.h"
#include "output.h"
#include "stats.h"
#include "verbs.h"
#include <string.h>

const cli_text verb_stats_text = {
    "usage: bayeslin stats DATA.csv ((--target COL | --outputs A,B) --basis SPEC | --formula F) -o STATS\n"
    "                      [--seed S] [--prior flat] [--weights COL] [--noise-var COL]\n"
    "                      [--offset COL] [--no-scale] [--ignore COL]... [--missing drop] [--sep SEP]\n"
    "                      [--number COL]... [--factor COL]... [--date COL[=PIECES]]... [--na TOKEN]...\n"
    "                      [--decimal MARK] [--arithmetic A]\n"
    "       bayeslin stats DATA.csv --like FILE -o STATS [--unseen zero] [--missing drop] [--sep SEP]\n",
    "\n"
    "Writes what a fit needs to know of the rows of DATA.csv, as sums that can be merged; its size\n"
    "does not depend on the number of rows, nor does the memory it takes.\n"
    "\n"
    "  bayeslin stats part1.csv --target price --basis linear -o part1.stats\n"
    "  bayeslin stats part2.csv --like part1.stats -o part2.stats\n"
    "\n"
    "  --like FILE         statistics or a model: the same columns, words, standardising, basis and\n"
    "                      basis parameters\n"
    "  -o STATS            the file to write; also --output\n"
    "  --unseen zero       a word that FILE does not have is none of its own (all indicators 0);\n"
    "                      a group that it does not have is none: FILE must have all of them\n"
    "  --prior flat        as in `bayeslin fit`; likewise --target, --outputs, --basis, --seed,\n"
    "                      --weights, --noise-var, --offset, --no-scale, --ignore, --arithmetic\n"
    HELP_COLUMNS HELP_TABLE
    "\n"
    "More: bayeslin help large.\n"
};

int verb_stats(const options *o, cli_why *why)
{
    stats s;
    stream rows;
    progress p = progress_start("");
    memset(&s, 0, sizeof s);
    memset(&rows, 0, sizeof rows);
    int status = output_check(o, why);
    if (!status && o->like) status = stats_like(o->like, &s, why);
    if (!status) status = stream_open(o, o->like ? &s.m.cols : NULL, STREAM_SOME, &p, &rows, why);
    if (!status && !o->like) status = stats_of_rows(o, &rows, &s, why);
    if (!status) status = stats_add(&s, &rows, why);
    if (!status) status = stats_save(&s, o->output, why);
    if (!status) stats_print(&s, o->output, &o->to);
    stream_close(&rows);
    stats_free(&s);
    return status;
}
