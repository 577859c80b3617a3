/* progress: a line ten times a second at most */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PROGRESS_WIDTH = 78, PROGRESS_LOOK = 100 };

progress progress_start(const char *label)
{
    progress p;
    memset(&p, 0, sizeof p);
    p.on = isatty(STDERR_FILENO);
    p.began = system_clock();
    p.shown = p.began - 1.0;
    snprintf(p.label, sizeof p.label, "%s", label);
    return p;
}

static void progress_show(progress *p, const char *line, double clock)
{
    p->shown = clock;
    fprintf(stderr, "\r%-*.*s", PROGRESS_WIDTH, PROGRESS_WIDTH, line);
    fflush(stderr);
}

bln_status progress_monitor(void *user, const bln_slm_progress *now)
{
    progress *p = (progress *)user;
    const double clock = p->on ? system_clock() : 0.0;
    char line[200];
    p->objective = bln_scaler_logp_back(p->scaler, p->n, now->objective);
    if (!p->on || clock - p->shown < 0.1) return BLN_OK;
    snprintf(line, sizeof line, "%s%sstart %lu/%lu  iteration %lu  objective %.6g  %.1f s", p->label, p->label[0] ? "  " : "",
             (unsigned long)now->start + 1, (unsigned long)now->starts, (unsigned long)now->iteration, p->objective,
             clock - p->began);
    progress_show(p, line, clock);
    return BLN_OK;
}

static void progress_look(progress *p, const bln_chains *chains)
{
    const size_t draws = bln_chains_draws(chains);
    bln_diagnosis d;
    if (draws < PROGRESS_LOOK || draws < p->seen + p->seen/2) return;
    p->seen = draws;
    if (bln_chains_diagnose(chains, NULL, &d, NULL) == BLN_OK && d.rhat == d.rhat)
        snprintf(p->draws, sizeof p->draws, "  R-hat %.3f  ESS %.0f", d.rhat, fmin(d.ess_bulk, d.ess_tail));
}

/* Has Ctrl-C been pressed since the program began to wait for it? A handler may write to nothing else. */
static volatile sig_atomic_t progress_pressed;

static void progress_press(int which)
{
    progress_pressed = 1;
    signal(which, SIG_DFL);
}

/* nohup and background jobs of scripts start the program with the signal ignored, and it stays so. */
static void progress_watch(progress *p)
{
    progress_pressed = 0;
    p->keeps = 0;
    p->watches = signal(SIGINT, SIG_IGN) != SIG_IGN;
    if (p->watches) signal(SIGINT, progress_press);
}

int progress_ends(progress *p)
{
    const int pressed = p->watches && progress_pressed;
    if (p->watches) signal(SIGINT, SIG_DFL);
    p->keeps = p->watches = 0;
    return pressed;
}

static void progress_show_draws(progress *p, const bln_glm_progress *now)
{
    const double clock = p->on ? system_clock() : 0.0;
    char line[200];
    if (p->on) progress_look(p, now->chains);
    if (!p->on || clock - p->shown < 0.1) return;
    snprintf(line, sizeof line, "%s%stransition %lu/%lu  %lu diverged%s  %.1f s", p->label, p->label[0] ? "  " : "",
             (unsigned long)now->iteration, (unsigned long)now->transitions, (unsigned long)now->divergent, p->draws,
             clock - p->began);
    progress_show(p, line, clock);
}

bln_status progress_draws(progress *p, const bln_glm_progress *now)
{
    if (p->keeps && now->chains) progress_watch(p);
    progress_show_draws(p, now);
    return p->watches && progress_pressed ? BLN_ESTOPPED : BLN_OK;
}

void progress_stage(progress *p, const char *name)
{
    snprintf(p->label, sizeof p->label, "%s", name);
    p->passes = 0;
    p->objective = NAN;
}

void progress_pass(progress *p)
{
    p->passes++;
    p->pass_began = system_clock();
}

void progress_rows(progress *p, const char *doing, size_t n, double share)
{
    const double clock = p->on ? system_clock() : 0.0;
    char line[200], objective[40] = "";
    if (!p->on || clock - p->shown < 0.1) return;
    const double rate = (double)n/(clock - p->pass_began + 1e-9);
    if (!doing && !isnan(p->objective)) snprintf(objective, sizeof objective, "  objective %.8g", p->objective);
    if (doing) snprintf(line, sizeof line, "%s  %.0f %%  %.3g rows/s  %.0f s", doing, 100.0*share, rate, clock - p->began);
    else snprintf(line, sizeof line, "%s  pass %lu  %.0f %%  %.3g rows/s%s  %.0f s", p->label, (unsigned long)p->passes,
                  100.0*share, rate, objective, clock - p->began);
    progress_show(p, line, clock);
}

void progress_wipe(progress *p)
{
    if (!p->on) return;
    fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH, "");
    fflush(stderr);
}
