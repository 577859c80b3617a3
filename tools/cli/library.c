/* library: the one file of the tool with the library's implementation; only here can its private functions be called */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "saving.h"
#include "why.h"

struct saving { blni_saving file; saving *next; };
static saving *saving_open;                    /* all that have begun */
static int saving_known;                       /* is saving_drop_all registered with atexit? */

/* If memory runs out the program exits in the middle of its work; files that are still being written are then dropped. */
static void saving_drop_all(void) { while (saving_open) saving_drop(saving_open); }

static void saving_leave(const saving *s)
{
    saving **at = &saving_open;
    while (CLI_NEVER(*at != s)) at = &(*at)->next;                /* the tool writes one file at a time */
    *at = s->next;
}

saving *saving_begin(const char *path, FILE **file)
{
    saving *s = (saving *)malloc(sizeof *s);
    errno = 0;
    *file = NULL;
    if (!s || blni_save_begin(&s->file, NULL, path, NULL) != BLN_OK) {
        const int why = errno;
        free(s);
        errno = why;
        return NULL;
    }
    *file = (FILE *)s->file.file;
    if (!saving_known++) atexit(saving_drop_all);
    s->next = saving_open;
    saving_open = s;
    return s;
}

int saving_end(saving *s)
{
    const int good = blni_save_end(&s->file, NULL) == BLN_OK, why = errno;
    saving_leave(s);
    free(s);
    errno = why;
    return good;
}

void saving_drop(saving *s)
{
    blni_save_drop(&s->file);
    saving_leave(s);
    free(s);
}
