/* .npy files: those NumPy wrote are read and written byte for byte; every dtype, order and version
 * is read; every way to be malformed is an error that names the file and says what is wrong. */
#include "tests/unit/files.h"

#include <signal.h>
#include <sys/resource.h>

/* ---- files by NumPy 2.5.2 ------------------------------------------------------------------ */

/* Each begins with \x93NUMPY, version 1.0 and a length of 118, and its dict is padded with blanks
 * and ended by a newline at byte 127. */
static const struct numpy_case {
    const char *dict, *data; /* data as hexadecimal digits */
    mc_dtype dtype;
    mc_shape shape;
    const char *elements; /* in order, as tensors have them here; NULL: the data */
} numpy_cases[] = {
    /* arange(6, dtype='<f4').reshape(2, 3) */
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
     "000000000000803f0000004000004040000080400000a040",
     MC_F32,
     {2, {2, 3}},
     NULL},
    /* arange(6, dtype='<i2').reshape(2, 3).T */
    {"{'descr': '<i2', 'fortran_order': True, 'shape': (3, 2), }",
     "000001000200030004000500",
     MC_I16,
     {2, {3, 2}},
     "000003000100040002000500"},
    /* array(True) */
    {"{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "01", MC_BOOL, {0, {0}}, NULL},
    /* arange(4, dtype='f2') */
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }",
     "0000003c00400042",
     MC_F16,
     {1, {4}},
     NULL},
    /* zeros((0, 3), 'i1') */
    {"{'descr': '|i1', 'fortran_order': False, 'shape': (0, 3), }", "", MC_I8, {2, {0, 3}}, NULL},
    /* zeros((3, 0, 100000000000), 'f4') */
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0, 100000000000), }",
     "",
     MC_F32,
     {3, {3, 0, 100000000000}},
     NULL},
    /* array(-5) */
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
     "fbffffffffffffff",
     MC_I64,
     {0, {0}},
     NULL},
    /* arange(3, dtype='u1').reshape(1, 1, 1, 1, 3, 1, 1, 1) */
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 3, 1, 1, 1), }",
     "000102",
     MC_U8,
     {8, {1, 1, 1, 1, 3, 1, 1, 1}},
     NULL},
    /* arange(3, dtype='>f8') */
    {"{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }",
     "00000000000000003ff00000000000004000000000000000",
     MC_F64,
     {1, {3}},
     "0000000000000000000000000000f03f0000000000000040"},
};

static size_t numpy_file(const struct numpy_case *k, uint8_t file[256])
{
    memcpy(file, "\x93NUMPY\1\0v\0", 10);
    snprintf((char *)file + 10, 119, "%-117s\n", k->dict);
    return 128 + from_hex(k->data, file + 128);
}

static void reads_and_writes_what_numpy_writes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numpy_cases / sizeof numpy_cases[0]; i++) {
        const struct numpy_case *k = &numpy_cases[i];
        uint8_t file[256], elements[64], saved[256];
        size_t n = numpy_file(k, file);
        from_hex(k->elements ? k->elements : k->data, elements);
        mc_tensor *x = mc_load_npy(write_bytes("numpy.npy", file, n));
        assert_tensor(x, k->dtype, k->shape, elements);
        if (strchr(k->dict, '>'))
            continue; /* files are written little-endian */
        assert_true(mc_save_npy(x, path_of("again.npy")));
        assert_int_equal(read_bytes(path_of("again.npy"), saved, sizeof saved), n);
        assert_memory_equal(saved, file, n);
    }
}

/* ---- files by hand ------------------------------------------------------------------------- */

/* A file of this version with this header and n bytes counting up from 1. */
static const char *npy_file(int version, const char *header, size_t n)
{
    uint8_t file[1024] = "\x93NUMPY";
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    file[6] = (uint8_t)version;
    file[8] = (uint8_t)length;
    file[9] = (uint8_t)(length >> 8);
    memcpy(file + start, header, length);
    for (size_t i = 0; i < n; i++)
        file[start + length + i] = (uint8_t)(i + 1);
    return write_bytes("hand.npy", file, start + length + n);
}

static void reads_every_version(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++) {
        const char *path =
            npy_file(version, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }  \n", 8);
        assert_tensor(mc_load_npy(path), MC_I32, mc_shape(2), "\1\2\3\4\5\6\7\10");
    }
}

static void reads_any_order_and_quotes(void **state)
{
    (void)state;
    const char *path =
        npy_file(1, "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|u1\"}", 2);
    assert_tensor(mc_load_npy(path), MC_U8, mc_shape(1, 2), "\1\2");
    path = npy_file(1, "{'descr': '=i2', 'shape': (1L, 1L), 'fortran_order': True}\n", 2);
    assert_tensor(mc_load_npy(path), MC_I16, mc_shape(1, 1), "\1\2");
}

static void swaps_big_endian(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        mc_dtype dtype;
        size_t size;
    } kinds[] = {{">i2", MC_I16, 2}, {">i4", MC_I32, 4}, {">i8", MC_I64, 8}, {">f2", MC_F16, 2},
                 {">f4", MC_F32, 4}, {">f8", MC_F64, 8}, {">u1", MC_U8, 1},  {">i1", MC_I8, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char header[100];
        uint8_t want[16];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
                 kinds[i].code);
        for (size_t k = 0; k < 2 * kinds[i].size; k++)
            want[k / kinds[i].size * kinds[i].size + (kinds[i].size - 1 - k % kinds[i].size)] =
                (uint8_t)(k + 1);
        assert_tensor(mc_load_npy(npy_file(1, header, 2 * kinds[i].size)), kinds[i].dtype,
                      mc_shape(2), want);
    }
}

static void fortran_order_becomes_strides(void **state)
{
    (void)state;
    mc_tensor *x = mc_load_npy(
        npy_file(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }", 12));
    assert_tensor(x, MC_U8, mc_shape(2, 3, 2), "\1\7\3\11\5\13\2\10\4\12\6\14");
    assert_int_equal(mc_stride(x, 0), 1);
    assert_int_equal(mc_stride(x, 1), 2);
    assert_int_equal(mc_stride(x, 2), 6);
}

/* Sizes beside a 0 may be large, as long as their product can be a stride. */
static void empty_arrays_may_have_any_shape(void **state)
{
    (void)state;
    static const char *const orders[] = {"True", "False"};
    for (int i = 0; i < 4; i++) {
        char header[120];
        snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': %s, 'shape': (%s), }",
                 orders[i % 2], i < 2 ? "0, 9, 36028797018963968" : "36028797018963968, 9, 0");
        mc_tensor *x = mc_load_npy(npy_file(1, header, 0));
        assert_int_equal(mc_numel(x), 0);
        assert_int_equal(mc_size(x, 1), 9);
        assert_true(mc_save_npy(x, path_of("empty.npy")));
    }
}

static void bools_are_0_or_1(void **state)
{
    (void)state;
    const char *path = npy_file(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 3);
    assert_tensor(mc_load_npy(path), MC_BOOL, mc_shape(3), "\1\1\1");
}

/* ---- round trips --------------------------------------------------------------------------- */

static const mc_dtype held[] = {MC_BOOL, MC_U8,  MC_I8,  MC_I16, MC_I32,
                                MC_I64,  MC_F16, MC_F32, MC_F64};

static void every_dtype_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
        uint8_t bytes[24 * 8];
        fill_bytes(held[i], bytes, sizeof bytes);
        mc_tensor *x = mc_from_array((void *)bytes, mc_shape(2, 3, 4), .dtype = held[i]);
        assert_true(mc_save_npy(x, path_of("round.npy")));
        assert_tensor(mc_load_npy(path_of("round.npy")), held[i], mc_shape(2, 3, 4), bytes);
    }
}

static void strided_tensors_are_saved_in_order(void **state)
{
    (void)state;
    int32_t numbers[12];
    for (int i = 0; i < 12; i++)
        numbers[i] = i;
    mc_tensor *x = mc_from_array(numbers, mc_shape(3, 4));
    assert_true(mc_save_npy(mc_slice_step(x, 1, 1, 4, 2), path_of("strided.npy")));
    assert_tensor(mc_load_npy(path_of("strided.npy")), MC_I32, mc_shape(3, 2),
                  (int32_t[]){1, 3, 5, 7, 9, 11});
    assert_true(mc_save_npy(mc_t(x), path_of("strided.npy")));
    mc_tensor *t = mc_load_npy(path_of("strided.npy"));
    assert_tensor(t, MC_I32, mc_shape(4, 3), (int32_t[]){0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
    assert_int_equal(mc_stride(t, 0), 1); /* Fortran order, in the file and here */
    assert_true(mc_save_npy(mc_expand(mc_select(x, 0, 1), 2, 4), path_of("strided.npy")));
    assert_tensor(mc_load_npy(path_of("strided.npy")), MC_I32, mc_shape(2, 4),
                  (int32_t[]){4, 5, 6, 7, 4, 5, 6, 7});
}

static void large_arrays_come_back(void **state)
{
    (void)state;
    int64_t n = 700001; /* more than is moved at once */
    mc_tensor *x = mc_empty(mc_shape(n));
    for (int64_t i = 0; i < n; i++)
        mc_data_f32(x)[i] = (float)i;
    assert_true(mc_save_npy(x, path_of("large.npy")));
    assert_tensor(mc_load_npy(path_of("large.npy")), MC_F32, mc_shape(n), mc_data_f32(x));
}

static void cuda_tensors_are_saved(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *x = mc_cuda(mc_from_array(((float[]){1, 2, 3, 4}), mc_shape(2, 2)));
    assert_true(mc_save_npy(mc_t(x), path_of("cuda.npy")));
    assert_tensor(mc_load_npy(path_of("cuda.npy")), MC_F32, mc_shape(2, 2), (float[]){1, 3, 2, 4});
}

/* ---- what is refused ----------------------------------------------------------------------- */

static const struct bad_header {
    const char *header;
    size_t n;
    const char *words;
} bad_headers[] = {
    {"", 0, "header, byte 10: '{' expected"},
    {"[]", 0, "'{' expected"},
    {"{}", 0, "descr is not said"},
    {"{'descr': '<f4', 'shape': (1,)}", 4, "fortran_order is not said"},
    {"{'descr': '<f4', 'fortran_order': False}", 4, "shape is not said"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4,
     "a key comes twice"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", 4, "a key other than"},
    {"{'descr': '<f4', 'fortran_order': false, 'shape': (1,)}", 4, "byte 44: True or False"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", 4, "',' or '}' expected"},
    {"{'descr' '<f4'}", 0, "':' expected"},
    {"{descr: '<f4'}", 0, "a string expected"},
    {"{'descr", 0, "a string does not end"},
    {"{'desc\\x72': '<f4'}", 0, "a string that no .npy header has"},
    {"{'descr': 'f4', 'fortran_order': False, 'shape': (1,)}", 4, "descr is not a dtype"},
    {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", 4, "descr is not a dtype"},
    {"{'descr': '<', 'fortran_order': False, 'shape': (1,)}", 4, "descr is not a dtype"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 1}", 4, "'(' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", 4, "a shape is a tuple"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", 8, "',' or ')' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4, "a size expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 4, "a size expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}", 4, "',' or ')' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", 4, "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", 4, "8 dimensions"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, "more follows"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,", 4, "a size expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 4,
     "4 bytes from byte 65 do not make"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 9,
     "9 bytes from byte 65 do not make"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (36028797018963968, 4)}", 0, "do not make"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}", 0, "do not make"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807, 9)}", 9,
     "do not make"},
};

static void malformed_headers_are_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_headers / sizeof bad_headers[0]; i++) {
        assert_null(mc_load_npy(npy_file(1, bad_headers[i].header, bad_headers[i].n)));
        assert_error(MC_ERROR_FILE, bad_headers[i].words);
    }
}

static const struct bad_file {
    const char *hex;
    const char *words;
} bad_files[] = {
    {"", "not a .npy file"},
    {"93", "not a .npy file"},
    {"934e554d5059", "not a .npy file"},
    {"934e554d505901007600", "said to take 118 bytes from byte 10, the file ends at 10"},
    {"934e554d505801000000", "not a .npy file"},
    {"504b0304140000000000", "not a .npy file"},
    {"934e554d505904000000", "version 4.0"},
    {"934e554d505900000000", "version 0.0"},
    {"934e554d505901010000", "version 1.1"},
    {"934e554d50590200ffffffff", "said to take 4294967295 bytes from byte 12"},
    {"934e554d505902000000", "from byte 12, the file ends at 10"},
};

static void malformed_files_are_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        uint8_t file[32];
        size_t n = from_hex(bad_files[i].hex, file);
        assert_null(mc_load_npy(write_bytes("bad.npy", file, n)));
        assert_error(MC_ERROR_FILE, bad_files[i].words);
    }
}

/* The file is fine, only not for us. */
static void other_dtypes_are_dtype_errors(void **state)
{
    (void)state;
    static const char *const descriptors[] = {"'<u2'",          "'<u8'",   "'<c8'", "'|O'",
                                              "'<U7'",          "'<f16'",  "'|V2'", "'|S1'",
                                              "[('a', '<f4')]", "'<M8[s]'"};
    for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++) {
        char header[120];
        snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,), }",
                 descriptors[i]);
        assert_null(mc_load_npy(npy_file(1, header, 4)));
        assert_error(MC_ERROR_DTYPE, "hand.npy: ");
    }
}

static void every_cut_of_a_file_is_an_error(void **state)
{
    (void)state;
    uint8_t file[256];
    size_t n = numpy_file(&numpy_cases[0], file);
    for (size_t cut = 0; cut < n; cut++) {
        assert_null(mc_load_npy(write_bytes("cut.npy", file, cut)));
        assert_error(MC_ERROR_FILE, "cut.npy: ");
    }
}

static void paths_that_are_no_files(void **state)
{
    (void)state;
    assert_null(mc_load_npy(path_of("none.npy")));
    assert_error(MC_ERROR_FILE, "none.npy: cannot open");
    assert_null(mc_load_npy(folder));
    assert_error(MC_ERROR_FILE, "not a regular file");
    assert_null(mc_load_npy(NULL));
    assert_error(MC_ERROR_ARGUMENT, "path is NULL");
}

static void what_cannot_be_saved(void **state)
{
    (void)state;
    static const mc_dtype others[] = {MC_BF16, MC_F8_E4M3, MC_F8_E5M2};
    int files = count_files();
    for (int i = 0; i < 3; i++) {
        assert_false(mc_save_npy(mc_empty(mc_shape(2), .dtype = others[i]), path_of("no.npy")));
        assert_error(MC_ERROR_DTYPE, "a .npy file cannot hold");
    }
    mc_tensor *x = mc_from_array(((float[]){1}), mc_shape(1));
    assert_false(mc_save_npy(x, path_of("no/such/folder.npy")));
    assert_error(MC_ERROR_FILE, "folder.npy: cannot create");
    assert_false(mc_save_npy(x, folder));
    assert_error(MC_ERROR_FILE, "not a regular file");
    assert_false(mc_save_npy(x, NULL));
    assert_error(MC_ERROR_ARGUMENT, "path is NULL");
    assert_false(mc_save_npy(NULL, path_of("no.npy")));
    assert_error(MC_ERROR_ARGUMENT, "NULL");
    assert_int_equal(count_files(), files); /* nothing half-written is left */
}

/* A disk that is full, as far as a program can tell. */
static void a_failed_save_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit before, small = {.rlim_cur = 200};
    mc_tensor *x = mc_zeros(mc_shape(100));
    mc_tensor *old = mc_from_array(((int8_t[]){7}), mc_shape(1));
    assert_true(mc_save_npy(old, path_of("full.npy")));
    int files = count_files();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool saved = mc_save_npy(x, path_of("full.npy"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(saved);
    assert_error(MC_ERROR_FILE, "full.npy: cannot write");
    assert_int_equal(count_files(), files);
    assert_tensor(mc_load_npy(path_of("full.npy")), MC_I8, mc_shape(1), "\7");
}

static void names_may_be_as_long_as_can_be(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    assert_true(mc_save_npy(mc_zeros(mc_shape(1)), path_of(name)));
    assert_tensor(mc_load_npy(path_of(name)), MC_F32, mc_shape(1), (float[]){0});
}

static jmp_buf jump;

static void jump_out(const mc_error *error, void *user)
{
    (void)error;
    (void)user;
    longjmp(jump, 1);
}

/* Handlers may leave by longjmp: whatever was open by then must be closed. */
static void jumping_handlers_leave_nothing_open(void **state)
{
    (void)state;
    struct rlimit before, few = {.rlim_cur = 64};
    volatile int left = 0;
    const char *path = npy_file(1, "{}", 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    mc_set_error_handler(jump_out, NULL);
    for (volatile int i = 0; i < 200; i++)
        if (setjmp(jump))
            left++;
        else
            mc_load_npy(path);
    mc_set_error_handler(mc_error_remember, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(left, 200);
    assert_error(MC_ERROR_FILE, "descr is not said");
}

static void saving_through_a_link_keeps_it(void **state)
{
    (void)state;
    char to[200];
    mc_tensor *x = mc_from_array(((int8_t[]){7}), mc_shape(1));
    write_bytes("real.npy", "old", 3);
    assert_int_equal(symlink("real.npy", path_of("link.npy")), 0);
    assert_true(mc_save_npy(x, path_of("link.npy")));
    assert_true(readlink(path_of("link.npy"), to, sizeof to) > 0);
    assert_tensor(mc_load_npy(path_of("real.npy")), MC_I8, mc_shape(1), "\7");
}

static void long_paths_do_not_hide_the_reason(void **state)
{
    (void)state;
    char path[3000];
    memset(path, 'x', sizeof path);
    strcpy(path + sizeof path - 20, "/the_end.npy");
    assert_null(mc_load_npy(path));
    assert_error(MC_ERROR_FILE, "/the_end.npy: cannot open");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_and_writes_what_numpy_writes),
        TEST(reads_every_version),
        TEST(reads_any_order_and_quotes),
        TEST(swaps_big_endian),
        TEST(fortran_order_becomes_strides),
        TEST(empty_arrays_may_have_any_shape),
        TEST(bools_are_0_or_1),
        TEST(every_dtype_comes_back),
        TEST(strided_tensors_are_saved_in_order),
        TEST(large_arrays_come_back),
        TEST(cuda_tensors_are_saved),
        TEST(malformed_headers_are_errors),
        TEST(malformed_files_are_errors),
        TEST(other_dtypes_are_dtype_errors),
        TEST(every_cut_of_a_file_is_an_error),
        TEST(paths_that_are_no_files),
        TEST(what_cannot_be_saved),
        TEST(a_failed_save_leaves_the_old_file),
        TEST(names_may_be_as_long_as_can_be),
        TEST(jumping_handlers_leave_nothing_open),
        TEST(saving_through_a_link_keeps_it),
        TEST(long_paths_do_not_hide_the_reason),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
