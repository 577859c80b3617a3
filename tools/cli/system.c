/* system: POSIX, and Windows as MinGW sees it */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "system.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>

void system_begin(void)
{
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
}

double system_clock(void) { return (double)clock()/CLOCKS_PER_SEC; }         /* which is the clock on the wall here */

size_t system_folder(const char *path)
{
    size_t n = strlen(path);
    while (n > 0 && !strchr("/\\:", path[n - 1])) n--;
    return n;
}

int system_may_make(const char *folder) { return access(folder, W_OK) == 0; }

/* Files have no numbers here that tell them apart: by their whole names, in which letters are small or large alike. */
int system_same(const char *path, const char *other)
{
    struct stat a;
    char first[_MAX_PATH], second[_MAX_PATH];
    return _fullpath(first, path, _MAX_PATH) && _fullpath(second, other, _MAX_PATH) && !_stricmp(first, second)
        && (stat(path, &a) || S_ISREG(a.st_mode));
}

int system_scratch(char *path)
{
    return _mktemp(path) ? _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_TEMPORARY, _S_IREAD | _S_IWRITE) : -1;
}

ptrdiff_t system_read_at(int file, void *to, size_t n, uint64_t at)
{
    const size_t most = (size_t)1 << 30;
    if (_lseeki64(file, (long long)at, SEEK_SET) < 0) return -1;
    return _read(file, to, (unsigned)(n < most ? n : most));
}

#else

void system_begin(void) {}

double system_clock(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_MONOTONIC, &t) ? 0.0 : (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

size_t system_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

int system_may_make(const char *folder) { return access(folder, W_OK | X_OK) == 0; }

int system_same(const char *path, const char *other)
{
    struct stat a, b;
    if (!strcmp(path, other)) return stat(path, &a) || S_ISREG(a.st_mode);
    return stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int system_scratch(char *path)
{
    const int file = mkstemp(path);
    if (file >= 0) unlink(path);
    return file;
}

ptrdiff_t system_read_at(int file, void *to, size_t n, uint64_t at) { return pread(file, to, n, (off_t)at); }

#endif
