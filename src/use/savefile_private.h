#ifndef BLN_USE_SAVEFILE_PRIVATE_H
#define BLN_USE_SAVEFILE_PRIVATE_H
/* savefile_private: files that replace the old ones at once, for model files and the tool; savefile.c explains how */
#include "../core/status_private.h"

#ifndef BAYESLIN_NO_STDIO
enum {
    BLNI_SAVE_PATH = 4096,        /* most bytes of a path, its 0 included              */
    BLNI_SAVE_NAME = 21           /* "bln-", twelve random characters, ".tmp" and a 0  */
};

/* The functions of the system that saving uses: a table, so that tests can have a disk that fails or loses power. All return 0 on
 * failure, with the reason in errno where there is one. */
typedef struct blni_disk {
    /* Replaces path, which has room for BLNI_SAVE_PATH bytes, by what its links lead to. *direct: is that no plain file, so that it
     * must be written into? NULL: there are no links. */
    int   (*aim)(void *user, char *path, int *direct);
    /* Creates a file, with the mode of `like` if that exists. *taken: does something of this name exist? It stays as it is. */
    void *(*create)(void *user, const char *path, const char *like, int *taken);
    void *(*open)(void *user, const char *path);                       /* opens what is not a plain file for writing         */
    int   (*write)(void *user, void *file, const void *bytes, size_t n);
    int   (*sync)(void *user, void *file);                             /* all that was written is on the disk                */
    int   (*close)(void *user, void *file);                            /* in any case; fails if something was not written    */
    int   (*replace)(void *user, const char *from, const char *to);    /* `from` is now called `to`, or nothing has changed  */
    void  (*remove)(void *user, const char *path);
    void  (*settle)(void *user, const char *path);                     /* syncs the folder of path, after a renaming, or NULL */
    void   *user;
} blni_disk;

/* A save in progress. `file` is the open file; on the disk of this system it is a FILE. */
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
