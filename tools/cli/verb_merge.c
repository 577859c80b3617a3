/* merge: adds up files of `bayeslin stats` */
#include "output.h"
#include "stats.h"
#include "verbs.h"
#include <string.h>

const cli_text verb_merge_text = {
    "usage: bayeslin merge STATS STATS... -o STATS\n",
    "\n"
    "Adds up files of `bayeslin stats` that are alike. The result may be merged again; -o may be\n"
    "one of the files that are read.\n"
    "\n"
    "  bayeslin merge part1.stats part2.stats -o all.stats\n"
    "\n"
    "More: bayeslin help large.\n"
};

int verb_merge(const options *o, cli_why *why)
{
    stats all, part;
    memset(&all, 0, sizeof all);
    int status = output_check(o, why);
    if (!status) status = stats_load(o->files[0], &all, why);
    for (size_t i = 1; i < o->n_files && !status; i++) {
        status = stats_load(o->files[i], &part, why);
        if (status) break;
        status = stats_merge(&all, &part, o->files[0], o->files[i], why);
        stats_free(&part);
    }
    if (!status) status = stats_save(&all, o->output, why);
    if (!status) stats_print(&all, o->output, &o->to);
    stats_free(&all);
    return status;
}
