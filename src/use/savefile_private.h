#ifndef BLN_USE_SAVEFILE_PRIVATE_H
#define BLN_USE_SAVEFILE_PRIVATE_H
/* savefile_private: files that take their place at once, for model files and for the tool; what it does stands in savefile.c */
#include "../core/status_private.h"

#ifndef BAYESLIN_NO_STDIO
enum {
    BLNI_SAVE_PATH = 4096,        /* bytes of a path, with its 0                       */
    BLNI_SAVE_NAME = 21           /* "bln-", twelve characters by chance, ".tmp" and 0 */
};

/* What saving asks of the system: a table, so that tests can have a disk that fails, or loses its power. All return 0 on failure,
 * with the reason in errno where there is one. */
typedef struct blni_disk {
    /* Follows the links of path, which has room for BLNI_SAVE_PATH bytes. *direct: it is no plain file, to be written into. */
    int   (*aim)(void *user, char *path, int *direct);
    /* A new file, with the mode of `like` if there is one. *taken: there is something of this name, which stays as it is. */
    void *(*create)(void *user, const char *path, const char *like, int *taken);
    void *(*open)(void *user, const char *path);                       /* what is no plain file, to write into it            */
    int   (*write)(void *user, void *file, const void *bytes, size_t n);
    int   (*sync)(void *user, void *file);                             /* all that was written is on the disk                */
    int   (*close)(void *user, void *file);                            /* in any case; fails if something was not written    */
    int   (*replace)(void *user, const char *from, const char *to);    /* `from` is now called `to`, or nothing has changed  */
    void  (*remove)(void *user, const char *path);
    void  (*settle)(void *user, const char *path);                     /* what was renamed in the folder of path stays so    */
    void   *user;
} blni_disk;

/* One file on its way. `file`: where to write to; of the disk of this system it is a FILE. */
typedef struct blni_saving {
    const blni_disk *disk;
    void            *file;
    char             target[BLNI_SAVE_PATH];                           /* what will be replaced                              */
    char             beside[BLNI_SAVE_PATH + BLNI_SAVE_NAME];          /* what is written; "": the target itself             */
} blni_saving;

#ifdef BLNI_SEPARATE
extern const blni_disk blni_disk_plain;
#endif

/* savefile */
BLNI_PRIV bln_status blni_save_begin(blni_saving *s, const blni_disk *disk, const char *path, bln_report *report);
BLNI_PRIV bln_status blni_save_write(void *saving, const void *bytes, size_t n);
BLNI_PRIV bln_status blni_save_end(blni_saving *s, bln_report *report);
BLNI_PRIV void blni_save_drop(blni_saving *s);
#endif

#endif /* BLN_USE_SAVEFILE_PRIVATE_H */
