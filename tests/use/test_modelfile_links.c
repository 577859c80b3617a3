/* modelfile_links - saving to what is no plain file: a link stays a link, also through a second one and to a file that is not there
 * yet; a pipe stays a pipe */
#include "../test.h"

#ifdef BLNI_DISK_POSIX
extern int symlink(const char *to, const char *path);
extern int mkfifo(const char *path, mode_t mode);

/* A constant, fitted to three numbers. */
static bln_slm *links_model(bln_basis **basis)
{
    static const double y[3] = { 1.0, 2.0, 4.0 };
    bln_slm_desc desc;
    bln_slm *slm = NULL;
    bln_data data;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    CHECK_OK(bln_bias_create(NULL, basis));
    desc.basis = *basis;
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    return slm;
}

/* In build/, or here where there is no such folder. */
static void links_path(char *path, const char *name)
{
    sprintf(path, "build/%s", name);
    FILE *f = fopen(path, "ab");
    if (f) fclose(f);
    else strcpy(path, name);
    remove(path);
}

static void links_check(const char *path)
{
    bln_modelfile file;
    bln_report report;
    memset(&file, 0, sizeof file);
    CHECK_OK(bln_modelfile_load(path, test_all(), &file, &report));
    CHECK(file.slm != NULL);
    bln_modelfile_free(&file);
}

TEST(modelfile_links, links_stay)
{
    char path[64], link[64], chain[64], circle[64], to[64];
    bln_basis *basis = NULL;
    bln_modelfile file;
    bln_report report;
    memset(&file, 0, sizeof file);
    file.slm = links_model(&basis);
    links_path(path, "test_links_target.bln");
    links_path(link, "test_links_one.bln");
    links_path(chain, "test_links_two.bln");
    links_path(circle, "test_links_circle.bln");
    CHECK(symlink("test_links_target.bln", link) == 0);
    CHECK(symlink(strchr(path, '/') ? "../build/test_links_one.bln" : "./test_links_one.bln", chain) == 0);
    CHECK(symlink("test_links_circle.bln", circle) == 0);
    for (int there = 0; there < 2; there++) {
        if (there) {
            FILE *f = fopen(path, "wb");
            CHECK(f && fputs("old", f) >= 0);
            if (f) fclose(f);
        }
        CHECK_OK(bln_modelfile_save(chain, test_all(), &file, &report));
        CHECK(readlink(chain, to, sizeof to) > 0 && readlink(link, to, sizeof to) > 0);
        CHECK(readlink(path, to, sizeof to) < 0);
        links_check(path);
    }
    CHECK_STATUS(bln_modelfile_save(circle, test_all(), &file, &report), BLN_EIO);
    CHECK_TEXT(report.text, circle);
    remove(circle);
    remove(chain);
    remove(link);
    remove(path);
    bln_slm_free(file.slm);
    bln_basis_free(basis);
}

TEST(modelfile_links, pipes_are_written_into)
{
    char pipe[64], back[8] = "";
    struct stat before, after;
    bln_basis *basis = NULL;
    bln_modelfile file;
    bln_report report;
    memset(&file, 0, sizeof file);
    file.slm = links_model(&basis);
    links_path(pipe, "test_links_pipe");
    CHECK(mkfifo(pipe, 0600) == 0 && stat(pipe, &before) == 0);
    FILE *end = fopen(pipe, "r+b");                      /* both ends, so that nothing waits; the file is shorter than a pipe */
    CHECK_OK(bln_modelfile_save(pipe, test_all(), &file, &report));
    const int stays = stat(pipe, &after) == 0 && before.st_ino == after.st_ino && S_ISFIFO(after.st_mode);
    CHECK(stays);                                        /* else nothing would ever come out of it */
    CHECK(stays && end && fread(back, 1, 8, end) == 8 && memcmp(back, blni_file_magic, 8) == 0);
    if (end) fclose(end);
    remove(pipe);
    bln_slm_free(file.slm);
    bln_basis_free(basis);
}
#else
TEST(modelfile_links, links_stay) { CHECK(1); }          /* there are none */
TEST(modelfile_links, pipes_are_written_into) { CHECK(1); }
#endif

SUITE_BEGIN(modelfile_links)
    SUITE_TEST(modelfile_links, links_stay)
    SUITE_TEST(modelfile_links, pipes_are_written_into)
SUITE_END(modelfile_links)
