/* Fuzzes the safetensors reader: from any bytes it opens a file or raises an error; every tensor of
 * an open file can be loaded, read, written and printed, also after the file is closed, unless its
 * dtype is not supported. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "miscast/tensor.h"
#include "runtime/io/io.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

#define MOST 16 /* tensors taken from one file */

static mc_tensor *get(mc_safetensors *file, size_t i)
{
    mc_tensor *x = mc_safetensors_get(file, mc_safetensors_name(file, i));
    if (!x && (!mc_last_error() || mc_last_error()->kind != MC_ERROR_DTYPE))
        abort();
    mc_clear_error();
    return x;
}

/* Whatever the file holds, C may read it as the dtype says. */
static void check_readable(mc_tensor *x)
{
    const uint8_t *bytes = mc_data(x);
    if ((uintptr_t)bytes % mc_dtype_size(mc_dtype_of(x)) != 0)
        abort();
    for (size_t i = 0; mc_dtype_of(x) == MC_BOOL && i < mc_nbytes(x); i++)
        if (bytes[i] > 1)
            abort();
    if (mc_numel(x) < 50)
        free(mc_to_string(x));
}

/* No two tensors share a byte, so what was written to one is still there at the end. */
static void write_and_read(mc_tensor *const *tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tensors[i] && mc_nbytes(tensors[i]))
            memset(mc_data(tensors[i]), (int)i + 1, mc_nbytes(tensors[i]));
    for (size_t i = 0; i < count; i++) {
        size_t nbytes = tensors[i] ? mc_nbytes(tensors[i]) : 0;
        const char *bytes = nbytes ? mc_data(tensors[i]) : NULL;
        for (size_t k = 0; k < nbytes; k++)
            if (bytes[k] != (char)(i + 1))
                abort();
    }
}

static void touch(mc_safetensors *file)
{
    mc_tensor *tensors[MOST] = {0};
    size_t count = mc_safetensors_count(file);
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++)
        tensors[i] = get(file, i);
    mc_safetensors_close(file);
    for (size_t i = 0; i < count; i++)
        if (tensors[i])
            check_readable(tensors[i]);
    write_and_read(tensors, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mc_set_error_handler(mc_error_remember, NULL);
    mc_scope scope = mc_scope_begin();
    mc_safetensors *file = safetensors_parse(MC_AT, data, size);
    if (!file == !mc_last_error())
        abort(); /* a file or an error, never both or neither */
    if (file) {
        fuzz_loaded++;
        touch(file);
    }
    mc_scope_end(scope);
    mc_clear_error();
    return 0;
}

/* ---- valid inputs -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t bits;
} types[] = {{"F32", 32}, {"BOOL", 8}, {"BF16", 16},   {"I64", 64},    {"F8_E4M3", 8}, {"F16", 16},
             {"U8", 8},   {"I8", 8},   {"F64", 64},    {"F8_E5M2", 8}, {"I16", 16},    {"I32", 32},
             {"U16", 16}, {"F4", 4},   {"F8_E8M0", 8}, {"C64", 64}};

static const struct {
    const char *text;
    size_t numel;
} shapes[] = {{"[]", 1}, {"[2,3]", 6}, {"[0,7]", 0}, {"[ 1, 2 ,1,2]", 4}, {"[8]", 8}};

static const char *const metadata[] = {"", "\"__metadata__\":{\"format\":\"pt\"},",
                                       "\"__metadata__\" : {} , ",
                                       "\"__metadata__\":{\"a\\u00e9\":\"\\ud83d\\ude00\\n\"},"};
static const char *const names[] = {"w", "layer.0.bias", "caf\xc3\xa9", "\\\"q\\\\uoted\\t"};
static const char *const padding[] = {"", " ", "   \n", "       "};

#define COUNT(a)   (sizeof(a) / sizeof(a)[0])
#define SEED_COUNT (COUNT(types) * COUNT(shapes) * 4 * 4)

static void write_length(uint8_t *to, size_t length)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)((uint64_t)length >> (8 * i));
}

/* One to four tensors; the type and the shape move on from one to the next. A scalar of 4 bits does
 * not fill a byte, so it is left out. */
static size_t seed(size_t which, uint8_t *to, size_t room)
{
    char *text = (char *)to + 8;
    size_t type = which % COUNT(types), shape = which / COUNT(types) % COUNT(shapes);
    size_t extra = which / COUNT(types) / COUNT(shapes), data = 0;
    size_t n = (size_t)snprintf(text, room - 8, "{%s", metadata[extra % 4]);
    for (size_t i = 0, listed = 0; i <= extra / 4 % 4; i++, type++, shape += 2) {
        size_t t = type % COUNT(types), s = shape % COUNT(shapes);
        size_t bits = shapes[s].numel * types[t].bits, begin = data;
        if (bits % 8 != 0)
            continue;
        data += bits / 8;
        n += (size_t)snprintf(text + n, room - 8 - n,
                              "%s\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}",
                              listed++ ? "," : "", names[i], types[t].name, shapes[s].text, begin,
                              data);
    }
    if (text[n - 1] == ',' || text[n - 1] == ' ') /* metadata alone */
        n = (size_t)snprintf(text, room - 8, "{");
    n += (size_t)snprintf(text + n, room - 8 - n, "}%s", padding[which % 4]);
    write_length(to, n);
    for (size_t i = 0; i < data; i++)
        text[n + i] = (char)(i * 29 + which);
    return 8 + n + data;
}

/* The header ends after its closing brace and the blanks that follow. */
static void repair(uint8_t *data, size_t size)
{
    size_t depth = 0, end = 8;
    for (size_t i = 8; i < size && end == 8; i++) {
        depth += data[i] == '{';
        if (data[i] == '}' && depth && --depth == 0)
            end = i + 1;
    }
    while (end < size && data[end] == ' ')
        end++;
    if (size >= 8)
        write_length(data, end - 8);
}

static const char *const words[] = {
    "\"dtype\"",
    "\"shape\"",
    "\"data_offsets\"",
    "\"__metadata__\"",
    "\"F32\"",
    "\"U64\"",
    "\"F6_E2M3\"",
    "[0,0]",
    "[]",
    "{}",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\u0000",
    "\\ud800",
    "\\u00e9",
    "\\",
    "-1",
    "1.5",
    "1e9",
    "00",
    "9223372036854775807",
    "18446744073709551616",
    "null",
    "\xff",
    "\xed\xa0\x80",
    " ",
    "\"w\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},",
    NULL};

const struct fuzz_target fuzz_target = {
    .name = "safetensors",
    .seed_count = SEED_COUNT,
    .seed = seed,
    .repair = repair,
    .words = words,
};
