/* Fuzzes the .npy reader: from any bytes it loads a tensor or raises an error; and every element of
 * a loaded tensor can be read, in stride order, and printed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "miscast/tensor.h"
#include "runtime/io/io.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static void touch(mc_tensor *x)
{
    size_t nbytes = mc_nbytes(x);
    char *copy = malloc(nbytes + 1);
    if (!copy || !mc_copy_out(x, copy, nbytes))
        abort();
    for (size_t i = 0; mc_dtype_of(x) == MC_BOOL && i < nbytes; i++)
        if (copy[i] != 0 && copy[i] != 1)
            abort();
    free(copy);
    if (mc_numel(x) < 50)
        free(mc_to_string(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mc_set_error_handler(mc_error_remember, NULL);
    mc_scope scope = mc_scope_begin();
    mc_tensor *x = npy_parse(MC_AT, data, size);
    if (!x == !mc_last_error())
        abort(); /* a tensor or an error, never both or neither */
    if (x) {
        fuzz_loaded++;
        touch(x);
    }
    mc_scope_end(scope);
    mc_clear_error();
    return 0;
}

/* ---- valid inputs -------------------------------------------------------------------------- */

static const struct {
    const char *code;
    size_t size;
} types[] = {{"b1", 1}, {"u1", 1}, {"i1", 1}, {"i2", 2}, {"i4", 4},
             {"i8", 8}, {"f2", 2}, {"f4", 4}, {"f8", 8}};

static const struct {
    const char *text;
    size_t numel;
} shapes[] = {{"()", 1},        {"(3,)", 3},          {"(2, 3)", 6},
              {"(0, 5)", 0},    {"(2, 1, 3, 2)", 12}, {"(1, 1, 1, 1, 1, 1, 1, 2)", 2},
              {"(4L, 2L,)", 8}, {"(7, 1, 0, 9)", 0}};

static const char orders[] = "<>|";

/* The text between quotes may come in any order and with any blanks. */
static const char *const frames[] = {
    "{'descr': '%c%s', 'fortran_order': %s, 'shape': %s, }          \n",
    "{\"descr\":\"%c%s\",\"fortran_order\":%s,\"shape\":%s}",
    "{ 'descr' :\t'%c%s', 'fortran_order':%s , 'shape':%s}\n",
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static size_t take(size_t *which, size_t n)
{
    size_t digit = *which % n;
    *which /= n;
    return digit;
}

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    char text[200];
    size_t version = 1 + take(&which, 3), type = take(&which, COUNT(types));
    size_t shape = take(&which, COUNT(shapes)), order = take(&which, 3);
    const char *fortran = take(&which, 2) ? "True" : "False";
    size_t length = (size_t)snprintf(text, sizeof text, frames[take(&which, COUNT(frames))],
                                     orders[order], types[type].code, fortran, shapes[shape].text);
    size_t start = version == 1 ? 10 : 12, nbytes = shapes[shape].numel * types[type].size;
    if (start + length + nbytes > room)
        return 0;
    memcpy(to, "\x93NUMPY", 6);
    memset(to + 6, 0, 6);
    to[6] = (uint8_t)version;
    to[8] = (uint8_t)length;
    memcpy(to + start, text, length);
    for (size_t i = 0; i < nbytes; i++)
        to[start + length + i] = (uint8_t)(i * 37 + which);
    return start + length + nbytes;
}

/* The header ends after its closing brace and the blanks that follow. */
static void repair(uint8_t *data, size_t size)
{
    if (size < 12)
        return;
    size_t start = data[6] == 1 ? 10 : 12, end = start;
    while (end < size && data[end++] != '}') {
    }
    while (end < size && (data[end] == ' ' || data[end] == '\n'))
        end++;
    data[8] = (uint8_t)(end - start);
    data[9] = (uint8_t)((end - start) >> 8);
    if (start == 12)
        data[10] = data[11] = 0;
}

static const char *const words[] = {"'descr'",
                                    "'fortran_order'",
                                    "'shape'",
                                    "True",
                                    "False",
                                    "(",
                                    ")",
                                    ",",
                                    ":",
                                    "{",
                                    "}",
                                    "'",
                                    "\"",
                                    "\\",
                                    "[('a', '<f4')]",
                                    "'<f4'",
                                    "'>i8'",
                                    "'|b1'",
                                    "'<c8'",
                                    "'|O'",
                                    "'<U3'",
                                    "()",
                                    "(1,)",
                                    "0",
                                    "L",
                                    "-1",
                                    "1e3",
                                    "9223372036854775807",
                                    "\x93NUMPY",
                                    " ",
                                    "\n",
                                    NULL};

const struct fuzz_target fuzz_target = {
    .name = "npy",
    .seed_count = 3 * COUNT(types) * COUNT(shapes) * 3 * 2 * COUNT(frames),
    .seed = seed,
    .repair = repair,
    .words = words,
};
