/* Rows with shapes held against the analysis: thousands of them become one program, as in static.c.
 * Sizes are not inferred, ranks are: an error of shape counts where dimensions are too many or too
 * few. */
#include "tests/truth/shaped.h"
#include "tests/truth/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 2000

struct batch {
    struct infer *infer;
    struct arena *arena; /* the rows' strings, while they wait */
    struct text program;
    struct shaped rows[BATCH];
    struct inferred inferred[BATCH];
    int count;
    bool broken;
};

/* ---- writing -------------------------------------------------------------------------------- */

static const char *constant_of(mc_dtype d)
{
    static const char *const names[MC_DTYPE_COUNT] = {
        [MC_BOOL] = "MC_BOOL", [MC_U8] = "MC_U8",           [MC_I8] = "MC_I8",
        [MC_I16] = "MC_I16",   [MC_I32] = "MC_I32",         [MC_I64] = "MC_I64",
        [MC_F16] = "MC_F16",   [MC_BF16] = "MC_BF16",       [MC_F32] = "MC_F32",
        [MC_F64] = "MC_F64",   [MC_F8_E4M3] = "MC_F8_E4M3", [MC_F8_E5M2] = "MC_F8_E5M2",
    };
    return names[d];
}

static void add_operand(struct text *to, char name, const struct shaped_operand *o)
{
    text_printf(to, "    mc_tensor *%c = mc_ones(mc_shape(", name);
    for (int i = 0; i < o->shape.ndim; i++)
        text_printf(to, "%s%lld", i ? ", " : "", (long long)o->shape.dims[i]);
    text_printf(to, "), .dtype = %s, .device = %s, .requires_grad = %s);\n", constant_of(o->dtype),
                o->cuda ? "MC_CUDA" : "MC_CPU", o->leaf ? "true" : "false");
    if (o->view)
        text_printf(to, "    %c = mc_view_as(%c, %c);\n", name, name, name);
}

static void add_row(struct text *to, int n, const struct shaped *s)
{
    text_printf(to, "mc_tensor *row_%d(void)\n{\n", n);
    for (int i = 0; i < s->count; i++)
        add_operand(to, (char)('a' + i), &s->operands[i]);
    text_printf(to, "    return %s;\n}\n", s->entry->text);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* How many dimensions the operands of an op must have, the least and the most; others take any, or
 * PyTorch compares them with another operand's. */
static const struct ranks {
    const char *op;
    int least[SHAPED_OPERANDS], most[SHAPED_OPERANDS];
} ranks[] = {
    {"mm", {2, 2}, {2, 2}},
    {"mv", {2, 1}, {2, 1}},
    {"dot", {1, 1}, {1, 1}},
    {"outer", {1, 1}, {1, 1}},
    {"matmul", {1, 1}, {9, 9}},
    {"bmm", {3, 3}, {3, 3}},
    {"linear", {1, 1}, {9, 2}},
    {"linear_bias", {1, 1, 0}, {9, 2, 9}},
    {"addmm", {0, 2, 2}, {2, 2, 2}},
    {"addmm_", {2, 2, 2}, {2, 2, 2}},
    {"baddbmm", {0, 2, 3}, {3, 3, 3}}, /* two are broadcast with before they are too few */
    {"baddbmm_", {3, 2, 3}, {3, 3, 3}},
};

static bool by_rank(const struct shaped *s)
{
    const struct shaped_operand *o = s->operands;
    bool wrong = false;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        for (int k = 0; strcmp(ranks[i].op, s->row.op) == 0 && k < s->count; k++)
            wrong |= o[k].shape.ndim < ranks[i].least[k] || o[k].shape.ndim > ranks[i].most[k];
    if (strcmp(s->row.op, "linear_bias") == 0 && (o[0].shape.ndim == 2 || o[2].shape.ndim == 1))
        wrong |= o[1].shape.ndim != 2; /* the bias is part of the product then */
    return wrong;
}

/* What the row says of dtype, device and having no dimensions, or its error. */
static void expect(const struct shaped *s, char *words)
{
    const char *outcome = s->row.outcome, *open = strchr(outcome, '[');
    if (open)
        snprintf(words, SHAPED_WORDS, "%.*s%s%s", (int)(open - outcome), outcome,
                 open[1] == ']' ? ".0d" : "", strchr(open, '@') ? "@cuda" : "");
    else
        snprintf(words, SHAPED_WORDS, "%s", outcome);
}

/* Sizes that do not fit are seen before the result's rank. */
static bool batches_clash(const struct shaped *s)
{
    return strcmp(s->row.op, "baddbmm_") == 0 &&
           s->operands[1].shape.dims[2] != s->operands[2].shape.dims[1];
}

/* Whether classes or probabilities are meant hangs on sizes where there are as many dimensions; how
 * many einsum leaves, on a text. */
static bool beyond_ranks(const struct shaped *s)
{
    if (strcmp(s->row.op, "cross_entropy") == 0)
        return s->operands[0].shape.ndim == s->operands[1].shape.ndim;
    return strcmp(s->row.op, "einsum_mm") == 0 && strstr(s->got, ".?d");
}

static bool agrees(const struct shaped *s)
{
    char words[SHAPED_WORDS];
    expect(s, words);
    if (strcmp(words, s->got) == 0 || beyond_ranks(s))
        return true;
    return strcmp(words, "error:shape") == 0 && (!by_rank(s) || batches_clash(s));
}

/* ---- batches -------------------------------------------------------------------------------- */

static void flush(struct batch *b, struct shaped_tally *tally)
{
    struct error e = {0};
    if (b->count && !infer_run(b->infer, &b->program, b->inferred, b->count, &e)) {
        fprintf(stderr, "shaped: %s%s%s\n", e.file, e.file[0] ? ": " : "", e.message);
        b->broken = true;
    }
    for (int i = 0; i < b->count && !b->broken; i++) {
        struct shaped *s = &b->rows[i];
        snprintf(s->got, sizeof s->got, "%s", b->inferred[i].outcome);
        shaped_count(s, agrees(s), b->inferred[i].reason, tally);
    }
    b->count = 0;
    b->program.length = 0;
    arena_rewind(b->arena, 0);
}

static const char *keep(struct batch *b, const char *text)
{
    return arena_text(b->arena, text, strlen(text));
}

static void add(struct shaped *s, struct shaped_tally *tally, void *user)
{
    struct batch *b = user;
    if (!b->count)
        text_add(&b->program, "#include \"tests/truth/shaped_helpers.h\"\n");
    add_row(&b->program, b->count, s);
    struct shaped *waits = &b->rows[b->count++];
    *waits = *s;
    waits->row = (struct row){s->row.line, keep(b, s->row.op), keep(b, s->row.mode),
                              keep(b, s->row.args), keep(b, s->row.outcome)};
    if (b->count == BATCH)
        flush(b, tally);
}

bool shaped_static(const char *path, struct shaped_tally *tally)
{
    struct error e = {0};
    struct batch *b = calloc(1, sizeof *b);
    if (!b || !(b->infer = infer_open(&e))) {
        fprintf(stderr, "shaped: %s\n", b ? e.message : "no memory");
        free(b);
        return false;
    }
    b->arena = arena_new();
    bool done = shaped_rows(path, tally, add, b);
    flush(b, tally);
    done &= !b->broken;
    text_free(&b->program);
    arena_free(b->arena);
    infer_close(b->infer);
    free(b);
    return done;
}
