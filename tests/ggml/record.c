/* record [COMMIT [OP]]: calls each op of ops.def with operands of every type, each call in a
 * process of its own, on ggml's CPU backend, and prints what became of it, as README.md describes.
 * Outcomes:
 *
 *     ok             the result is near to that of operands whose types work
 *     wrong          it computes, but the result has nothing to do with that
 *     abort-build    it stops while the graph is built
 *     abort-compute  it stops when the graph is computed
 *     crash-compute  it accesses memory that is not there
 */
#include "ggml-cpu.h"
#include "ggml.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPERANDS = 8, CELLS = 64 * 64, VALUES = 1 << 18 };

typedef struct ggml_tensor *build_fn(struct ggml_context *ctx, struct ggml_tensor **x,
                                     enum ggml_type type);

/* clang-format off */
#define OP(name, operands, pairs, call) \
    static struct ggml_tensor *build_##name(struct ggml_context *ctx, struct ggml_tensor **x, enum ggml_type type) \
    { \
        int sections[4] = {32, 32, 32, 32}; \
        struct ggml_tensor *a = x[0], *b = x[1], *c = x[2], *d = x[3], *e = x[4], *f = x[5], *g = x[6]; \
        (void)ctx, (void)sections, (void)type, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g; \
        return call; \
    }
#include "ops.def"
#undef OP

static const struct op {
    const char *name, *operands, *pairs;
    build_fn *build;
} ops[] = {
#define OP(name, operands, pairs, call) {#name, operands, pairs, build_##name},
#include "ops.def"
#undef OP
};
/* clang-format on */

/* An operand: a tensor with sizes, or an argument that is a type. */
struct operand {
    bool is_type, is_index, is_rate;
    enum ggml_type works;
    int64_t ne[4];
};

struct shape {
    int count;
    struct operand operands[OPERANDS];
};

enum outcome { OK, WRONG, ABORT_BUILD, ABORT_COMPUTE, CRASH_COMPUTE };
static const char *const outcome_names[] = {"ok", "wrong", "abort-build", "abort-compute",
                                            "crash-compute"};

struct cell {
    bool is_possible;
    enum outcome outcome;
    int result; /* -1: none was built, FIRST and SECOND: the type of that operand */
};

enum { FIRST = 100, SECOND };

static enum ggml_type types[64];
static int type_count;
static char blocks[GGML_TYPE_COUNT][3][4096]; /* 256 elements of each type, in each pattern */
static double roughness[GGML_TYPE_COUNT];     /* how far they are from the numbers they stand for */
static _Alignas(64) char memory[64 << 20];
static float baseline[VALUES], computed[VALUES];
static int64_t baseline_count;

/* ---- operands
 * ------------------------------------------------------------------------------------- */

/* Elements are 1 and -1, which even types of one bit can store, in an order that none of their
 * bytes shows when they are read as another type. Three rows in turn have different ones. */
enum { PATTERNS = 3 };
static float element(int i, int pattern)
{
    static const uint32_t bits[PATTERNS] = {0x7BA5ED99, 0xDE35B7D2, 0x124D8472};
    return bits[pattern] >> i % 32 & 1 ? 1.0F : -1.0F;
}

static double roughness_of(enum ggml_type type)
{
    float read[256];
    double sum = 0;
    if (!ggml_is_quantized(type) || !ggml_get_type_traits(type)->to_float)
        return 0;
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        ggml_get_type_traits(type)->to_float(blocks[type][pattern], read, 256);
        for (int i = 0; i < 256; i++)
            sum += pow((double)read[i] - element(i, pattern), 2);
    }
    return sqrt(sum / 256 / PATTERNS);
}

static void block_fill(enum ggml_type type, const float *values, char *to)
{
    float weights[256];
    for (int i = 0; i < 256; i++)
        weights[i] = 1.0F;
    if (type == GGML_TYPE_Q8_1 || type == GGML_TYPE_Q8_K)
        ggml_get_type_traits_cpu(type)->from_float(values, to, 256);
    else if (ggml_is_quantized(type))
        ggml_quantize_chunk(type, values, to, 0, 1, 256, weights);
    else
        for (int i = 0; i < 256; i++)
            switch (type) {
            case GGML_TYPE_F32:
                ((float *)to)[i] = values[i];
                break;
            case GGML_TYPE_F64:
                ((double *)to)[i] = values[i];
                break;
            case GGML_TYPE_F16:
                ((ggml_fp16_t *)to)[i] = ggml_fp32_to_fp16(values[i]);
                break;
            case GGML_TYPE_BF16:
                ((ggml_bf16_t *)to)[i] = ggml_fp32_to_bf16(values[i]);
                break;
            case GGML_TYPE_I8:
                ((int8_t *)to)[i] = (int8_t)values[i];
                break;
            case GGML_TYPE_I16:
                ((int16_t *)to)[i] = (int16_t)values[i];
                break;
            case GGML_TYPE_I32:
                ((int32_t *)to)[i] = (int32_t)values[i];
                break;
            case GGML_TYPE_I64:
                ((int64_t *)to)[i] = (int64_t)values[i];
                break;
            default:
                abort();
            }
}

static void blocks_fill(void)
{
    for (int t = 0; t < type_count; t++) {
        float values[256];
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (int i = 0; i < 256; i++)
                values[i] = element(i, pattern);
            block_fill(types[t], values, blocks[types[t]][pattern]);
        }
        roughness[types[t]] = roughness_of(types[t]);
    }
}

static enum ggml_type type_named(const char *name, size_t length)
{
    for (int i = 0; i < type_count; i++)
        if (strlen(ggml_type_name(types[i])) == length &&
            strncmp(ggml_type_name(types[i]), name, length) == 0)
            return types[i];
    fprintf(stderr, "no type: %s\n", name);
    exit(1);
}

static struct shape shape_parse(const char *at)
{
    struct shape s = {0};
    while (*at) {
        struct operand *o = &s.operands[s.count++];
        o->is_type = strncmp(at, "type=", 5) == 0;
        at = strchr(at, '=') + 1;
        size_t length = strcspn(at, " ;");
        o->works = type_named(at, length);
        o->is_index = !o->is_type && (o->works == GGML_TYPE_I32 || o->works == GGML_TYPE_I64);
        at += length;
        o->is_rate = strncmp(at, " 0.5", 4) == 0;
        at += o->is_rate ? 4 : 0;
        for (int i = 0; i < 4; i++)
            o->ne[i] = *at == ' ' ? strtoll(at, (char **)&at, 10) : 1;
        while (*at == ';' || *at == ' ')
            at++;
    }
    return s;
}

static struct ggml_tensor *tensor_new(struct ggml_context *ctx, const struct operand *o,
                                      enum ggml_type type)
{
    struct ggml_tensor *t = ggml_new_tensor(ctx, type, 4, o->ne);
    size_t period = ggml_row_size(type, 256);
    char *to = t->data;
    for (size_t i = 0; i < ggml_nbytes(t); i++)
        to[i] = o->is_index ? 0 : blocks[type][i / period % PATTERNS][i % period];
    for (int64_t i = 0; o->is_rate && type == GGML_TYPE_F32 && i < ggml_nelements(t); i++)
        ((float *)to)[i] = 0.5F;
    return t;
}

/* ---- one call
 * ---------------------------------------------------------------------------------------- */

/* Blocks that ggml only makes, of 8-bit numbers behind their scale, which is half or float. */
static float element_of_q8(const char *blocks_of, int64_t i, int block, int bytes, int start,
                           bool is_half)
{
    const char *at = blocks_of + i / block * bytes;
    float scale;
    ggml_fp16_t half;
    memcpy(&scale, at, sizeof scale);
    memcpy(&half, at, sizeof half);
    return (is_half ? ggml_fp16_to_fp32(half) : scale) * (float)(int8_t)at[start + i % block];
}

static int64_t values_read(const struct ggml_tensor *t, float *to)
{
    int64_t count = ggml_nelements(t);
    /* A view has gaps, and what was only made has no elements yet. */
    if (t->op == GGML_OP_NONE || !ggml_is_contiguous(t) || count > VALUES)
        return 0;
    for (int64_t i = 0; i < count; i++)
        switch (t->type) {
        case GGML_TYPE_F32:
            to[i] = ((float *)t->data)[i];
            break;
        case GGML_TYPE_F64:
            to[i] = (float)((double *)t->data)[i];
            break;
        case GGML_TYPE_I8:
            to[i] = ((int8_t *)t->data)[i];
            break;
        case GGML_TYPE_I16:
            to[i] = ((int16_t *)t->data)[i];
            break;
        case GGML_TYPE_I32:
            to[i] = (float)((int32_t *)t->data)[i];
            break;
        case GGML_TYPE_I64:
            to[i] = (float)((int64_t *)t->data)[i];
            break;
        case GGML_TYPE_Q8_1:
            to[i] = element_of_q8(t->data, i, 32, 36, 4, true);
            break;
        case GGML_TYPE_Q8_K:
            to[i] = element_of_q8(t->data, i, 256, 292, 4, false);
            break;
        default:
            ggml_get_type_traits(t->type)->to_float(t->data, to, count);
            return count;
        }
    return count;
}

/* Elements of 1 and -1 are exact in most types, so that a result differs by little if it was
 * computed from them, and by much if they were read as another type. */
static bool is_near(const float *a, const float *b, int64_t count, double tolerance)
{
    double difference = 0, size = 0;
    for (int64_t i = 0; i < count; i++) {
        if (isfinite(a[i]) != isfinite(b[i]) || (isinf(a[i]) && a[i] != b[i]))
            return false;
        if (isfinite(a[i])) {
            difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
            size += (double)a[i] * a[i];
        }
    }
    return sqrt(difference) <= tolerance * sqrt(size);
}

/* In the child: a byte for the type that was built, and one for the outcome. */
static void child_run(const struct op *op, const struct shape *s, const enum ggml_type *given,
                      int to, bool is_first)
{
    struct ggml_init_params params = {sizeof memory, memory, false};
    struct ggml_context *ctx = ggml_init(params);
    struct ggml_tensor *x[OPERANDS] = {0};
    enum ggml_type type = GGML_TYPE_F32;
    for (int i = 0; i < s->count; i++)
        if (s->operands[i].is_type)
            type = given[i];
        else
            x[i] = tensor_new(ctx, &s->operands[i], given[i]);
    struct ggml_tensor *r = op->build(ctx, x, type);
    char byte = (char)(1 + r->type);
    if (write(to, &byte, 1) != 1)
        _exit(1);
    struct ggml_cgraph *graph = ggml_new_graph(ctx);
    ggml_build_forward_expand(graph, r);
    ggml_graph_compute_with_ctx(ctx, graph, 1);
    int64_t count = values_read(r, computed);
    byte = 1 + OK;
    double tolerance = r->type == GGML_TYPE_F32 || r->type == GGML_TYPE_F16 ? 0.01 : 0.65;
    for (int i = 0; i < s->count; i++)
        tolerance += 1.5 * roughness[given[i]];
    tolerance = fmin(tolerance, 0.65);
    if (!is_first && count == baseline_count && !is_near(baseline, computed, count, tolerance))
        byte = 1 + WRONG;
    if (write(to, &byte, 1) != 1)
        _exit(1);
    for (int64_t i = 0; is_first && i < count;) {
        ssize_t n = write(to, (char *)computed + i * 4, (size_t)(count - i) * 4);
        if (n <= 0)
            _exit(1);
        i += n / 4;
    }
    _exit(0);
}

static struct cell call_run(const struct op *op, const struct shape *s, const enum ggml_type *given,
                            bool is_first)
{
    struct cell c = {.is_possible = true, .outcome = ABORT_BUILD, .result = -1};
    for (int i = 0; i < s->count; i++)
        if (!s->operands[i].is_type && s->operands[i].ne[0] % ggml_blck_size(given[i]))
            return (struct cell){0};
    int ends[2], status;
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        dup2(open("/dev/null", O_WRONLY), 2);
        child_run(op, s, given, ends[1], is_first);
    }
    close(ends[1]);
    char byte = 0;
    bool is_done = false;
    if (read(ends[0], &byte, 1) == 1) {
        c.result = byte - 1;
        is_done = read(ends[0], &byte, 1) == 1;
    }
    size_t have = 0;
    for (ssize_t n; is_first && have < sizeof baseline &&
                    (n = read(ends[0], (char *)baseline + have, sizeof baseline - have)) > 0;)
        have += (size_t)n;
    if (is_first)
        baseline_count = (int64_t)(have / sizeof *baseline);
    close(ends[0]);
    waitpid(child, &status, 0);
    if (is_done)
        c.outcome = (enum outcome)(byte - 1);
    else if (c.result >= 0)
        c.outcome =
            WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT ? CRASH_COMPUTE : ABORT_COMPUTE;
    return c;
}

/* ---- printing
 * ------------------------------------------------------------------------------------------ */

/* The types as a list, all quantised ones as Q, all but a few as ^ and these. */
static void print_set(FILE *to, const bool *in)
{
    bool all = true, others[64];
    const char *comma = "";
    int count = 0;
    for (int i = 0; i < type_count; i++)
        count += !(others[i] = !in[i]);
    if (count > type_count / 2 && count < type_count) {
        fputc('^', to);
        print_set(to, others);
        return;
    }
    for (int i = 0; i < type_count; i++)
        if (ggml_is_quantized(types[i]))
            all = all && in[i];
    for (int i = 0; i < type_count; i++)
        if (in[i] && !(all && ggml_is_quantized(types[i]))) {
            fprintf(to, "%s%s", comma, ggml_type_name(types[i]));
            comma = ",";
        }
    if (all)
        fprintf(to, "%sQ", comma);
}

static bool cells_equal(const struct cell *a, const struct cell *b)
{
    return a->is_possible == b->is_possible && a->outcome == b->outcome && a->result == b->result;
}

static bool rows_equal(const struct cell *a, const struct cell *b, int columns)
{
    for (int i = 0; i < columns; i++)
        if (!cells_equal(&a[i], &b[i]))
            return false;
    return true;
}

static const char *result_name(const struct shape *s, int i, int j, int result)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    int operand = result == FIRST ? i : j;
    if (result < 0)
        return "-";
    if (result < FIRST)
        return ggml_type_name((enum ggml_type)result);
    return s->operands[operand].is_type ? "type" : names[operand];
}

/* One line for the types `rows` of operand i and each set of types of operand j whose cells are
 * alike. */
static void print_rows(FILE *to, const struct shape *s, int i, int j, const bool *rows,
                       const struct cell *cells)
{
    bool done[64] = {0};
    for (int column = 0; column < (j < 0 ? 1 : type_count); column++) {
        bool columns[64] = {0};
        if (done[column] || !cells[column].is_possible)
            continue;
        for (int other = column; other < (j < 0 ? 1 : type_count); other++)
            columns[other] = cells_equal(&cells[column], &cells[other]),
            done[other] = done[other] || columns[other];
        for (int k = 0; k < s->count; k++) {
            if (k == i)
                print_set(to, rows);
            else if (k == j)
                print_set(to, columns);
            else
                fputs(ggml_type_name(s->operands[k].works), to);
            fputc(' ', to);
        }
        fprintf(to, "%s %s\n", outcome_names[cells[column].outcome],
                result_name(s, i, j, cells[column].result));
    }
}

/* Where all results have the type of an operand, that is said instead of the type. */
static void results_shorten(struct cell cells[64][64], int columns)
{
    bool follows[2] = {true, columns > 1};
    for (int row = 0; row < type_count; row++)
        for (int column = 0; column < columns; column++) {
            int result = cells[row][column].result;
            if (cells[row][column].is_possible && result >= 0) {
                follows[0] = follows[0] && result == (int)types[row];
                follows[1] = follows[1] && result == (int)types[column];
            }
        }
    for (int row = 0; row < type_count; row++)
        for (int column = 0; column < columns; column++)
            if (cells[row][column].result >= 0 && (follows[0] || follows[1]))
                cells[row][column].result = follows[0] ? FIRST : SECOND;
}

/* Runs operand i, and j if it is not -1, with all types, the others as they work. */
static void table_record(FILE *to, const struct op *op, const struct shape *s, int i, int j)
{
    static struct cell cells[64][64];
    enum ggml_type given[OPERANDS];
    bool done[64] = {0};
    int columns = j < 0 ? 1 : type_count;
    for (int k = 0; k < s->count; k++)
        given[k] = s->operands[k].works;
    for (int row = 0; row < type_count; row++)
        for (int column = 0; column < columns; column++) {
            given[i] = types[row];
            if (j >= 0)
                given[j] = types[column];
            cells[row][column] = call_run(op, s, given, false);
        }
    results_shorten(cells, columns);
    for (int row = 0; row < type_count; row++) {
        bool alike[64] = {0};
        if (done[row])
            continue;
        for (int other = row; other < type_count; other++)
            alike[other] = rows_equal(cells[row], cells[other], columns),
            done[other] = done[other] || alike[other];
        print_rows(to, s, i, j, alike, cells[row]);
    }
}

static char *op_record(const struct op *op)
{
    struct shape s = shape_parse(op->operands);
    enum ggml_type given[OPERANDS] = {0};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    for (int i = 0; i < s.count; i++)
        given[i] = s.operands[i].works;
    struct cell first = call_run(op, &s, given, true);
    if (first.outcome != OK)
        fprintf(stderr, "%s: %s with the types that should work\n", op->name,
                outcome_names[first.outcome]);
    if (s.count == 0)
        fprintf(to, "%s %s\n", outcome_names[first.outcome],
                ggml_type_name((enum ggml_type)first.result));
    else if (s.count <= 2)
        table_record(to, op, &s, 0, s.count - 2 ? -1 : 1);
    else
        for (int i = 0; i < s.count; i++)
            if (!strchr(op->pairs, s.operands[i].is_type ? '+' : 'a' + i))
                table_record(to, op, &s, i, -1);
    for (const char *p = op->pairs; s.count > 2 && *p; p += strspn(p, " ") + !*p) {
        table_record(to, op, &s, p[0] - 'a', p[1] == '+' ? s.count - 1 : p[1] - 'a');
        p += 2;
    }
    fclose(to);
    return text;
}

/* Ops that behave alike are printed once. */
int main(int argc, char **argv)
{
    enum { COUNT = sizeof ops / sizeof *ops };
    static char *texts[COUNT];
    for (int t = 0; t < GGML_TYPE_COUNT; t++)
        if (ggml_blck_size((enum ggml_type)t) > 0)
            types[type_count++] = (enum ggml_type)t;
    blocks_fill();
    printf("# ggml %s\n# Q =", argc > 1 ? argv[1] : ggml_commit());
    for (int i = 0; i < type_count; i++)
        if (ggml_is_quantized(types[i]))
            printf(" %s", ggml_type_name(types[i]));
    printf("\n");
    fflush(stdout);
    for (int i = 0; i < COUNT; i++)
        if (argc < 3 || strcmp(argv[2], ops[i].name) == 0)
            texts[i] = op_record(&ops[i]);
    for (int i = 0; i < COUNT; i++) {
        if (!texts[i])
            continue;
        printf("\n%s", ops[i].name);
        for (int k = i + 1; k < COUNT; k++)
            if (texts[k] && strcmp(texts[i], texts[k]) == 0) {
                printf(" %s", ops[k].name);
                texts[k] = NULL;
            }
        printf(":\n%s", texts[i]);
    }
    return 0;
}
