/* savefile: on a disk of the tests, which fails at each step and loses its power after each; and on this system's, with processes
 * that save to one path, names that are taken, modes and owners that stay, a folder that may not be written to, a full disk */
#include "../test.h"

#ifndef BAYESLIN_NO_STDIO
/* ---- a disk of the tests ---- */

enum { LAB_FILES = 4, LAB_BYTES = 64, LAB_OPS = 64, LAB_NONE = -1 };
typedef enum lab_kind { LAB_CREATE, LAB_WRITE, LAB_SYNC, LAB_CLOSE, LAB_REPLACE, LAB_REMOVE, LAB_SETTLE } lab_kind;

/* What was done, in order. A file is its number; file 0 is the old one. `name`, `to`: what is in `names`; name 0 is the target. */
typedef struct lab_op { lab_kind kind; int file, name, to; size_t n; } lab_op;

typedef struct lab {
    char          names[LAB_FILES][BLNI_SAVE_PATH + BLNI_SAVE_NAME];
    unsigned char bytes[LAB_FILES][LAB_BYTES];                  /* all that was written to a file */
    size_t        size[LAB_FILES];
    int           holds[LAB_FILES];                             /* the file that each name stands for, or LAB_NONE */
    int           n_names, n_files;
    lab_op        ops[LAB_OPS];
    int           n_ops, fail_at;                               /* this op fails, with errno ENOSPC */
    int           taken;                                        /* so many names are said to be taken */
    int           open;
    char          like[BLNI_SAVE_PATH];
} lab;

static const unsigned char lab_old[] = "the old bytes", lab_new[] = "the new ones, which are longer";

static int lab_log(lab *l, lab_kind kind, int file, int name, int to, size_t n)
{
    const lab_op op = { kind, file, name, to, n };
    const int fails = l->n_ops == l->fail_at;
    if (l->n_ops < LAB_OPS) l->ops[l->n_ops++] = op;
    if (kind == LAB_REMOVE) errno = EACCES;                     /* as what tidies up may do */
    if (fails) errno = ENOSPC;
    return !fails;
}

static int lab_name(lab *l, const char *path)
{
    for (int i = 0; i < l->n_names; i++) if (!strcmp(l->names[i], path)) return i;
    CHECK(l->n_names < LAB_FILES);                              /* more files than the lab has room for */
    if (l->n_names == LAB_FILES) return 0;
    strcpy(l->names[l->n_names], path);
    l->holds[l->n_names] = LAB_NONE;
    return l->n_names++;
}

static int lab_aim(void *user, char *path, int *direct) { (void)user; (void)path; *direct = 0; return 1; }

static void *lab_create(void *user, const char *path, const char *like, int *taken)
{
    lab *l = (lab *)user;
    *taken = l->taken > 0;
    if (*taken) { l->taken--; return NULL; }
    const int name = lab_name(l, path);
    CHECK(l->holds[name] == LAB_NONE && l->n_files < LAB_FILES);
    if (!lab_log(l, LAB_CREATE, l->n_files, name, 0, 0)) return NULL;
    l->holds[name] = l->n_files;
    strcpy(l->like, like);
    l->open++;
    return &l->size[l->n_files++];
}

static int lab_of(const lab *l, const void *file) { return (int)((const size_t *)file - l->size); }

static int lab_write(void *user, void *file, const void *bytes, size_t n)
{
    lab *l = (lab *)user;
    const int k = lab_of(l, file);
    if (!lab_log(l, LAB_WRITE, k, 0, 0, n)) return 0;
    CHECK(l->size[k] + n <= LAB_BYTES);
    memcpy(l->bytes[k] + l->size[k], bytes, n);
    l->size[k] += n;
    return 1;
}

static int lab_sync(void *user, void *file) { lab *l = (lab *)user; return lab_log(l, LAB_SYNC, lab_of(l, file), 0, 0, 0); }

static int lab_close(void *user, void *file)
{
    lab *l = (lab *)user;
    l->open--;
    return lab_log(l, LAB_CLOSE, lab_of(l, file), 0, 0, 0);
}

static int lab_replace(void *user, const char *from, const char *to)
{
    lab *l = (lab *)user;
    const int a = lab_name(l, from), b = lab_name(l, to);
    CHECK(l->holds[a] != LAB_NONE);
    if (!lab_log(l, LAB_REPLACE, 0, a, b, 0)) return 0;
    l->holds[b] = l->holds[a];
    l->holds[a] = LAB_NONE;
    return 1;
}

static void lab_remove(void *user, const char *path)
{
    lab *l = (lab *)user;
    const int a = lab_name(l, path);
    if (lab_log(l, LAB_REMOVE, 0, a, 0, 0)) l->holds[a] = LAB_NONE;
}

static void lab_settle(void *user, const char *path)
{
    lab *l = (lab *)user;
    lab_log(l, LAB_SETTLE, 0, lab_name(l, path), 0, 0);
}

/* With the old file at "shelf/model", or without it. */
static blni_disk lab_disk(lab *l, int old)
{
    const blni_disk disk = { lab_aim, lab_create, NULL, lab_write, lab_sync, lab_close, lab_replace, lab_remove, lab_settle, l };
    memset(l, 0, sizeof *l);
    l->fail_at = LAB_NONE;
    l->n_files = 1;
    memcpy(l->bytes[0], lab_old, l->size[0] = sizeof lab_old);
    l->holds[lab_name(l, "shelf/model")] = old ? 0 : LAB_NONE;
    return disk;
}

/* In three writes. */
static bln_status lab_save(const blni_disk *disk, bln_report *report)
{
    static const size_t ends[] = { 0, 10, 11, sizeof lab_new };
    blni_saving s;
    bln_status status = blni_save_begin(&s, disk, "shelf/model", report);
    if (status != BLN_OK) return status;
    for (int i = 0; i < 3 && status == BLN_OK; i++) status = blni_save_write(&s, lab_new + ends[i], ends[i + 1] - ends[i]);
    if (status == BLN_OK) return blni_save_end(&s, report);
    blni_save_drop(&s);
    return status;
}

static int lab_is(const unsigned char *bytes, size_t size, const unsigned char *want, size_t n)
{
    return size == n && memcmp(bytes, want, n) == 0;
}

/* What the target holds when the power fails after `done` ops: 0 nothing, 1 the old bytes, 2 the new ones, 3 anything else.
 * Of what was done to names since the folder was last settled, the first `names` are there. Of what was written to a file since it
 * was last synced, the first `bytes` are there, and if `hole` is set the rest as zeros. */
static int lab_after_power_loss(const lab *l, int old, int done, int names, size_t bytes, int hole)
{
    int holds[LAB_FILES] = { LAB_NONE, LAB_NONE, LAB_NONE, LAB_NONE }, settled = 0;
    size_t synced[LAB_FILES] = { 0 }, size[LAB_FILES] = { 0 };
    unsigned char left[LAB_BYTES] = { 0 };
    synced[0] = size[0] = l->size[0];
    if (old) holds[0] = 0;
    for (int i = 0; i < done; i++) {
        const lab_op *op = &l->ops[i];
        if (op->kind == LAB_SETTLE) settled = i;
        if (op->kind == LAB_WRITE) size[op->file] += op->n;
        if (op->kind == LAB_SYNC) synced[op->file] = size[op->file];
    }
    for (int i = 0; i < done; i++) {
        const lab_op *op = &l->ops[i];
        if (op->kind != LAB_CREATE && op->kind != LAB_REPLACE && op->kind != LAB_REMOVE) continue;
        if (i > settled && names-- <= 0) break;
        if (op->kind == LAB_CREATE) holds[op->name] = op->file;
        if (op->kind == LAB_REPLACE) holds[op->to] = holds[op->name];
        if (op->kind != LAB_CREATE) holds[op->name] = LAB_NONE;
    }
    const int f = holds[0];
    if (f == LAB_NONE) return 0;
    const size_t lost = size[f] - synced[f], kept = synced[f] + blni_min(bytes, lost);
    memcpy(left, l->bytes[f], kept);
    const size_t end = hole ? size[f] : kept;
    return lab_is(left, end, lab_old, sizeof lab_old) ? 1 : lab_is(left, end, lab_new, sizeof lab_new) ? 2 : 3;
}

TEST(savefile, after_a_loss_of_power_the_old_bytes_or_the_new)
{
    for (int old = 0; old < 2; old++) {
        lab l;
        size_t counts[4] = { 0 };
        const blni_disk disk = lab_disk(&l, old);
        CHECK_OK(lab_save(&disk, NULL));
        CHECK(l.n_ops == 8 && l.open == 0);                     /* create, 3 writes, sync, close, replace, settle */
        CHECK(strcmp(l.like, "shelf/model") == 0);              /* whose mode is kept */
        for (int done = 0; done <= l.n_ops; done++)
            for (int names = 0; names < 4; names++)
                for (size_t bytes = 0; bytes <= sizeof lab_new; bytes++)
                    for (int hole = 0; hole < 2; hole++) {
                        const int what = lab_after_power_loss(&l, old, done, names, bytes, hole);
                        counts[what]++;
                        if (done == l.n_ops) CHECK(what == 2);  /* what was reported as saved is saved */
                    }
        CHECK_SIZE(counts[3], 0);
        CHECK(counts[old ? 1 : 0] > 0 && counts[2] > 0);
        CHECK_SIZE(counts[old ? 0 : 1], 0);
    }
}

TEST(savefile, every_step_may_fail)
{
    for (int old = 0; old < 2; old++)
        for (int k = 0; k < 8; k++) {
            lab l;
            bln_report report;
            const blni_disk disk = lab_disk(&l, old);
            bln_report_clear(&report);
            l.fail_at = k;
            errno = 0;
            const bln_status status = lab_save(&disk, &report);
            CHECK_STATUS(status, k == 7 ? BLN_OK : BLN_EIO);    /* a folder that cannot be synced is no failure */
            CHECK(errno == ENOSPC && l.open == 0);
            const int f = l.holds[0];
            if (status == BLN_OK) CHECK(f > 0 && lab_is(l.bytes[f], l.size[f], lab_new, sizeof lab_new));
            else CHECK(f == (old ? 0 : LAB_NONE));
            for (int i = 1; i < l.n_names; i++) CHECK(l.holds[i] == LAB_NONE);
        }
}

TEST(savefile, names_that_are_taken_are_left_alone)
{
    lab l;
    blni_disk disk = lab_disk(&l, 1);
    l.taken = 7;
    CHECK_OK(lab_save(&disk, NULL));
    CHECK(l.holds[0] == 1);
    disk = lab_disk(&l, 1);
    l.taken = 1000;
    CHECK_STATUS(lab_save(&disk, NULL), BLN_EIO);               /* it gives up, and removes what is not its own for nobody */
    CHECK(l.n_ops == 0 && l.holds[0] == 0 && l.taken > 0);

    char a[64], b[64];
    blni_save_name("shelf/model", 0, a);
    blni_save_name("shelf/model", 1, b);
    CHECK(strncmp(a, "shelf/bln-", 10) == 0 && strcmp(a + 22, ".tmp") == 0 && strcmp(a, b) != 0);
    blni_save_name("model", 0, a);
    CHECK(strncmp(a, "bln-", 4) == 0);
}

TEST(savefile, arguments_are_checked)
{
    blni_saving s;
    bln_report report;
    char path[BLNI_SAVE_PATH + 1];
    CHECK_STATUS(blni_save_begin(&s, NULL, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(blni_save_begin(&s, NULL, "", &report), BLN_EINVAL);
    memset(path, 'x', BLNI_SAVE_PATH);
    path[BLNI_SAVE_PATH] = '\0';
    CHECK_STATUS(blni_save_begin(&s, NULL, path, &report), BLN_EINVAL);
    CHECK_STATUS(blni_save_begin(&s, NULL, "no/such/folder/model", &report), BLN_EIO);
}

/* ---- the disk of this system ---- */

#ifdef BLNI_DISK_POSIX
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
extern int symlink(const char *to, const char *path);
extern char *getcwd(char *to, size_t room);
extern int chdir(const char *path);
extern int mkfifo(const char *path, mode_t mode);

/* A small model, beside it `n` bytes that are all `fill`. */
typedef struct savefile_model { bln_modelfile file; bln_basis *basis; bln_section section; char *bytes; } savefile_model;

static void savefile_make(savefile_model *m, char fill, size_t n)
{
    static const double y[3] = { 1.0, 2.0, 4.0 };
    bln_slm_desc desc;
    bln_data data;
    memset(m, 0, sizeof *m);
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    CHECK_OK(bln_bias_create(NULL, &m->basis));
    desc.basis = m->basis;
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_slm_create(&desc, &m->file.slm, NULL));
    CHECK_OK(bln_slm_fit(m->file.slm, &data, NULL));
    m->bytes = (char *)malloc(n);
    if (!m->bytes) { fprintf(stderr, "tests: out of memory\n"); exit(2); }
    memset(m->bytes, fill, n);
    strcpy(m->section.tag, "fill");
    m->section.bytes = m->bytes;
    m->section.size = n;
    m->file.sections = &m->section;
    m->file.n_sections = 1;
}

static void savefile_unmake(savefile_model *m)
{
    bln_slm_free(m->file.slm);
    bln_basis_free(m->basis);
    free(m->bytes);
}

/* The byte that fills the file at `path`: '!' if it cannot be loaded, '?' if it is not of one byte. */
static char savefile_fill(const char *path)
{
    bln_modelfile file;
    if (bln_modelfile_load(path, test_all(), &file, NULL) != BLN_OK) return '!';
    const char *bytes = file.n_sections == 1 ? (const char *)file.sections[0].bytes : "?";
    char fill = bytes[0];
    for (size_t i = 1; file.n_sections == 1 && i < file.sections[0].size; i++) if (bytes[i] != fill) fill = '?';
    bln_modelfile_free(&file);
    return fill;
}

/* A folder of its own, so that whatever is left behind keeps it from being removed; in build/, or here where there is none. */
static void savefile_folder(char *folder, char *path)
{
    int made = 0, there = 1;
    for (int i = 0; i < 100 && !made; i++) {
        sprintf(folder, "%stest_savefile.%ld.%d", there ? "build/" : "", (long)getpid(), i);
        made = mkdir(folder, 0777) == 0;
        if (!made && errno == ENOENT) there = 0;
    }
    CHECK(made);
    sprintf(path, "%s/model.bln", folder);
}

static void savefile_clear(const char *folder, const char *path)
{
    remove(path);
    CHECK(rmdir(folder) == 0);
}

static void savefile_put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
}

static int savefile_has(const char *path, const char *text)
{
    char back[64] = "";
    FILE *f = fopen(path, "rb");
    const size_t n = f ? fread(back, 1, sizeof back - 1, f) : 0;
    if (f) fclose(f);
    return f && n == strlen(text) && !strcmp(back, text);
}

/* Runs check(user) in a process of its own; what it returns, or -1. */
static int savefile_apart(int (*check)(void *user), void *user)
{
    int status;
    const pid_t child = fork();
    if (child == 0) _exit(check(user));
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Two processes save to one path, a file longer than any buffer and one that is shorter, while this one loads. Whoever shares a
 * file with another publishes the bytes of both, or finds that it is gone. */
TEST(savefile, processes_save_to_one_path_and_load_from_it)
{
    enum { TIMES = 60 };
    static const size_t sizes[2] = { 300000, 90000 };
    char folder[64], path[80];
    savefile_model m[2];
    pid_t child[2];
    size_t loads = 0, seen[2] = { 0, 0 };
    int running = 2;
    savefile_folder(folder, path);
    for (int k = 0; k < 2; k++) savefile_make(&m[k], (char)('A' + k), sizes[k]);
    CHECK_OK(bln_modelfile_save(path, test_all(), &m[0].file, NULL));
    for (int k = 0; k < 2; k++) {
        child[k] = fork();
        if (child[k] == 0) {
            int bad = 0;
            for (int i = 0; i < TIMES; i++) bad += bln_modelfile_save(path, test_all(), &m[k].file, NULL) != BLN_OK;
            _exit(bad);
        }
        CHECK(child[k] > 0);
    }
    while (running > 0) {
        const char fill = savefile_fill(path);
        loads++;
        if (fill == 'A' || fill == 'B') seen[fill - 'A']++;
        for (int k = 0; k < 2; k++) {
            int status = 0;
            if (child[k] <= 0 || waitpid(child[k], &status, WNOHANG) == 0) continue;
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            child[k] = 0;
            running--;
        }
    }
    CHECK_SIZE(seen[0] + seen[1], loads);
    CHECK(savefile_fill(path) == 'A' || savefile_fill(path) == 'B');
    savefile_clear(folder, path);
    for (int k = 0; k < 2; k++) savefile_unmake(&m[k]);
}

/* Where a link or a pipe is waiting, the one is not followed and the other not opened, which would wait for a reader. */
TEST(savefile, what_waits_at_a_name_is_left_alone)
{
    char folder[64], path[80], victim[80], nothing[80], trap[3][100];
    savefile_model m;
    int taken;
    savefile_folder(folder, path);
    savefile_make(&m, 'A', 1000);
    sprintf(victim, "%s/victim", folder);
    sprintf(nothing, "%s/nothing", folder);
    sprintf(trap[0], "%s.tmp", path);
    sprintf(trap[1], "%s.%ld.tmp", path, (long)getpid());
    sprintf(trap[2], "%s/bln-000000000000.tmp", folder);
    for (int kind = 0; kind < 3; kind++) {
        savefile_put(victim, "precious");
        for (int i = 0; i < 3; i++)
            CHECK((kind == 0 ? symlink("victim", trap[i]) : kind == 1 ? symlink("nothing", trap[i]) : mkfifo(trap[i], 0600)) == 0);
        CHECK_OK(bln_modelfile_save(path, test_all(), &m.file, NULL));
        CHECK(savefile_fill(path) == 'A');
        for (int i = 0; i < 3; i++) {
            taken = 0;
            CHECK(blni_posix_create(NULL, trap[i], path, &taken) == NULL && taken);
        }
        CHECK(savefile_has(victim, "precious"));
        CHECK(fopen(nothing, "rb") == NULL);
        for (int i = 0; i < 3; i++) CHECK(remove(trap[i]) == 0);
        remove(path);
    }
    remove(victim);
    savefile_clear(folder, path);
    savefile_unmake(&m);
}

/* The mode of an old file stays, and no other was there before; a new file has what the umask leaves. */
TEST(savefile, modes_stay)
{
    static const mode_t modes[] = { 0600, 0640, 0444, 0755, 0200 };
    char folder[64], path[80];
    struct stat s;
    savefile_model m;
    blni_saving on_its_way;
    savefile_folder(folder, path);
    savefile_make(&m, 'A', 1000);
    const mode_t mask = umask(0022);
    CHECK_OK(bln_modelfile_save(path, test_all(), &m.file, NULL));
    CHECK(stat(path, &s) == 0 && (s.st_mode & 07777) == 0644);
    for (size_t i = 0; i < sizeof modes/sizeof *modes; i++) {
        CHECK(chmod(path, modes[i]) == 0);
        CHECK_OK(bln_modelfile_save(path, test_all(), &m.file, NULL));
        CHECK(stat(path, &s) == 0 && (s.st_mode & 07777) == modes[i]);
        CHECK_OK(blni_save_begin(&on_its_way, NULL, path, NULL));
        CHECK(stat(on_its_way.beside, &s) == 0 && (s.st_mode & 07777) == modes[i]);
        blni_save_drop(&on_its_way);
    }
    umask(mask);
    savefile_clear(folder, path);
    savefile_unmake(&m);
}

/* Somebody without rights, where these can be given away. */
enum { SAVEFILE_NOBODY = 54321, SAVEFILE_OTHER = 54322 };

static int savefile_as_nobody(void *user)
{
    struct stat s;
    blni_saving saving;
    const char *path = (const char *)user;
    if (setgid(SAVEFILE_NOBODY) != 0 || setuid(SAVEFILE_NOBODY) != 0) return 1;
    if (blni_save_begin(&saving, NULL, path, NULL) != BLN_OK || blni_save_write(&saving, "new", 3) != BLN_OK) return 2;
    if (blni_save_end(&saving, NULL) != BLN_OK || !savefile_has(path, "new")) return 3;
    if (stat(path, &s) != 0 || s.st_uid != SAVEFILE_NOBODY || s.st_gid != SAVEFILE_NOBODY) return 4;
    return (s.st_mode & 07777) == 0644 ? 0 : 5;
}

TEST(savefile, owners_stay_where_they_may)
{
    char folder[64], path[80];
    struct stat s;
    savefile_model m;
    savefile_folder(folder, path);
    savefile_make(&m, 'A', 1000);
    savefile_put(path, "old");
    const int can = chown(path, SAVEFILE_NOBODY, SAVEFILE_OTHER) == 0;
    CHECK(chmod(path, 0640) == 0);
    CHECK_OK(bln_modelfile_save(path, test_all(), &m.file, NULL));
    CHECK(stat(path, &s) == 0 && (s.st_mode & 07777) == 0640);
    if (can) {
        CHECK(s.st_uid == SAVEFILE_NOBODY && s.st_gid == SAVEFILE_OTHER);
        /* The group's right to write was another group's; what all may do stays. */
        CHECK(chown(path, SAVEFILE_OTHER, SAVEFILE_OTHER) == 0 && chmod(path, 0664) == 0 && chmod(folder, 0777) == 0);
        CHECK(savefile_apart(savefile_as_nobody, path) == 0);
    }
    savefile_clear(folder, path);
    savefile_unmake(&m);
}

static int savefile_forbidden(void *user)
{
    const char *path = (const char *)user;
    blni_saving saving;
    bln_report report;
    if (geteuid() == 0 && (setgid(SAVEFILE_NOBODY) != 0 || setuid(SAVEFILE_NOBODY) != 0)) return 77;
    return blni_save_begin(&saving, NULL, path, &report) == BLN_EIO && errno == EACCES ? 0 : 1;
}

TEST(savefile, a_folder_that_may_not_be_written_to)
{
    char folder[64], path[80];
    savefile_folder(folder, path);
    savefile_put(path, "old");
    CHECK(chmod(folder, 0555) == 0);
    const int found = savefile_apart(savefile_forbidden, path);
    CHECK(found == 0 || found == 77);                            /* a root that cannot be anybody else may write anywhere */
    CHECK(chmod(folder, 0755) == 0 && savefile_has(path, "old"));
    savefile_clear(folder, path);
}

/* Files of more than 8 KB cannot be written here: as on a full disk, a part of the bytes is there when the failure comes. */
static int savefile_full(void *user)
{
    const struct rlimit limit = { 8192, 8192 };
    void *const *path_and_model = (void *const *)user;
    const bln_modelfile *file = (const bln_modelfile *)path_and_model[1];
    bln_report report;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    if (bln_modelfile_save((const char *)path_and_model[0], test_all(), file, &report) != BLN_EIO) return 3;
    return strstr(report.text, (const char *)path_and_model[0]) ? 0 : 4;
}

TEST(savefile, a_full_disk)
{
    static const size_t sizes[] = { 7500, 8200, 100000 };       /* it shows at the end, in the last buffer, and on the way */
    char folder[64], path[80];
    savefile_folder(folder, path);
    savefile_put(path, "old");
    for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++) {
        savefile_model m;
        void *both[2];
        savefile_make(&m, 'A', sizes[i] + 1000);
        both[0] = path;
        both[1] = &m.file;
        CHECK(savefile_apart(savefile_full, both) == 0);
        CHECK(savefile_has(path, "old"));
        savefile_unmake(&m);
    }
    savefile_clear(folder, path);
}

/* What is synced has left this process before: another one reads it while the file is open. */
TEST(savefile, what_is_synced_is_the_systems)
{
    char folder[64], path[80];
    const blni_disk *const disks[] = { &blni_disk_posix, &blni_disk_plain };
    savefile_folder(folder, path);
    for (int k = 0; k < 2; k++) {
        blni_saving s;
        CHECK_OK(blni_save_begin(&s, disks[k], path, NULL));
        CHECK_OK(blni_save_write(&s, "few", 3));
        CHECK(s.disk->sync(s.disk->user, s.file) && savefile_has(s.beside, "few"));
        CHECK_OK(blni_save_end(&s, NULL));
        CHECK(savefile_has(path, "few"));
    }
    savefile_clear(folder, path);
}

/* The table for systems that have no more than C99, of which this one is one. */
TEST(savefile, plain_c_replaces_too)
{
    char folder[64], path[80], other[80];
    blni_saving s;
    int taken = 0;
    savefile_folder(folder, path);
    sprintf(other, "%s/other", folder);
    for (int old = 0; old < 2; old++) {
        const char *text = old ? "second" : "first";
        CHECK_OK(blni_save_begin(&s, &blni_disk_plain, path, NULL));
        CHECK_OK(blni_save_write(&s, text, strlen(text)));
        CHECK_OK(blni_save_end(&s, NULL));
        CHECK(savefile_has(path, text));
    }
    CHECK_OK(blni_save_begin(&s, &blni_disk_plain, path, NULL));
    blni_save_drop(&s);
    CHECK(blni_plain_create(NULL, path, path, &taken) == NULL && taken);

    /* A rename that fails for good brings the old file back. One that refuses to replace: a folder stands in for the old file. */
    CHECK(!blni_plain_replace(NULL, other, path) && savefile_has(path, "second"));
    CHECK(mkdir(other, 0777) == 0 && rename(path, other) != 0);
    CHECK(blni_plain_replace(NULL, path, other) && savefile_has(other, "second"));
    savefile_clear(folder, other);
}

/* ---- what the disk of this system may answer ---- */

/* A stream in which something went wrong before is not whole, though nothing is left to be written. */
TEST(savefile, streams_that_failed)
{
    char folder[64], path[80];
    savefile_folder(folder, path);
    savefile_put(path, "old");
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen(path, "rb");
        CHECK(f && fputc('x', f) == EOF && ferror(f));
        if (!f) break;
        if (k == 0) { CHECK(!blni_plain_sync(NULL, f) && !blni_posix_sync(NULL, f)); fclose(f); }
        else CHECK(!blni_plain_close(NULL, f));
    }
    FILE *gone = fopen(path, "rb");                              /* nothing is left to be written, but the system has closed it */
    if (gone) { close(fileno(gone)); CHECK(!blni_posix_sync(NULL, gone)); fclose(gone); }
    FILE *full = fopen("/dev/full", "wb");                       /* where there is such a device: it fails at the end alone */
    if (full) CHECK(fputc('x', full) == 'x' && !blni_plain_close(NULL, full));
    CHECK(savefile_has(path, "old"));
    savefile_clear(folder, path);
}

/* Nothing to replace, and what no rename can move. */
TEST(savefile, plain_c_gives_up)
{
    char folder[64], path[80], dot[80];
    savefile_folder(folder, path);
    sprintf(dot, "%s/.", folder);
    errno = 0;
    CHECK(!blni_plain_replace(NULL, path, path) && errno == ENOENT);
    savefile_put(path, "new");
    CHECK(!blni_plain_replace(NULL, path, dot) && savefile_has(path, "new"));
    savefile_clear(folder, path);
}

/* fsync as systems may answer: it is interrupted twice, it cannot sync such a file, or it fails. */
static int savefile_answer, savefile_calls;
static int savefile_fsync(int file)
{
    (void)file;
    if (!savefile_answer) return 0;
    errno = savefile_answer == EINTR && savefile_calls++ < 2 ? EINTR : savefile_answer == EINTR ? EIO : savefile_answer;
    return -1;
}
TEST(savefile, answers_of_fsync)
{
    static const int answers[6] = { 0, EINTR, EIO, EINVAL, ENOSYS, ENOTSUP };
    for (int k = 0; k < 6; k++) {
        savefile_answer = answers[k];
        savefile_calls = 0;
        CHECK(blni_posix_settled(-1, savefile_fsync) == (k == 0 || k > 2));
        CHECK(savefile_calls == (k == 1 ? 3 : 0));
    }
}

/* Files that are none: nothing is left open, and nothing is left behind. */
TEST(savefile, streams_that_cannot_be)
{
    char folder[64], path[80], below[100];
    struct stat s;
    int taken = 1;
    savefile_folder(folder, path);
    savefile_put(path, "old");
    sprintf(below, "%s/below", path);
    CHECK(stat(path, &s) == 0);
    blni_posix_resemble(-1, &s);                                 /* does nothing */
    CHECK(!blni_posix_stream(-1, NULL) && errno == EBADF && savefile_has(path, "old"));
    CHECK(!blni_posix_open(NULL, path) && errno == EEXIST && savefile_has(path, "old"));
    CHECK(!blni_posix_open(NULL, below));
    CHECK(!blni_posix_create(NULL, path, below, &taken) && !taken);           /* what it would replace is not there to be asked */
    blni_posix_settle(NULL, below);                              /* of a folder that is none: no failure */
    CHECK(!blni_posix_stream(-1, path) && errno == EBADF && !savefile_has(path, "old"));
    CHECK(rmdir(folder) == 0);
}

/* A link by its path from the root, and links whose path is longer than any may be. */
TEST(savefile, links_of_all_lengths)
{
    char folder[64], path[80], link[80], here[BLNI_SAVE_PATH], long_path[BLNI_SAVE_PATH];
    blni_saving s;
    bln_report report;
    savefile_folder(folder, path);
    sprintf(link, "%s/link", folder);
    if (getcwd(here, sizeof here - 100)) {
        strcat(strcat(here, "/"), path);
        CHECK(symlink(here, link) == 0);
        CHECK_OK(blni_save_begin(&s, NULL, link, NULL));
        CHECK_OK(blni_save_write(&s, "new", 3));
        CHECK_OK(blni_save_end(&s, NULL));
        CHECK(savefile_has(path, "new"));
        CHECK(remove(link) == 0);
    }
    memset(long_path, 'x', sizeof long_path);
    for (size_t i = 100; i < sizeof long_path; i += 100) long_path[i] = '/';
    long_path[BLNI_SAVE_PATH - 3] = '\0';
    if (symlink(long_path, link) == 0) {                         /* some systems have none of that length */
        CHECK_STATUS(blni_save_begin(&s, NULL, link, &report), BLN_EIO);
        CHECK_TEXT(report.text, "lead nowhere");
        CHECK(remove(link) == 0);
    }
    savefile_clear(folder, path);
}

/* In the folder of the process, where paths have no slash; and given up on a device, which stays. */
static int savefile_here(void *user)
{
    blni_saving s;
    if (chdir((const char *)user) != 0 || symlink("model.bln", "link") != 0) return 1;
    if (blni_save_begin(&s, NULL, "link", NULL) != BLN_OK || blni_save_write(&s, "new", 3) != BLN_OK) return 2;
    if (blni_save_end(&s, NULL) != BLN_OK || !savefile_has("model.bln", "new")) return 3;
    return remove("link") == 0 ? 0 : 4;
}
TEST(savefile, paths_without_a_folder)
{
    char folder[64], path[80];
    blni_saving s;
    savefile_folder(folder, path);
    CHECK(savefile_apart(savefile_here, folder) == 0);
    CHECK(savefile_has(path, "new"));
    CHECK_OK(blni_save_begin(&s, NULL, "/dev/null", NULL));
    CHECK(!s.beside[0]);
    blni_save_drop(&s);
    CHECK(blni_posix_special("/dev/null"));
    savefile_clear(folder, path);
}
#endif
#else
TEST(savefile, there_are_no_files) { CHECK(1); }
#endif

SUITE_BEGIN(savefile)
#ifndef BAYESLIN_NO_STDIO
    SUITE_TEST(savefile, after_a_loss_of_power_the_old_bytes_or_the_new)
    SUITE_TEST(savefile, every_step_may_fail)
    SUITE_TEST(savefile, names_that_are_taken_are_left_alone)
    SUITE_TEST(savefile, arguments_are_checked)
#ifdef BLNI_DISK_POSIX
    SUITE_TEST(savefile, processes_save_to_one_path_and_load_from_it)
    SUITE_TEST(savefile, what_waits_at_a_name_is_left_alone)
    SUITE_TEST(savefile, modes_stay)
    SUITE_TEST(savefile, owners_stay_where_they_may)
    SUITE_TEST(savefile, a_folder_that_may_not_be_written_to)
    SUITE_TEST(savefile, a_full_disk)
    SUITE_TEST(savefile, what_is_synced_is_the_systems)
    SUITE_TEST(savefile, plain_c_replaces_too)
    SUITE_TEST(savefile, streams_that_failed)
    SUITE_TEST(savefile, plain_c_gives_up)
    SUITE_TEST(savefile, answers_of_fsync)
    SUITE_TEST(savefile, streams_that_cannot_be)
    SUITE_TEST(savefile, links_of_all_lengths)
    SUITE_TEST(savefile, paths_without_a_folder)
#endif
#else
    SUITE_TEST(savefile, there_are_no_files)
#endif
SUITE_END(savefile)
