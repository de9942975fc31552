/* What the tests of file formats share: a folder of their own, files written byte by byte, tensors
 * compared with the bytes they should hold, errors compared with the words they should have. */
#ifndef TESTS_UNIT_FILES_H
#define TESTS_UNIT_FILES_H

#include <miscast/tensor.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/miscast_files_XXXXXX");
    mc_set_error_handler(mc_error_remember, NULL);
    return mkdtemp(folder) ? 0 : -1;
}

/* A path in the folder, good until the fourth call from now. */
static inline const char *path_of(const char *name)
{
    static char paths[4][400];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* What is in the folder. */
static inline int count_files(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        n++;
    closedir(d);
    return n;
}

static inline int remove_folder(void **state)
{
    (void)state;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(path_of(e->d_name));
    if (d)
        closedir(d);
    return rmdir(folder);
}

static inline int in_scope(void **state)
{
    static mc_scope scope;
    mc_clear_error();
    scope = mc_scope_begin();
    *state = &scope;
    return 0;
}

static inline int out_of_scope(void **state)
{
    mc_scope_end(*(mc_scope *)*state);
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, in_scope, out_of_scope)

/* Writes a file and returns its path. */
static inline const char *write_bytes(const char *name, const void *bytes, size_t n)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
    return path;
}

/* The bytes of a file, at most room of them. */
static inline size_t read_bytes(const char *path, void *to, size_t room)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(to, 1, room, f);
    fclose(f);
    return n;
}

static inline size_t from_hex(const char *hex, uint8_t *to)
{
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        to[i] = (uint8_t)byte;
    }
    return n;
}

/* The last error is of this kind, and its message has these words; it is forgotten. */
static inline void assert_error(mc_error_kind kind, const char *words)
{
    const mc_error *e = mc_last_error();
    if (!e)
        fail_msg("no error, where there should be one with \"%s\"", words);
    else if (e->kind != kind || !strstr(e->message, words))
        fail_msg("error %s: \"%s\", not %s with \"%s\"", mc_error_kind_name(e->kind), e->message,
                 mc_error_kind_name(kind), words);
    mc_clear_error();
}

/* x is of this dtype and shape, and its elements in order have these bytes. */
static inline void assert_tensor(mc_tensor *x, mc_dtype dtype, mc_shape shape, const void *bytes)
{
    mc_shape got = mc_shape_of(x);
    if (!x)
        fail_msg("no tensor: %s", mc_last_error() ? mc_last_error()->message : "");
    assert_int_equal(mc_dtype_of(x), dtype);
    assert_int_equal(mc_device_of(x), MC_CPU);
    assert_int_equal(got.ndim, shape.ndim);
    assert_memory_equal(got.dims, shape.dims, (size_t)shape.ndim * sizeof shape.dims[0]);
    char *copy = malloc(mc_nbytes(x) + 1);
    assert_true(mc_copy_out(x, copy, mc_nbytes(x)));
    assert_memory_equal(copy, bytes, mc_nbytes(x));
    free(copy);
}

/* Bytes that differ, and make 0s and 1s for bool. */
static inline void fill_bytes(mc_dtype dtype, uint8_t *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(dtype == MC_BOOL ? i % 3 == 0 : i * 37 + 11);
}

#endif
