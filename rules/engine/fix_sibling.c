/* Fixes of a field that was forgotten where the other fields of its record are cast or moved: the
 * statement that does it for another field is written once more, for this one. It then is under the
 * same conditions, and runs as often. */
#include "rules/engine/engine.h"

#include <ctype.h>
#include <string.h>

struct member {
    const char *record, *name;
};

/* The field at an address; false: it is none of a record. */
static bool field_at(const struct ir_function *f, ir_value address, struct member *out)
{
    const struct ir_inst *at = address ? &f->insts.items[value_behind(f, address)] : NULL;
    const struct type *pointer = at && at->op == IR_FIELD ? f->insts.items[at->args[0]].type : NULL;
    if (!pointer || pointer->kind != TYPE_POINTER || !pointer->of || !pointer->of->name)
        return false;
    *out = (struct member){pointer->of->name, at->name};
    return at->name != NULL;
}

static bool field_of(const struct ir_function *f, ir_value v, struct member *out)
{
    v = v ? value_behind(f, v) : 0;
    return v && f->insts.items[v].op == IR_LOAD && field_at(f, f->insts.items[v].args[0], out);
}

/* "m->w1 = half(m->w1)": a field that is replaced by a cast or move of itself. */
static bool converts_field(struct check *c, const struct ir_function *f, const struct ir_inst *i,
                           struct member *field, const struct flow_value **result)
{
    struct member from;
    ir_value v = i->op == IR_STORE ? value_behind(f, i->args[1]) : 0;
    const struct ir_inst *call = v ? &f->insts.items[v] : NULL;
    const struct pack_function *callee =
        call && call->op == IR_CALL && call->name ? packs_find(c->in->packs, call->name) : NULL;
    if (!callee || callee->family != FAMILY_CAST || !field_at(f, i->args[0], field))
        return false;
    *result = flow_value_of(c->in->flow, f, v);
    for (int k = 0; k < call->arg_count; k++)
        if (field_of(f, call->args[k], &from))
            return *result && !strcmp(from.record, field->record) &&
                   !strcmp(from.name, field->name);
    return false;
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool follows(const char *begin, const char *at, const char *mark)
{
    size_t n = strlen(mark);
    return (size_t)(at - begin) >= n && !memcmp(at - n, mark, n);
}

/* The text with the member renamed wherever it is read or written; NULL: that is not twice. */
static const char *renamed(struct check *c, const struct language *l, const char *text,
                           const char *from, const char *to)
{
    struct text out = {0};
    size_t n = strlen(from);
    int count = 0;
    const char *begin = text;
    while (*text) {
        bool here = !strncmp(text, from, n) && !is_word_part(text[n]) &&
                    (follows(begin, text, l->member) || follows(begin, text, l->pointer_member));
        text_add_range(&out, here ? to : text, here ? strlen(to) : 1);
        text += here ? n : 1;
        count += here;
    }
    const char *all = text_keep(c->in->arena, &out);
    return count == 2 ? all : NULL;
}

static int loads_of(const struct check *c, const struct member *of)
{
    int n = 0;
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *f = c->in->units[u]->functions.items[k];
            struct member is;
            for (int i = 1; i < f->insts.count; i++)
                n += field_of(f, (ir_value)i, &is) && f->insts.items[i].op == IR_LOAD &&
                     !strcmp(is.record, of->record) && !strcmp(is.name, of->name);
        }
    return n;
}

/* The last statement in the function that converts another field of the record as wanted. */
static bool find_in(struct check *c, const struct ir_function *f, const struct member *of,
                    bool (*wanted)(const struct fact *f, const void *context), const void *context,
                    struct span *at, struct member *other)
{
    bool found = false;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct flow_value *result;
        struct member is;
        if (!converts_field(c, f, i, &is, &result) || strcmp(is.record, of->record) != 0)
            continue;
        if (!strcmp(is.name, of->name))
            return false;
        if (wanted(&result->fact, context)) {
            *at = i->span;
            *other = is;
            found = true;
        }
    }
    return found;
}

/* "to(m->w)", whose result nobody has, where "m->w = to(m->w)" was meant: that is assigned, as the
 * fix of the call itself does. */
static bool fix_discarded(struct check *c, struct finding *f, const struct ir_function *in,
                          const struct member *of)
{
    for (int n = 1; n < in->insts.count; n++) {
        const struct ir_inst *i = &in->insts.items[n];
        struct member is;
        struct call call;
        if (i->op != IR_CALL || !i->name || code_view(c, in)->users[n].count ||
            !call_view(c, in, (ir_value)n, &call) || !call_is_cast(&call))
            continue;
        for (int k = 0; k < call.count; k++) {
            const struct argument *a = &call.arguments[k];
            if (!argument_is_tensor(a) || !field_of(in, a->value, &is) ||
                strcmp(is.record, of->record) != 0 || strcmp(is.name, of->name) != 0 ||
                !is_statement(c, call_span(&call)))
                continue;
            fix_edit(c, f, span_start(call_span(&call)),
                     arena_printf(c->in->arena, "%s%s", a->name, language_of(in)->assign));
            f->fix.what =
                arena_printf(c->in->arena, "assign the result of %s to %s", i->name, a->name);
            return true;
        }
    }
    return false;
}

bool fix_sibling(struct check *c, struct finding *f, const struct ir_function *fn, ir_value value,
                 const char *verb, bool (*wanted)(const struct fact *f, const void *context),
                 const void *context, bool *unsafe)
{
    struct member of, other = {0};
    struct span at = {0}, whole;
    const char *text;
    if (!field_of(fn, value, &of))
        return false;
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *in = c->in->units[u]->functions.items[k];
            if (fix_discarded(c, f, in, &of)) {
                *unsafe = true;
                return true;
            }
            if (!find_in(c, in, &of, wanted, context, &at, &other) ||
                !statement_text(c, at, &whole, &text))
                continue;
            const char *mine = renamed(c, language_of(in), text, other.name, of.name);
            if (!mine || !fix_insert_after(c, f, at, mine))
                continue;
            f->fix.what =
                arena_printf(c->in->arena, "%s %s together with %s", verb, of.name, other.name);
            *unsafe |= loads_of(c, &of) > 1;
            return true;
        }
    return false;
}
