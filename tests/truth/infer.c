/* A program of functions row_N comes in, what each returns goes out: libclang, IR, packs and flow,
 * as for anybody's code. */
#include "tests/truth/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/flow/flow.h"
#include "frontends/clang/clang.h"

struct infer {
    struct arena *arena;
    struct clang *clang;
    struct pack_set *packs;
    char path[600]; /* of the program */
    struct ir_unit *unit;
    struct flow *flow;
};

/* ---- coming and going ----------------------------------------------------------------------- */

static bool load_packs(struct infer *i, struct error *e)
{
    i->packs = packs_new(i->arena, names_new(i->arena));
    return packs_load(i->packs, arena_printf(i->arena, "%s/miscast.yaml", packs_builtin_dir()), e);
}

static bool make_file(struct infer *i, struct error *e)
{
    const char *folder = getenv("TMPDIR");
    snprintf(i->path, sizeof i->path, "%.500s/truthXXXXXX.c", folder && *folder ? folder : "/tmp");
    int file = mkstemps(i->path, 2);
    if (file < 0) {
        error_set(e, "%s: cannot be made", i->path);
        i->path[0] = '\0';
        return false;
    }
    return close(file) == 0;
}

struct infer *infer_open(struct error *e)
{
    struct arena *arena = arena_new();
    struct infer *i = arena_one(arena, struct infer);
    i->arena = arena;
    i->clang = clang_open(e);
    if (i->clang && load_packs(i, e) && make_file(i, e))
        return i;
    infer_close(i);
    return NULL;
}

/* What the last run left. */
static void clean_up(struct infer *i)
{
    flow_free(i->flow);
    if (i->unit)
        ir_unit_free(i->unit);
    i->flow = NULL;
    i->unit = NULL;
}

void infer_close(struct infer *i)
{
    if (!i)
        return;
    clean_up(i);
    if (i->path[0])
        unlink(i->path);
    if (i->clang)
        clang_close(i->clang);
    arena_free(i->arena);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void fact_say(const struct fact *f, struct text *out)
{
    if (!f->dtypes && f->null == TRI_YES) {
        text_add(out, "null");
        return;
    }
    dtypes_print(f->dtypes, out);
    if (f->zero_dim != TRI_NO)
        text_add(out, f->zero_dim == TRI_YES ? ".0d" : ".?d");
    if (f->devices != 1u << DEVICE_CPU)
        text_add(out, f->devices == 1u << DEVICE_CUDA ? "@cuda" : "@?");
    if (f->null & TRI_YES)
        text_add(out, " or null");
}

/* The value that a function of one return returns; 0: none. */
static ir_value returned(const struct ir_function *fn)
{
    for (int n = 1; n < fn->insts.count; n++)
        if (fn->insts.items[n].op == IR_RETURN && fn->insts.items[n].arg_count == 1)
            return fn->insts.items[n].args[0];
    return 0;
}

/* N of row_N; -1: another function, or one there should not be. */
static int row_number(const struct ir_function *fn, int count)
{
    int n, end = 0;
    bool is_row = sscanf(fn->name, "row_%d%n", &n, &end) == 1 && !fn->name[end];
    return is_row && n >= 0 && n < count ? n : -1;
}

static void add_word(struct inferred *to, const char *word)
{
    size_t length = strlen(to->outcome);
    snprintf(to->outcome + length, sizeof to->outcome - length, "%s%s", length ? " or " : "", word);
}

/* ---- answers -------------------------------------------------------------------------------- */

static void gather_values(const struct infer *i, struct inferred *rows, int count)
{
    for (int k = 0; k < i->unit->functions.count; k++) {
        const struct ir_function *fn = i->unit->functions.items[k];
        int n = row_number(fn, count);
        const struct flow_value *v = n < 0 ? NULL : flow_value_of(i->flow, fn, returned(fn));
        struct text word = {0};
        if (!v)
            continue;
        fact_say(&v->fact, &word);
        add_word(&rows[n], word.data);
        text_free(&word);
    }
}

/* One that does not always come stands beside the value, and so agrees with no row. */
static void gather_failures(const struct infer *i, struct inferred *rows, int count)
{
    for (int k = 0; k < flow_failure_count(i->flow); k++) {
        const struct flow_failure *failure = flow_failure_at(i->flow, k);
        int n = row_number(failure->function, count);
        char word[40];
        if (n < 0)
            continue;
        snprintf(word, sizeof word, "error:%s%s", error_kind_name(failure->kind),
                 failure->always ? "" : "?");
        add_word(&rows[n], word);
        rows[n].reason = failure->reason;
    }
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool write_program(const struct infer *i, const struct text *program, struct error *e)
{
    FILE *file = fopen(i->path, "w");
    bool written = file && fwrite(program->data, 1, program->length, file) == program->length;
    if (file && fclose(file) != 0)
        written = false;
    return written ? true : error_set(e, "%s: cannot be written", i->path);
}

static bool lower(struct infer *i, struct error *e)
{
    static const char *const flags[] = {"-std=c17", "-I" TRUTH_SOURCE_DIR,
                                        "-I" TRUTH_SOURCE_DIR "/runtime/include"};
    i->unit = clang_lower(i->clang, i->path, flags, 3, NULL, e);
    if (i->unit && i->unit->errors)
        return error_set(e, "%s", i->unit->first_error);
    return i->unit != NULL;
}

/* ---- by lines ------------------------------------------------------------------------------- */

static void ranks_say(const struct fact *f, struct text *out)
{
    unsigned ranks = f->ranks ? f->ranks : f->zero_dim == TRI_YES ? 1 : 0;
    bool known = ranks && !(ranks & (ranks - 1));
    int rank = 0;
    while (known && ranks >> rank != 1)
        rank++;
    if (known)
        text_printf(out, ":%d", rank);
    else
        text_add(out, ":?");
}

static void line_say(const struct fact *f, struct text *out)
{
    static const char *const grads[] = {
        [TRI_NO] = "+grad", [TRI_YES] = "+leaf", [TRI_MAYBE] = "+grad or leaf"};
    if (!f->dtypes && f->null == TRI_YES) {
        text_add(out, "null");
        return;
    }
    dtypes_print(f->dtypes, out);
    ranks_say(f, out);
    if (f->devices != 1u << DEVICE_CPU)
        text_add(out, f->devices == 1u << DEVICE_CUDA ? "@cuda" : "@?");
    if (f->grad == TRI_YES && f->leaf >= TRI_NO && f->leaf <= TRI_MAYBE)
        text_add(out, grads[f->leaf]);
    else if (f->grad != TRI_NO)
        text_add(out, "+?");
    if (f->null & TRI_YES)
        text_add(out, " or null");
}

/* Calls of a line stand in the order in which they are made. */
static void gather_line_values(const struct infer *i, struct inferred *lines, int count)
{
    for (int k = 0; k < i->unit->functions.count; k++) {
        const struct ir_function *fn = i->unit->functions.items[k];
        for (int n = 1; strncmp(fn->name, "program_", 8) == 0 && n < fn->insts.count; n++) {
            const struct ir_inst *inst = &fn->insts.items[n];
            const struct flow_value *v = inst->op == IR_CALL ? flow_value_of(i->flow, fn, n) : NULL;
            struct text word = {0};
            if (!v || v->fact.buffer || inst->span.line >= count)
                continue;
            line_say(&v->fact, &word);
            lines[inst->span.line].outcome[0] = '\0';
            add_word(&lines[inst->span.line], word.data);
            text_free(&word);
        }
    }
}

static void gather_line_failures(const struct infer *i, struct inferred *lines, int count)
{
    for (int k = 0; k < flow_failure_count(i->flow); k++) {
        const struct flow_failure *failure = flow_failure_at(i->flow, k);
        int line = failure->function->insts.items[failure->inst].span.line;
        char word[40];
        if (strncmp(failure->function->name, "program_", 8) != 0 || line >= count)
            continue;
        snprintf(word, sizeof word, "error:%s%s", error_kind_name(failure->kind),
                 failure->always ? "" : "?");
        if (failure->always && !strstr(lines[line].outcome, "error:"))
            lines[line].outcome[0] = '\0'; /* what it was given */
        add_word(&lines[line], word);
        lines[line].reason = failure->reason;
    }
}

static bool analyse(struct infer *i, const struct text *program, struct error *e)
{
    clean_up(i);
    if (!write_program(i, program, e) || !lower(i, e))
        return false;
    i->flow = flow_run(&i->unit, 1, i->packs, NULL, e);
    return i->flow != NULL;
}

bool infer_lines(struct infer *i, const struct text *program, struct inferred *lines, int count,
                 struct error *e)
{
    if (!analyse(i, program, e))
        return false;
    memset(lines, 0, sizeof *lines * (size_t)count);
    gather_line_values(i, lines, count);
    gather_line_failures(i, lines, count);
    return true;
}

bool infer_run(struct infer *i, const struct text *program, struct inferred *rows, int count,
               struct error *e)
{
    if (!analyse(i, program, e))
        return false;
    memset(rows, 0, sizeof *rows * (size_t)count);
    gather_values(i, rows, count);
    gather_failures(i, rows, count);
    for (int n = 0; n < count; n++)
        if (!rows[n].outcome[0])
            add_word(&rows[n], "nothing");
    return true;
}
