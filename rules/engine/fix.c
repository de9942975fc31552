/* Edits that fix findings. How casts and moves are written comes from the spelling in the API's
 * pack. A fix is offered only if the source has the call as expected: the operand must be among the
 * arguments of a call that is written out, not in a macro that makes the call. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- text ----------------------------------------------------------------------------------- */

/* The values of the placeholders in a spelling. */
struct filling {
    const struct written_call *at;
    const char *tensor, *to; /* to: the dtype or the device */
};

/* Whether what is written there only reads: it can be written twice. */
static bool only_reads(const struct ir_function *f, const struct span *written)
{
    for (int i = 0; i < f->insts.count; i++) {
        const struct ir_inst *inst = &f->insts.items[i];
        bool reads = inst->op != IR_STORE && inst->op != IR_COPY && inst->op != IR_ZERO &&
                     inst->op != IR_CALL && inst->op != IR_ANYTHING;
        if (!reads && inst->span.line && span_contains(written, &inst->span))
            return false;
    }
    return true;
}

/* The text of the argument that has this name in the pack; NULL: none, or it is not one that can be
 * written twice. */
static const char *argument_text(struct check *c, const struct written_call *at, const char *name)
{
    const struct ir_inst *call = &at->function->insts.items[at->inst];
    int k = pack_argument_named(at->callee, name);
    if (!call->name || k < 0 || k >= call->arg_count || !call->args[k])
        return NULL;
    const struct span *span = &at->function->insts.items[call->args[k]].span;
    const struct source *s = sources_get(c->in->sources, span->file);
    if (!s || !span->line || span->line != span->end_line || !only_reads(at->function, span))
        return NULL;
    size_t from = source_offset(s, span->line, span->column);
    size_t to = source_offset(s, span->line, span->end_column);
    return to > from ? arena_text(c->in->arena, s->text + from, to - from) : NULL;
}

static const char *filled(struct check *c, const struct filling *with, const char *name)
{
    if (!strcmp(name, "tensor"))
        return with->tensor;
    if (!strcmp(name, "dtype") || !strcmp(name, "device"))
        return with->to;
    return argument_text(c, with->at, name);
}

/* So many characters of the spelling, with the placeholders filled in; NULL: one has no value. */
static const char *fill_in(struct check *c, const struct filling *with, const char *spelling,
                           size_t length)
{
    struct text out = {0};
    const char *end = spelling + length, *value = "";
    while (spelling < end && value) {
        size_t plain = strcspn(spelling, "{");
        plain = plain < (size_t)(end - spelling) ? plain : (size_t)(end - spelling);
        text_add_range(&out, spelling, plain);
        spelling += plain;
        if (spelling == end)
            break;
        size_t name = strcspn(++spelling, "}");
        value = filled(c, with, arena_text(c->in->arena, spelling, name));
        text_add(&out, value ? value : "");
        spelling += name + 1;
    }
    const char *text = text_keep(c->in->arena, &out);
    return value ? text : NULL;
}

const char *write_dtype(const struct pack_function *api, enum dtype d)
{
    return pack_spelling_of(api)->dtypes[d];
}

const char *write_cast(const struct pack_function *api, const char *to)
{
    const struct pack_spelling *how = pack_spelling_of(api);
    for (int d = 1; d < DTYPE_END && to; d++)
        if (how->casts[d] && how->dtypes[d] && !strcmp(how->dtypes[d], to))
            return how->casts[d];
    return how->cast;
}

const char *write_dtype_of(struct check *c, const struct written_call *at, const char *tensor)
{
    const char *spelling = pack_spelling_of(at->callee)->dtype_of;
    const struct filling with = {at, tensor, NULL};
    return spelling ? fill_in(c, &with, spelling, strlen(spelling)) : NULL;
}

const char *write_device_of(struct check *c, const struct written_call *at, const char *tensor)
{
    const char *spelling = pack_spelling_of(at->callee)->device_of;
    const struct filling with = {at, tensor, NULL};
    return spelling ? fill_in(c, &with, spelling, strlen(spelling)) : NULL;
}

const char *write_function_with(struct check *c, const struct pack_function *api, unsigned effects,
                                const char *otherwise)
{
    const char *name = pack_name_with_effects(c->in->arena, api, effects);
    return name ? name : otherwise;
}

/* ---- places --------------------------------------------------------------------------------- */

bool is_argument_of(struct check *c, const struct written_call *at, struct span operand)
{
    struct span call = at->function->insts.items[at->inst].span;
    if (is_dynamic(&at->function->insts.items[at->inst]))
        return dynamic_is_argument(c, at->function, at->inst, &operand);
    const struct source *source = sources_get(c->in->sources, call.file);
    if (!source || !operand.line || strcmp(operand.file, call.file) != 0)
        return false;
    return is_argument_at(source, &call, pack_written_name(c->in->arena, at->callee), &operand);
}

bool is_statement(struct check *c, struct span call)
{
    const struct source *s = sources_get(c->in->sources, call.file);
    return s && is_statement_at(s, &call);
}

/* ---- casts and moves ------------------------------------------------------------------------ */

/* Whether some call passes none there: it cannot be cast or moved. */
static bool is_sometimes_absent(struct check *c, const struct written_call *at, struct span operand)
{
    struct call call;
    bool is_seen = call_view(c, at->function, at->inst, &call);
    for (int k = 0; is_seen && k < call.count; k++) {
        const struct argument *a = &call.arguments[k];
        if (a->seen && a->seen->absent && a->span.line == operand.line &&
            a->span.column == operand.column)
            return true;
    }
    return false;
}

/* Inserts what the spelling has before the tensor before the operand, and the rest after it. */
static bool wrap(struct check *c, struct finding *f, const struct written_call *at,
                 struct span operand, const char *spelling, const char *to)
{
    static const char tensor[] = "{tensor}";
    const struct filling with = {at, "", to};
    if (!spelling || !to || !is_argument_of(c, at, operand) || is_sometimes_absent(c, at, operand))
        return false;
    const char *split = strstr(spelling, tensor), *rest = split + strlen(tensor);
    const char *front = fill_in(c, &with, spelling, (size_t)(split - spelling));
    const char *back = fill_in(c, &with, rest, strlen(rest));
    if (!front || !back)
        return false;
    if (is_dynamic(&at->function->insts.items[at->inst]))
        return dynamic_wrap(c, f, operand, front, back);
    fix_edit(c, f, span_start(operand), front);
    fix_edit(c, f, span_end(operand), back);
    return true;
}

bool fix_cast(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to)
{
    return wrap(c, f, at, operand, write_cast(at->callee, to), to);
}

bool fix_move(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to)
{
    return wrap(c, f, at, operand, pack_spelling_of(at->callee)->move, to);
}
