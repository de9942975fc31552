/* Operands as rows write them, `f16.0d@cuda`, `scalar:float`, `dtype:f16`, `f32:BITS`, into
 * structs, and structs into tensors. */
#include "tests/truth/truth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mc_dtype operand_dtype(const char *name)
{
    for (int d = MC_BOOL; d < MC_DTYPE_COUNT; d++)
        if (strcmp(name, mc_dtype_name((mc_dtype)d)) == 0)
            return (mc_dtype)d;
    return MC_DTYPE_DEFAULT;
}

/* Cuts ending off text, if it ends so. */
static bool cut_ending(char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    if (length < n || strcmp(text + length - n, ending) != 0)
        return false;
    text[length - n] = '\0';
    return true;
}

static bool parse_number(const char *name, mc_arg *number)
{
    if (strcmp(name, "int") == 0)
        *number = mc_arg_int(2);
    else if (strcmp(name, "float") == 0)
        *number = mc_arg_float(2.5);
    else if (strcmp(name, "bool") == 0)
        *number = mc_arg_bool(true);
    else
        return false;
    return true;
}

/* Bits are signed integers of the dtype's width; u8 and bool are not signed. */
static bool parse_bits(const char *text, mc_dtype dtype, int64_t *bits)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno)
        return false;
    int width = 8 * (int)mc_dtype_size(dtype);
    int64_t low = dtype == MC_U8 || dtype == MC_BOOL ? 0 : INT64_MIN >> (64 - width);
    int64_t high = dtype == MC_BOOL ? 1 : dtype == MC_U8 ? 255 : INT64_MAX >> (64 - width);
    *bits = value;
    return value >= low && value <= high;
}

static bool parse_tensor(char *text, struct operand *operand)
{
    char *bits = strchr(text, ':');
    if (bits)
        *bits++ = '\0';
    operand->device = cut_ending(text, "@cuda") ? MC_CUDA : MC_CPU;
    operand->zero_dim = cut_ending(text, ".0d");
    operand->dtype = operand_dtype(text);
    operand->has_bits = bits != NULL;
    return operand->dtype != MC_DTYPE_DEFAULT &&
           (!bits || parse_bits(bits, operand->dtype, &operand->bits));
}

static bool parse_one(char *text, struct operand *operand)
{
    if (strncmp(text, "scalar:", 7) == 0) {
        operand->kind = OPERAND_NUMBER;
        return parse_number(text + 7, &operand->number);
    }
    if (strncmp(text, "dtype:", 6) == 0) {
        operand->kind = OPERAND_DTYPE;
        operand->dtype = operand_dtype(text + 6);
        return operand->dtype != MC_DTYPE_DEFAULT;
    }
    operand->kind = OPERAND_TENSOR;
    return parse_tensor(text, operand);
}

bool operands_parse(const char *args, struct operand *operands, int *count)
{
    *count = 0;
    while (*args) {
        char text[64];
        size_t length = strcspn(args, ",");
        if (*count == MAX_OPERANDS || length >= sizeof text)
            return false;
        memcpy(text, args, length);
        text[length] = '\0';
        struct operand *operand = &operands[(*count)++];
        *operand = (struct operand){0};
        if (!parse_one(text, operand))
            return false;
        args += length + (args[length] == ',');
    }
    return true;
}

/* The low bytes of bits, BITS_COUNT times, in the byte order of this machine. */
static mc_tensor *tensor_of_bits(const struct operand *operand)
{
    union {
        int8_t i8[BITS_COUNT];
        int16_t i16[BITS_COUNT];
        int32_t i32[BITS_COUNT];
        int64_t i64[BITS_COUNT];
    } data;
    for (int i = 0; i < BITS_COUNT; i++) {
        switch (mc_dtype_size(operand->dtype)) {
        case 1:
            data.i8[i] = (int8_t)operand->bits;
            break;
        case 2:
            data.i16[i] = (int16_t)operand->bits;
            break;
        case 4:
            data.i32[i] = (int32_t)operand->bits;
            break;
        default:
            data.i64[i] = operand->bits;
            break;
        }
    }
    return mc_from_array((const void *)&data, mc_shape(BITS_COUNT), .dtype = operand->dtype,
                         .device = operand->device);
}

mc_tensor *operand_tensor(const struct operand *operand, mc_shape shape)
{
    if (operand->has_bits)
        return tensor_of_bits(operand);
    return mc_ones(operand->zero_dim ? mc_shape() : shape, .dtype = operand->dtype,
                   .device = operand->device);
}
