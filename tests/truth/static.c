/* Holds the analysis against one file of rows: thousands of rows become one program, and what is
 * inferred about the value each returns is compared with what PyTorch did. */
#include "tests/truth/static.h"
#include "tests/truth/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows in a program: enough that headers cost little, few enough to stay in the cache. */
#define BATCH 2000

struct batch {
    struct infer *infer;
    struct arena *arena; /* the rows' strings, while they wait */
    struct source source;
    struct check checks[BATCH];
    struct inferred inferred[BATCH];
    int count;
    bool broken; /* a program could not be analysed */
    struct program_batch *programs;
};

/* ---- words for values on the host ----------------------------------------------------------- */

static bool is_error(const char *outcome)
{
    return strncmp(outcome, "error:", 6) == 0;
}

/* promote_types: rows call it an error that there is no common dtype. */
static void say_dtype(const struct check *c, const char *inferred, char *got)
{
    (void)c;
    snprintf(got, OUTCOME_SIZE, "%s", strcmp(inferred, "null") == 0 ? "error:dtype" : inferred);
}

static void say_truth(const struct check *c, const char *inferred, char *got)
{
    (void)c;
    bool no = strcmp(inferred, "null") == 0, yes = !strchr(inferred, ' ');
    snprintf(got, OUTCOME_SIZE, "%s", no ? "false" : yes ? "true" : inferred);
}

/* The number whose kind gave a tensor that dtype. */
static const char *python_type(const char *inferred)
{
    static const char *const types[][2] = {
        {"bool", "py:bool"}, {"i64", "py:int"}, {"f32", "py:float"}};
    for (int i = 0; i < 3; i++)
        if (strcmp(inferred, types[i][0]) == 0)
            return types[i][1];
    return inferred;
}

static void say_number(const struct check *c, const char *inferred, char *got)
{
    (void)c;
    snprintf(got, OUTCOME_SIZE, "%s", python_type(inferred));
}

static void say_list(const struct check *c, const char *inferred, char *got)
{
    (void)c;
    const char *type = python_type(inferred);
    if (is_error(inferred))
        snprintf(got, OUTCOME_SIZE, "%s", inferred);
    else
        snprintf(got, OUTCOME_SIZE, "(%.25s,%.25s,%.25s)", type, type, type);
}

/* That NumPy has no bf16 and no f8 is NumPy's business. */
static void say_array(const struct check *c, const char *inferred, char *got)
{
    mc_dtype d = c->operands[0].dtype;
    bool numpy_has_it = d != MC_BF16 && d != MC_F8_E4M3 && d != MC_F8_E5M2;
    bool as_given = strcmp(inferred, mc_dtype_name(d)) == 0;
    snprintf(got, OUTCOME_SIZE, "%s",
             !as_given      ? inferred
             : numpy_has_it ? "py:ndarray"
                            : "error:dtype");
}

/* How host.def makes tensors of values, the other way round. */
static const struct host_words {
    const char *op;
    void (*say)(const struct check *c, const char *inferred, char *got);
} host_words[] = {
    {"promote_types", say_dtype}, {"result_type", say_dtype}, {"can_cast", say_truth},
    {"equal", say_number},        {"allclose", say_number},   {"item", say_number},
    {"tolist", say_list},         {"numpy", say_array},
};

static void say(struct check *c, const char *inferred)
{
    for (size_t i = 0; c->entry && c->entry->host && i < sizeof host_words / sizeof *host_words;
         i++) {
        if (strcmp(host_words[i].op, c->row.op) == 0) {
            host_words[i].say(c, inferred, c->got);
            return;
        }
    }
    size_t length = strnlen(inferred, sizeof c->got - 1);
    memmove(c->got, inferred, length); /* it may be what stands there */
    c->got[length] = '\0';
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* What hangs on elements and sizes, which the analysis of dtypes does not follow: a matrix of ones
 * is not positive definite, and two elements do not mask three. Everything else must be inferred.
 */
static bool beyond_dtypes(const struct check *c)
{
    const struct operand *o = c->operands;
    if (strcmp(c->row.op, "cholesky") == 0)
        return strcmp(c->row.outcome, "error:dtype") == 0 &&
               (o[0].dtype == MC_F32 || o[0].dtype == MC_F64) && !is_error(c->got);
    if (strcmp(c->row.op, "index") == 0)
        return strcmp(c->row.outcome, "error:shape") == 0 &&
               (o[1].dtype == MC_BOOL || o[1].dtype == MC_U8) && !is_error(c->got);
    return false;
}

/* How many dimensions einsum leaves stands in its equation, a text. */
static bool dims_of_equation(const struct check *c)
{
    const char *unknown = strstr(c->got, ".?d");
    size_t length = unknown ? (size_t)(unknown - c->got) : 0;
    return strcmp(c->row.op, "einsum") == 0 && unknown &&
           strncmp(c->got, c->row.outcome, length) == 0 &&
           strcmp(unknown + 3, c->row.outcome + length) == 0;
}

static bool agrees(const struct check *c)
{
    return strcmp(c->got, c->row.outcome) == 0 || check_better_word(c) || beyond_dtypes(c) ||
           dims_of_equation(c);
}

static void compare(struct check *c, const struct inferred *inferred, struct tally *tally)
{
    say(c, inferred->outcome);
    if (agrees(c)) {
        tally->agree++;
        return;
    }
    tally->disagree++;
    printf("%s:%d: %s %s: expected %s, inferred %s%s%s%s\n", c->file, c->row.line, c->row.op,
           c->row.args, c->row.outcome, c->got, inferred->reason ? " (" : "",
           inferred->reason ? inferred->reason : "", inferred->reason ? ")" : "");
}

/* ---- batches -------------------------------------------------------------------------------- */

static void flush(struct batch *b, struct tally *tally)
{
    struct error e = {0};
    if (b->count && !infer_run(b->infer, &b->source.program, b->inferred, b->count, &e)) {
        fprintf(stderr, "truth: %s%s%s\n", e.file, e.file[0] ? ": " : "", e.message);
        b->broken = true;
    }
    for (int i = 0; i < b->count && !b->broken; i++)
        compare(&b->checks[i], &b->inferred[i], tally);
    b->count = 0;
    arena_rewind(b->arena, 0);
}

static const char *keep(struct batch *b, const char *text)
{
    return arena_text(b->arena, text, strlen(text));
}

static void add_row(struct check *c, struct tally *tally, void *user)
{
    struct batch *b = user;
    if (c->mode == MODE_PROGRAM) {
        programs_add(b->programs, c, tally);
        return;
    }
    if (c->mode == MODE_BITS) {
        check_skip(c, tally, "elements are not inferred");
        return;
    }
    if (b->count == 0)
        source_begin(&b->source, b->arena);
    source_row(&b->source, b->count, c);
    struct check *waits = &b->checks[b->count++];
    *waits = *c;
    waits->row.op = keep(b, c->row.op);
    waits->row.mode = keep(b, c->row.mode);
    waits->row.args = keep(b, c->row.args);
    waits->row.outcome = keep(b, c->row.outcome);
    if (b->count == BATCH)
        flush(b, tally);
}

bool static_check_file(const char *path, struct tally *tally)
{
    struct error e = {0};
    struct batch *b = calloc(1, sizeof *b);
    bool done = false;
    if (!b || !(b->infer = infer_open(&e))) {
        fprintf(stderr, "truth: %s%s%s\n", e.file, e.file[0] ? ": " : "",
                b ? e.message : "no memory");
        free(b);
        return false;
    }
    b->arena = arena_new();
    b->programs = programs_open(b->infer);
    done = b->programs && check_rows(path, tally, add_row, b);
    flush(b, tally);
    done &= !b->broken && programs_flush(b->programs, tally);
    programs_close(b->programs);
    text_free(&b->source.program);
    arena_free(b->arena);
    infer_close(b->infer);
    free(b);
    return done;
}
