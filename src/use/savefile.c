/* savefile: writes a new file beside the old one, syncs it, and renames it
 *
 * The bytes go to a file that this call creates under a random name in the folder of the old one: two processes that save to one
 * path never share it, and if something of that name exists, such as a link or a pipe, another name is tried. The content is on the
 * disk before the file takes the name of the old one, and the folder is synced after that: a loss of power at any moment leaves the
 * old bytes or the new ones. A failure before the renaming removes the new file. After it nothing fails: a system that cannot sync
 * a folder may bring the old file back after a loss of power, but never anything else.
 *
 * The functions of a system are in a table. There are three: of POSIX, of Windows, and of C99, which has no exclusive creation (C11
 * has), no syncing, and a rename that may refuse to replace. */
#include "savefile_private.h"
#include "../core/bytes_private.h"

#ifndef BAYESLIN_NO_STDIO
#include <errno.h>
#include <time.h>

#if defined(_WIN32)
#define BLNI_DISK_WINDOWS
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#elif defined(__unix__) || defined(__unix) || defined(__APPLE__)
#define BLNI_DISK_POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#endif

enum { BLNI_SAVE_LINKS = 40, BLNI_SAVE_ATTEMPTS = 100 };      /* followed, and names that are tried */

/* ---- C99 ---- */

BLNI_PRIV int blni_plain_exists(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* Before C11 another process can take the name between the two calls; chance is what keeps them apart. */
BLNI_PRIV void *blni_plain_create(void *user, const char *path, const char *like, int *taken)
{
    *taken = blni_plain_exists(path);
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L) || (defined(__cplusplus) && __cplusplus >= 201703L)
    return *taken ? NULL : fopen(path, "wbx");
#else
    return *taken ? NULL : fopen(path, "wb");
#endif
}

BLNI_PRIV void *blni_plain_open(void *user, const char *path) { return fopen(path, "wb"); }

BLNI_PRIV int blni_plain_write(void *user, void *file, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)file) == n;
}

/* As far as C99 can: the bytes are the system's. */
BLNI_PRIV int blni_plain_sync(void *user, void *file) { return fflush((FILE *)file) == 0 && !ferror((FILE *)file); }

BLNI_PRIV int blni_plain_close(void *user, void *file)
{
    const int whole = !ferror((FILE *)file);
    return (fclose((FILE *)file) == 0) && whole;
}

BLNI_PRIV void blni_plain_remove(void *user, const char *path) { remove(path); }

/* Puts a name by chance behind the folder of `path` in `out`. */
BLNI_PRIV void blni_save_name(const char *path, unsigned attempt, char *out)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    size_t folder = strlen(path);
#ifdef BLNI_DISK_POSIX
    while (folder && path[folder - 1] != '/') folder--;
#else
    while (folder && !strchr("/\\:", path[folder - 1])) folder--;
#endif
    /* What differs between processes, calls and attempts: nothing depends on its being hard to guess. */
    bln_writer w = bln_writer_over(NULL, NULL);
    bln_put_u32(&w, attempt);
    bln_put_u64(&w, (uint64_t)time(NULL));
#ifndef __wasi__                                                  /* which has none: its processes do not know their time */
    bln_put_u64(&w, (uint64_t)clock());
#endif
    bln_put_u64(&w, (uint64_t)(uintptr_t)&w);
#ifdef BLNI_DISK_POSIX
    bln_put_u64(&w, (uint64_t)getpid());
#endif
    memcpy(out, path, folder);
    memcpy(out + folder, "bln-", 4);
    for (size_t i = 0; i < 12; i++) out[folder + 4 + i] = digits[w.checksum >> 5*i & 31];
    memcpy(out + folder + 16, ".tmp", sizeof ".tmp");
}

/* Where rename does not replace, the old file steps aside for a moment, and back if the new one cannot take its place. */
BLNI_PRIV int blni_plain_replace(void *user, const char *from, const char *to)
{
    char aside[BLNI_SAVE_PATH + BLNI_SAVE_NAME];
    if (rename(from, to) == 0) return 1;
    const int why = errno;
    blni_save_name(to, 0, aside);
    if (!blni_plain_exists(to) || rename(to, aside) != 0) { errno = why; return 0; }
    if (rename(from, to) == 0) { remove(aside); return 1; }
    rename(aside, to);
    errno = why;
    return 0;
}

BLNI_TABLE const blni_disk blni_disk_plain = {
    NULL, blni_plain_create, blni_plain_open, blni_plain_write, blni_plain_sync, blni_plain_close, blni_plain_replace,
    blni_plain_remove, NULL, NULL
};
#define BLNI_DISK blni_disk_plain

/* ---- POSIX ---- */

#ifdef BLNI_DISK_POSIX
/* The headers of some systems hide these from a program in plain C99, and it is too late here to ask for them: others have been
 * included. C++ compilers show them. Brackets: some are macros as well. */
#if !defined(__cplusplus) && !(defined(_POSIX_C_SOURCE) && _POSIX_C_SOURCE - 0 >= 200809L)
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#endif
extern FILE   *(fdopen)(int file, const char *mode);
extern int     (fileno)(FILE *f);
extern int     (fsync)(int file);
extern int     (fchmod)(int file, mode_t mode);
extern int     (fchown)(int file, uid_t owner, gid_t group);
extern ssize_t (readlink)(const char *path, char *to, size_t room);
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif

/* O_EXCL follows no link; this is for systems that get it wrong. */
#ifdef O_NOFOLLOW
#define BLNI_NOFOLLOW O_NOFOLLOW
#else
#define BLNI_NOFOLLOW 0
#endif

/* Is there something that is no plain file? */
BLNI_PRIV int blni_posix_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* Links stay, and what they lead to is replaced, be it there or not. The system follows them where they lead to a pipe or a device,
 * some of which (/dev/stdout) have no path. */
BLNI_PRIV int blni_posix_aim(void *user, char *path, int *direct)
{
    char link[BLNI_SAVE_PATH];
    *direct = blni_posix_special(path);
    for (int i = 0; i < BLNI_SAVE_LINKS && !*direct; i++) {
        const ssize_t got = readlink(path, link, sizeof link);
        if (got < 0) return 1;                                   /* no link, or nothing there */
        const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
        const size_t n = (size_t)got, keep = slash ? (size_t)(slash - path) + 1 : 0;
        errno = ENAMETOOLONG;
        if (keep + n >= BLNI_SAVE_PATH) return 0;
        memcpy(path + keep, link, n);
        path[keep + n] = '\0';
    }
    errno = ELOOP;
    return *direct;
}

/* Owner, group and mode of the old file, as far as one may. Where the group cannot be had, its members would get what was another
 * group's: it is allowed no more than everybody. */
BLNI_PRIV void blni_posix_resemble(int file, const struct stat *old)
{
    struct stat now;
    mode_t mode = (mode_t)(old->st_mode & 0777);
    if (fstat(file, &now) != 0) return;
    int group = now.st_gid == old->st_gid;
    if (now.st_uid != old->st_uid && fchown(file, old->st_uid, old->st_gid) == 0) group = 1;
    if (!group) group = fchown(file, (uid_t)-1, old->st_gid) == 0;
    if (!group) mode = (mode_t)(mode & (0707 | ((mode & 07) << 3)));
    (void)fchmod(file, mode);                                    /* if it fails, the file stays its owner's alone */
}

/* Programs that this one starts do not inherit the file. After a failure it is closed, and the file that was created at `made`,
 * if that is not NULL, is removed. */
BLNI_PRIV FILE *blni_posix_stream(int file, const char *made)
{
    fcntl(file, F_SETFD, FD_CLOEXEC);
    FILE *f = fdopen(file, "wb");
    if (f) return f;
    const int why = errno;
    close(file);
    if (made) unlink(made);
    errno = why;
    return NULL;
}

BLNI_PRIV void *blni_posix_create(void *user, const char *path, const char *like, int *taken)
{
    struct stat old;
    *taken = 0;
    const int replaces = stat(like, &old) == 0;
    if (!replaces && errno != ENOENT) return NULL;
    /* Its owner's alone until it is known who may read it. */
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | BLNI_NOFOLLOW, replaces ? 0600 : 0666);
    if (file < 0) { *taken = (errno == EEXIST) | (errno == EINTR); return NULL; }
    if (replaces) blni_posix_resemble(file, &old);
    return blni_posix_stream(file, path);
}

/* Nothing is created or cut short here, should a plain file have come in between. */
BLNI_PRIV void *blni_posix_open(void *user, const char *path)
{
    struct stat s = BLN_ZERO;
    const int file = open(path, O_WRONLY);
    if (file < 0) return NULL;
    if ((fstat(file, &s) == 0) & !S_ISREG(s.st_mode)) return blni_posix_stream(file, NULL);
    close(file);
    errno = EEXIST;
    return NULL;
}

/* What a system says of a file that it cannot sync, as on some network or memory disks, is no failure. sync: fsync. */
BLNI_PRIV int blni_posix_settled(int file, int (*sync)(int file))
{
    int bad;
#ifdef F_FULLFSYNC
    if (fcntl(file, F_FULLFSYNC) != -1) return 1;                /* macOS: else the drive may still keep it to itself */
#endif
    do bad = sync(file); while (bad && errno == EINTR);
    return !bad || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

BLNI_PRIV int blni_posix_sync(void *user, void *file)
{
    return blni_plain_sync(user, file) && blni_posix_settled(fileno((FILE *)file), fsync);
}

BLNI_PRIV int blni_posix_replace(void *user, const char *from, const char *to) { return rename(from, to) == 0; }

BLNI_PRIV void blni_posix_settle(void *user, const char *path)
{
    char folder[BLNI_SAVE_PATH];
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    memcpy(folder, path, n);
    strcpy(folder + n, n ? "" : ".");
    const int file = open(folder, O_RDONLY);
    if (file < 0) return;
    blni_posix_settled(file, fsync);
    close(file);
}

BLNI_TABLE const blni_disk blni_disk_posix = {
    blni_posix_aim, blni_posix_create, blni_posix_open, blni_plain_write, blni_posix_sync, blni_plain_close, blni_posix_replace,
    blni_plain_remove, blni_posix_settle, NULL
};
#undef BLNI_DISK
#define BLNI_DISK blni_disk_posix
#endif

/* ---- Windows ---- */

#ifdef BLNI_DISK_WINDOWS
/* Of <windows.h>, which has too many names of its own to be included here; _WINBASE_: it has been. */
#ifndef _WINBASE_
#ifdef __cplusplus
extern "C"
#else
extern
#endif
__declspec(dllimport) int __stdcall MoveFileExA(const char *from, const char *to, unsigned long flags);
#endif

BLNI_PRIV void *blni_windows_create(void *user, const char *path, const char *like, int *taken)
{
    const int file = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    *taken = file < 0 && errno == EEXIST;
    FILE *f = file < 0 ? NULL : _fdopen(file, "wb");
    if (file >= 0 && !f) { _close(file); remove(path); }
    return f;
}

BLNI_PRIV int blni_windows_sync(void *user, void *file)
{
    return blni_plain_sync(user, file) && _commit(_fileno((FILE *)file)) == 0;
}

/* Replaces, and returns when the disk has it. */
BLNI_PRIV int blni_windows_replace(void *user, const char *from, const char *to)
{
    enum { BLNI_REPLACE_EXISTING = 1, BLNI_WRITE_THROUGH = 8 };
    return MoveFileExA(from, to, BLNI_REPLACE_EXISTING | BLNI_WRITE_THROUGH) != 0;
}

BLNI_TABLE const blni_disk blni_disk_windows = {
    NULL, blni_windows_create, blni_plain_open, blni_plain_write, blni_windows_sync, blni_plain_close, blni_windows_replace,
    blni_plain_remove, NULL, NULL
};
#undef BLNI_DISK
#define BLNI_DISK blni_disk_windows
#endif

/* ---- the steps ---- */

/* Removes what was begun; the caller sees errno as the failure left it. */
BLNI_PRIV void blni_save_undo(blni_saving *s)
{
    const int why = errno;
    if (s->beside[0]) s->disk->remove(s->disk->user, s->beside);
    errno = why;
}

/* Begins to save to `path`; then write, and end or drop. After a failure there is nothing to end. disk NULL: of this system. */
BLNI_PRIV bln_status blni_save_begin(blni_saving *s, const blni_disk *disk, const char *path, bln_report *report)
{
    int direct = 0, taken = 1;
    if (!disk) disk = &BLNI_DISK;
    s->disk = disk;
    s->file = NULL;
    s->target[0] = s->beside[0] = '\0';
    if (!path || !*path) return blni_refuse(report, BLN_EINVAL, "no path");
    if (strlen(path) >= sizeof s->target) return blni_refuse(report, BLN_EINVAL, "the path is too long");
    strcpy(s->target, path);
    if (disk->aim && !disk->aim(disk->user, s->target, &direct))
        return blni_refuse(report, BLN_EIO, "the symbolic links lead nowhere");
    if (direct) s->file = disk->open(disk->user, s->target);
    for (unsigned i = 0; !direct && !s->file && taken && i < BLNI_SAVE_ATTEMPTS; i++) {
        blni_save_name(s->target, i, s->beside);
        s->file = disk->create(disk->user, s->beside, s->target, &taken);
    }
    if (!s->file) return blni_refuse(report, BLN_EIO, "cannot open the file for writing");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_save_write(void *saving, const void *bytes, size_t n)
{
    const blni_saving *s = (const blni_saving *)saving;
    return s->disk->write(s->disk->user, s->file, bytes, n) ? BLN_OK : BLN_EIO;
}

/* Puts the file in its place. A full disk may show only here, when the buffers are written. */
BLNI_PRIV bln_status blni_save_end(blni_saving *s, bln_report *report)
{
    const blni_disk *disk = s->disk;
    const char *flaw = NULL;
    errno = 0;
    if (s->beside[0] && !disk->sync(disk->user, s->file)) flaw = "writing failed at the end of the file";
    const int why = errno;
    if (!disk->close(disk->user, s->file)) flaw = "writing failed at the end of the file";
    else if (flaw) errno = why;
    s->file = NULL;
    if (!flaw && s->beside[0] && !disk->replace(disk->user, s->beside, s->target))
        flaw = "cannot move the written file to its place";
    if (flaw) { blni_save_undo(s); return blni_refuse(report, BLN_EIO, flaw); }
    if (s->beside[0] && disk->settle) disk->settle(disk->user, s->target);
    return BLN_OK;
}

/* Leaves the old file as it was. */
BLNI_PRIV void blni_save_drop(blni_saving *s)
{
    const int why = errno;
    s->disk->close(s->disk->user, s->file);
    errno = why;
    s->file = NULL;
    blni_save_undo(s);
}
#endif
