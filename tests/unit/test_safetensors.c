/* safetensors files: one that the format's own library wrote is read; every dtype comes back; every
 * malformed header is an error; tensors are views of the file that outlive it and never change it.
 */
#include "tests/unit/files.h"

#include <sys/stat.h>

/* ---- a file by the safetensors library ------------------------------------------------------ */

/* save({'b': ones(3, bf16), 'a': arange(4.), 'c é"': tensor(True)}, metadata={'format': 'pt'}) */
static const char theirs[] =
    "\xd0\0\0\0\0\0\0\0"
    "{\"__metadata__\":{\"format\":\"pt\"},"
    "\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
    "\"b\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[16,22]},"
    "\"c \xc3\xa9\\\"\":{\"dtype\":\"BOOL\",\"shape\":[],\"data_offsets\":[22,23]}}      "
    "\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\x80\x3f\x80\x3f\x80\x3f\1";

static void reads_what_the_library_writes(void **state)
{
    (void)state;
    mc_safetensors *f =
        mc_safetensors_open(write_bytes("theirs.safetensors", theirs, sizeof theirs - 1));
    assert_non_null(f);
    assert_int_equal(mc_safetensors_count(f), 3);
    assert_string_equal(mc_safetensors_name(f, 0), "a");
    assert_string_equal(mc_safetensors_name(f, 1), "b");
    assert_string_equal(mc_safetensors_name(f, 2), "c \xc3\xa9\"");
    assert_null(mc_safetensors_name(f, 3));
    assert_tensor(mc_safetensors_get(f, "a"), MC_F32, mc_shape(4), (float[]){0, 1, 2, 3});
    assert_tensor(mc_safetensors_get(f, "b"), MC_BF16, mc_shape(3), "\x80\x3f\x80\x3f\x80\x3f");
    assert_tensor(mc_safetensors_get(f, "c \xc3\xa9\""), MC_BOOL, mc_shape(), "\1");
    mc_safetensors_close(f);
}

/* ---- files by hand ------------------------------------------------------------------------- */

/* A file of this header and n bytes counting up from 1. */
static const char *hand(const char *header, size_t n)
{
    uint8_t file[2048];
    size_t length = strlen(header);
    for (int i = 0; i < 8; i++)
        file[i] = (uint8_t)(length >> (8 * i));
    memcpy(file + 8, header, length);
    for (size_t i = 0; i < n; i++)
        file[8 + length + i] = (uint8_t)(i + 1);
    return write_bytes("hand.safetensors", file, 8 + length + n);
}

#define U8_ENTRY(shape, offsets)                                                                   \
    "{\"dtype\":\"U8\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static const struct good_header {
    const char *header;
    size_t n;
    size_t count;
    const char *name; /* of the first */
} good_headers[] = {
    {"{}", 0, 0, NULL},
    {"{ \n\t}   ", 0, 0, NULL},
    {"{\"__metadata__\":{}}", 0, 0, NULL},
    {"{\"__metadata__\":{\"a\":\"b\",\"c\":\"d\"},\"x\":" U8_ENTRY("[2]", "[0,2]") "}", 2, 1, "x"},
    {"{\"x\":" U8_ENTRY("[2]", "[0,2]") ",\"__metadata__\":{}}", 2, 1, "x"},
    {"{\"\":" U8_ENTRY("[]", "[0,1]") "}", 1, 1, ""},
    {"{ \"x\" : { \"data_offsets\" : [ 0 , 1 ] , \"shape\" : [ ] , \"dtype\" : \"I8\" } }", 1, 1,
     "x"},
    {"{\"\\u00e9\\ud83d\\ude00\\n\\\\\\/\":" U8_ENTRY("[]", "[0,1]") "}", 1, 1,
     "\xc3\xa9\xf0\x9f\x98\x80\n\\/"},
    {"{\"b\":" U8_ENTRY("[2]", "[1,3]") ",\"a\":" U8_ENTRY("[1]", "[0,1]") "}", 3, 2, "b"},
    {"{\"e\":" U8_ENTRY("[0,9]", "[1,1]") ",\"a\":" U8_ENTRY("[1]", "[0,1]") "}", 1, 2, "e"},
    {"{\"u\":{\"dtype\":\"U64\",\"shape\":[2],\"data_offsets\":[0,16]}}", 16, 1, "u"},
    {"{\"u\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[0,2]}}", 2, 1, "u"},
};

static void unusual_headers_are_fine(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_headers / sizeof good_headers[0]; i++) {
        const struct good_header *k = &good_headers[i];
        mc_safetensors *f = mc_safetensors_open(hand(k->header, k->n));
        if (!f)
            fail_msg("%s: %s", k->header, mc_last_error()->message);
        assert_int_equal(mc_safetensors_count(f), k->count);
        if (k->name)
            assert_string_equal(mc_safetensors_name(f, 0), k->name);
        mc_safetensors_close(f);
    }
}

static const struct bad_header {
    const char *header;
    size_t n;
    const char *words;
} bad_headers[] = {
    {"", 0, "byte 8: '{' expected"},
    {" {}", 0, "byte 8: '{' expected"},
    {"[]", 0, "'{' expected"},
    {"{", 0, "'\"' expected"},
    {"{}}", 0, "byte 10: more follows"},
    {"{,}", 0, "'\"' expected"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") ",}", 1, "'\"' expected"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") " \"y\":1}", 1, "',' or '}' expected"},
    {"{\"x\" {}}", 0, "':' expected"},
    {"{\"x\":1}", 0, "'{' expected"},
    {"{\"x\":{}}", 0, "tensor 'x' has no dtype"},
    {"{\"x\":{\"dtype\":\"U8\"}}", 0, "tensor 'x' has no shape"},
    {"{\"x\":{\"dtype\":\"U8\",\"shape\":[0]}}", 0, "tensor 'x' has no data_offsets"},
    {"{\"x\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, "dtype comes twice"},
    {"{\"x\":{\"type\":\"U8\"}}", 0, "'type' is not a key of a tensor"},
    {"{\"x\":{\"dtype\":\"u8\"}}", 0, "'u8' is not a dtype of the format"},
    {"{\"x\":{\"dtype\":8}}", 0, "'\"' expected"},
    {"{\"x\":" U8_ENTRY("1", "[0,1]") "}", 1, "'[' expected"},
    {"{\"x\":" U8_ENTRY("[-1]", "[0,1]") "}", 1, "a size expected"},
    {"{\"x\":" U8_ENTRY("[1.0]", "[0,1]") "}", 1, "a size is a whole number"},
    {"{\"x\":" U8_ENTRY("[1e0]", "[0,1]") "}", 1, "a size is a whole number"},
    {"{\"x\":" U8_ENTRY("[01]", "[0,1]") "}", 1, "a number begins with 0"},
    {"{\"x\":" U8_ENTRY("[1,]", "[0,1]") "}", 1, "a size expected"},
    {"{\"x\":" U8_ENTRY("[null]", "[0,1]") "}", 1, "a size expected"},
    {"{\"x\":" U8_ENTRY("[9223372036854775808]", "[0,1]") "}", 1, "the number is too large"},
    {"{\"x\":" U8_ENTRY("[1,1,1,1,1,1,1,1,1]", "[0,1]") "}", 1, "more than 8 dimensions"},
    {"{\"x\":" U8_ENTRY("[1]", "[0]") "}", 1, "',' expected"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1,2]") "}", 1, "']' expected"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,2]") "}", 2, "2 bytes do not make shape (1) of U8"},
    {"{\"x\":" U8_ENTRY("[2]", "[0,1]") "}", 1, "1 bytes do not make shape (2) of U8"},
    {"{\"x\":" U8_ENTRY("[1]", "[1,0]") "}", 1, "bytes 1 to 0"},
    {"{\"x\":" U8_ENTRY("[2]", "[0,2]") "}", 1, "bytes 0 to 2, the data has 1"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") "}", 2, "the data has 2 bytes, the tensors take 1"},
    {"{}", 1, "the data has 1 bytes, the tensors take 0"},
    {"{\"x\":" U8_ENTRY("[4611686018427387904,4]", "[0,0]") "}", 0, "do not make shape"},
    {"{\"x\":{\"dtype\":\"F64\",\"shape\":[2305843009213693952],\"data_offsets\":[0,0]}}", 0,
     "do not make shape"},
    {"{\"x\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", 1, "do not make shape"},
    {"{\"x\":" U8_ENTRY("[2]", "[0,2]") ",\"y\":" U8_ENTRY("[2]", "[1,3]") "}", 3,
     "tensor 'y' begins at byte 1 of the data, but bytes are taken up to 2"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") ",\"y\":" U8_ENTRY("[1]", "[2,3]") "}", 3,
     "tensor 'y' begins at byte 2 of the data, after a hole from 1"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") ",\"x\":" U8_ENTRY("[1]", "[1,2]") "}", 2,
     "tensor 'x' is there twice"},
    {"{\"x\":" U8_ENTRY("[1]", "[0,1]") ",\"\\u0078\":" U8_ENTRY("[1]", "[1,2]") "}", 2,
     "tensor 'x' is there twice"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ comes twice"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "'\"' expected"},
    {"{\"__metadata__\":[]}", 0, "'{' expected"},
    {"{\"x", 0, "'\"' expected"},
    {"{\"\\x\":1}", 0, "an escape that JSON does not have"},
    {"{\"\\", 0, "an escape that JSON does not have"},
    {"{\"\\u12\":1}", 0, "four hexadecimal digits"},
    {"{\"\\u0000\":1}", 0, "a string holds a zero"},
    {"{\"\\ud800\":1}", 0, "half of a surrogate pair"},
    {"{\"\\ud800\\u0041\":1}", 0, "half of a surrogate pair"},
    {"{\"\\udc00\":1}", 0, "half of a surrogate pair"},
    {"{\"\n\":1}", 0, "a control character"},
    {"{\"\xff\":1}", 0, "not UTF-8"},
    {"{\"\xc0\xaf\":1}", 0, "not UTF-8"},
    {"{\"\xed\xa0\x80\":1}", 0, "not UTF-8"},
    {"{\"\xf4\x90\x80\x80\":1}", 0, "not UTF-8"},
    {"{\"\xe2\x82", 0, "not UTF-8"},
};

static void malformed_headers_are_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_headers / sizeof bad_headers[0]; i++) {
        assert_null(mc_safetensors_open(hand(bad_headers[i].header, bad_headers[i].n)));
        assert_error(MC_ERROR_FILE, bad_headers[i].words);
    }
}

static void malformed_lengths_are_errors(void **state)
{
    (void)state;
    assert_null(mc_safetensors_open(write_bytes("bad.safetensors", "", 0)));
    assert_error(MC_ERROR_FILE, "not a safetensors file: it has 0 bytes");
    assert_null(mc_safetensors_open(write_bytes("bad.safetensors", "\2\0\0\0\0\0\0", 7)));
    assert_error(MC_ERROR_FILE, "it has 7 bytes");
    assert_null(mc_safetensors_open(write_bytes("bad.safetensors", "\3\0\0\0\0\0\0\0{}", 10)));
    assert_error(MC_ERROR_FILE, "said to take 3 bytes from byte 8, the file ends at 10");
    assert_null(mc_safetensors_open(write_bytes("bad.safetensors", "\1\xe1\xf5\5\0\0\0\0{}", 10)));
    assert_error(MC_ERROR_FILE, "said to take 100000001 bytes, the most is 100000000");
    assert_null(mc_safetensors_open(
        write_bytes("bad.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)));
    assert_error(MC_ERROR_FILE, "said to take 18446744073709551615 bytes");
}

static void every_cut_of_a_file_is_an_error(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < sizeof theirs - 1; cut++) {
        assert_null(mc_safetensors_open(write_bytes("cut.safetensors", theirs, cut)));
        assert_error(MC_ERROR_FILE, "cut.safetensors: ");
    }
}

static void misaligned_data_is_copied(void **state)
{
    (void)state;
    for (size_t blanks = 0; blanks < 4; blanks++) {
        char header[200];
        snprintf(header, sizeof header,
                 "{\"x\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}}%*s", (int)blanks,
                 "");
        mc_safetensors *f = mc_safetensors_open(hand(header, 8));
        mc_tensor *x = mc_safetensors_get(f, "x");
        assert_tensor(x, MC_I32, mc_shape(2), "\1\2\3\4\5\6\7\10");
        assert_int_equal((uintptr_t)mc_data_i32(x) % 4, 0);
        mc_safetensors_close(f);
    }
}

static void bools_are_0_or_1(void **state)
{
    (void)state;
    mc_safetensors *f = mc_safetensors_open(
        hand("{\"x\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[0,3]}}", 3));
    assert_tensor(mc_safetensors_get(f, "x"), MC_BOOL, mc_shape(3), "\1\1\1");
    mc_safetensors_close(f);
}

static void other_dtypes_are_dtype_errors(void **state)
{
    (void)state;
    mc_safetensors *f = mc_safetensors_open(
        hand("{\"x\":{\"dtype\":\"U16\",\"shape\":[1],\"data_offsets\":[0,2]},\"y\":" U8_ENTRY(
                 "[1]", "[2,3]") "}",
             3));
    assert_null(mc_safetensors_get(f, "x"));
    assert_error(MC_ERROR_DTYPE, "hand.safetensors: tensor 'x' is U16");
    assert_tensor(mc_safetensors_get(f, "y"), MC_U8, mc_shape(1), "\3");
    mc_safetensors_close(f);
}

/* ---- round trips --------------------------------------------------------------------------- */

#define DTYPES (MC_DTYPE_COUNT - 1)

static void every_dtype_comes_back(void **state)
{
    (void)state;
    uint8_t bytes[DTYPES][48];
    const char *names[DTYPES];
    mc_tensor *tensors[DTYPES];
    for (int i = 0; i < DTYPES; i++) {
        mc_dtype d = (mc_dtype)(i + 1);
        fill_bytes(d, bytes[i], sizeof bytes[i]);
        names[i] = mc_dtype_name(d);
        tensors[i] = mc_from_array((void *)bytes[i], mc_shape(2, 3), .dtype = d);
    }
    assert_true(mc_safetensors_save(path_of("all.safetensors"), DTYPES, names, tensors));
    mc_safetensors *f = mc_safetensors_open(path_of("all.safetensors"));
    assert_int_equal(mc_safetensors_count(f), DTYPES);
    for (int i = 0; i < DTYPES; i++) {
        assert_string_equal(mc_safetensors_name(f, (size_t)i), names[i]);
        assert_tensor(mc_safetensors_get(f, names[i]), (mc_dtype)(i + 1), mc_shape(2, 3), bytes[i]);
    }
    mc_safetensors_close(f);
}

static void any_layout_and_name_comes_back(void **state)
{
    (void)state;
    const char *names[] = {"t", "quote\" \\ \n \x01", "", "0-dim", "caf\xc3\xa9"};
    mc_tensor *x = mc_from_array(((int16_t[]){1, 2, 3, 4, 5, 6}), mc_shape(2, 3));
    mc_tensor *tensors[] = {mc_t(x), mc_slice_step(x, 1, 0, 3, 2), mc_empty(mc_shape(0, 4)),
                            mc_select(mc_select(x, 0, 1), 0, 2),
                            mc_expand(mc_narrow(x, 1, 1, 1), 2, 2)};
    const char *path = path_of("layouts.safetensors");
    assert_true(mc_safetensors_save(path, 5, names, tensors));
    mc_safetensors *f = mc_safetensors_open(path);
    assert_tensor(mc_safetensors_get(f, names[0]), MC_I16, mc_shape(3, 2),
                  (int16_t[]){1, 4, 2, 5, 3, 6});
    assert_tensor(mc_safetensors_get(f, names[1]), MC_I16, mc_shape(2, 2), (int16_t[]){1, 3, 4, 6});
    assert_tensor(mc_safetensors_get(f, names[2]), MC_F32, mc_shape(0, 4), "");
    assert_tensor(mc_safetensors_get(f, names[3]), MC_I16, mc_shape(), (int16_t[]){6});
    assert_tensor(mc_safetensors_get(f, names[4]), MC_I16, mc_shape(2, 2), (int16_t[]){2, 2, 5, 5});
    mc_safetensors_close(f);
}

static void no_tensors_make_a_file(void **state)
{
    (void)state;
    char bytes[100];
    assert_true(mc_safetensors_save(path_of("none.safetensors"), 0, NULL, NULL));
    assert_int_equal(read_bytes(path_of("none.safetensors"), bytes, sizeof bytes), 64);
    assert_memory_equal(bytes, "\x38\0\0\0\0\0\0\0{} ", 11);
    mc_safetensors *f = mc_safetensors_open(path_of("none.safetensors"));
    assert_int_equal(mc_safetensors_count(f), 0);
    mc_safetensors_close(f);
}

static void cuda_tensors_are_saved(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *x = mc_cuda(mc_from_array(((float[]){1, 2, 3, 4}), mc_shape(2, 2)));
    assert_true(mc_safetensors_save(path_of("cuda.safetensors"), 2,
                                    ((const char *const[]){"x", "xt"}),
                                    ((mc_tensor *const[]){x, mc_t(x)})));
    mc_safetensors *f = mc_safetensors_open(path_of("cuda.safetensors"));
    assert_tensor(mc_safetensors_get(f, "x"), MC_F32, mc_shape(2, 2), (float[]){1, 2, 3, 4});
    assert_tensor(mc_safetensors_get(f, "xt"), MC_F32, mc_shape(2, 2), (float[]){1, 3, 2, 4});
    mc_safetensors_close(f);
}

/* ---- files and tensors apart ---------------------------------------------------------------- */

/* n floats counting up, saved as "x"; beyond 256 KiB a file is mapped, below it is read. */
static const char *counting_file(int64_t n)
{
    const char *path = path_of("counting.safetensors");
    mc_tensor *x = mc_empty(mc_shape(n));
    for (int64_t i = 0; i < n; i++)
        mc_data_f32(x)[i] = (float)i;
    assert_true(mc_safetensors_save(path, 1, (const char *const[]){"x"}, &x));
    return path;
}

static void check_apart(int64_t n)
{
    const char *path = counting_file(n);
    mc_safetensors *f = mc_safetensors_open(path);
    mc_tensor *x = mc_safetensors_get(f, "x"), *same = mc_safetensors_get(f, "x");
    mc_safetensors_close(f);
    assert_true(mc_data_f32(x)[n - 1] == (float)(n - 1));
    mc_data_f32(x)[n - 1] = -1; /* seen by whoever views the file here, not by the file */
    assert_true(mc_data_f32(same)[n - 1] == -1);
    f = mc_safetensors_open(path);
    assert_true(mc_data_f32(mc_safetensors_get(f, "x"))[n - 1] == (float)(n - 1));
    mc_safetensors_close(f);
    /* Replacing the file leaves what was loaded from it as it was. */
    assert_true(mc_safetensors_save(path, 1, (const char *const[]){"y"}, &same));
    assert_true(mc_data_f32(x)[n - 2] == (float)(n - 2));
    mc_free(x);
    assert_true(mc_data_f32(same)[0] == 0);
}

static void tensors_outlive_the_file_and_leave_it_alone(void **state)
{
    (void)state;
    check_apart(10);
    check_apart(200000);
}

static void a_file_is_opened_by_many(void **state)
{
    (void)state;
    const char *path = counting_file(100000);
    for (int i = 0; i < 50; i++) {
        mc_scope scope = mc_scope_begin();
        mc_safetensors *f = mc_safetensors_open(path);
        mc_tensor *x = mc_safetensors_get(f, "x");
        assert_true(mc_data_f32(mc_narrow(x, 0, i, 1))[0] == (float)i);
        mc_safetensors_close(f);
        mc_scope_end(scope);
    }
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void what_cannot_be_had(void **state)
{
    (void)state;
    assert_null(mc_safetensors_open(path_of("none.here")));
    assert_error(MC_ERROR_FILE, "none.here: cannot open");
    assert_null(mc_safetensors_open(folder));
    assert_error(MC_ERROR_FILE, "not a regular file");
    assert_null(mc_safetensors_open(NULL));
    assert_error(MC_ERROR_ARGUMENT, "path is NULL");
    assert_null(mc_safetensors_get(NULL, "x"));
    assert_error(MC_ERROR_ARGUMENT, "file is NULL");
    mc_safetensors *f = mc_safetensors_open(hand("{\"x\":" U8_ENTRY("[1]", "[0,1]") "}", 1));
    assert_null(mc_safetensors_get(f, "y"));
    assert_error(MC_ERROR_FILE, "hand.safetensors: it has no tensor 'y'");
    assert_null(mc_safetensors_get(f, NULL));
    assert_error(MC_ERROR_ARGUMENT, "name is NULL");
    mc_safetensors_close(f);
    mc_safetensors_close(NULL);
    assert_int_equal(mc_safetensors_count(NULL), 0);
    assert_null(mc_safetensors_name(NULL, 0));
}

static void what_cannot_be_saved(void **state)
{
    (void)state;
    mc_tensor *x = mc_empty(mc_shape(1));
    mc_tensor *two[] = {x, x};
    const char *path = path_of("refused.safetensors");
    int files = count_files();
    static const struct {
        const char *names[2];
        const char *words;
    } bad[] = {{{"a", "a"}, "two tensors are named 'a'"},
               {{"a", NULL}, "name 1 is NULL"},
               {{"\xff", "a"}, "name 0 is not UTF-8"},
               {{"a", "__metadata__"}, "no tensor can be named __metadata__"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(mc_safetensors_save(path, 2, bad[i].names, two));
        assert_error(MC_ERROR_ARGUMENT, bad[i].words);
    }
    const char *names[] = {"a", "b"};
    assert_false(mc_safetensors_save(path, 2, names, ((mc_tensor *const[]){x, NULL})));
    assert_error(MC_ERROR_ARGUMENT, "NULL");
    assert_false(mc_safetensors_save(path, 2, NULL, two));
    assert_error(MC_ERROR_ARGUMENT, "names is NULL");
    assert_false(mc_safetensors_save(path, 2, names, NULL));
    assert_error(MC_ERROR_ARGUMENT, "tensors is NULL");
    assert_false(mc_safetensors_save(NULL, 2, names, two));
    assert_error(MC_ERROR_ARGUMENT, "path is NULL");
    assert_false(mc_safetensors_save(path_of("no/such/folder"), 2, names, two));
    assert_error(MC_ERROR_FILE, "cannot create");
    assert_int_equal(count_files(), files);
}

static void new_files_have_the_usual_mode(void **state)
{
    (void)state;
    struct stat st;
    mode_t mask = umask(022);
    counting_file(1);
    umask(mask);
    assert_int_equal(stat(path_of("counting.safetensors"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0644);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_what_the_library_writes),
        TEST(unusual_headers_are_fine),
        TEST(malformed_headers_are_errors),
        TEST(malformed_lengths_are_errors),
        TEST(every_cut_of_a_file_is_an_error),
        TEST(misaligned_data_is_copied),
        TEST(bools_are_0_or_1),
        TEST(other_dtypes_are_dtype_errors),
        TEST(every_dtype_comes_back),
        TEST(any_layout_and_name_comes_back),
        TEST(no_tensors_make_a_file),
        TEST(cuda_tensors_are_saved),
        TEST(tensors_outlive_the_file_and_leave_it_alone),
        TEST(a_file_is_opened_by_many),
        TEST(what_cannot_be_had),
        TEST(what_cannot_be_saved),
        TEST(new_files_have_the_usual_mode),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
