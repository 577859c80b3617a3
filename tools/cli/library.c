/* library: the one file of the tool that holds the library's implementation, and so the one that can lend its private functions */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "saving.h"

struct saving { blni_saving file; };

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
    return s;
}

int saving_end(saving *s)
{
    const int good = blni_save_end(&s->file, NULL) == BLN_OK, why = errno;
    free(s);
    errno = why;
    return good;
}

void saving_drop(saving *s)
{
    blni_save_drop(&s->file);
    free(s);
}
