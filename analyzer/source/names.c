/* What values are called in messages: the access path that leads to a value, written in the
 * language of its function. */
#include "analyzer/source/source.h"

#include <string.h>

const struct language *language_of(const struct ir_function *f)
{
    const struct language *l = f && f->language ? language_named(f->language) : NULL;
    return l ? l : language_named(IR_LANGUAGE);
}

struct reason_words language_words(const struct language *l)
{
    return (struct reason_words){.null = l->null, .option = {l->option[0], l->option[1]}};
}

const struct type *record_with_field(const struct ir_function *f, ir_value v)
{
    v = v ? value_behind(f, v) : 0;
    if (!v || f->insts.items[v].op != IR_LOAD)
        return NULL;
    const struct ir_inst *at = &f->insts.items[value_behind(f, f->insts.items[v].args[0])];
    while (at->op == IR_ELEMENT)
        at = &f->insts.items[value_behind(f, at->args[0])];
    if (at->op != IR_FIELD)
        return NULL;
    const struct type *pointer = f->insts.items[at->args[0]].type;
    return pointer && pointer->kind == TYPE_POINTER ? pointer->of : NULL;
}

/* ---- from paths to text --------------------------------------------------------------------- */

/* As something that a member or an index follows: a dereference binds less. */
static void write_base(const struct language *l, const struct access_path *p, struct text *out)
{
    bool bracketed = p->kind == ACCESS_POINTEE && *l->dereference;
    text_add(out, bracketed ? "(" : "");
    path_write(l, p, out);
    text_add(out, bracketed ? ")" : "");
}

static void write_index(const struct language *l, const struct access_path *p, struct text *out)
{
    text_add(out, l->element[0]);
    if (p->by)
        path_write(l, p->by, out);
    else if (p->index != ACCESS_ANY && !(l->hides_unnamed && p->index > INT32_MAX)) /* a key */
        text_printf(out, "%lld", (long long)p->index);
    text_add(out, l->element[1]);
}

/* Of an item that is found by its key, the key stands for the pair. */
static bool is_of_keyed(const struct access_path *p)
{
    return p->kind == ACCESS_MEMBER && p->of && p->of->kind == ACCESS_ELEMENT &&
           p->of->index > INT32_MAX && !p->of->by;
}

/* Nobody wrote it. */
static bool is_hidden(const struct language *l, const struct access_path *p)
{
    return l->hides_unnamed && p->name && (p->name[0] == '(' || is_of_keyed(p));
}

void path_write(const struct language *l, const struct access_path *p, struct text *out)
{
    const struct access_path *of = p->of;
    bool pointed = of && of->kind == ACCESS_POINTEE;
    const struct access_path *whole = pointed ? of->of : of;
    if (p->kind == ACCESS_MEMBER && is_hidden(l, p)) {
        path_write(l, whole, out);
        return;
    }
    if (p->kind == ACCESS_MEMBER && whole->kind == ACCESS_VARIABLE && is_hidden(l, whole)) {
        text_add(out, p->name);
        return;
    }
    switch (p->kind) {
    case ACCESS_VARIABLE:
        text_add(out, p->name);
        break;
    case ACCESS_MEMBER:
        write_base(l, pointed ? of->of : of, out);
        text_add(out, pointed ? l->pointer_member : l->member);
        text_add(out, p->name);
        break;
    case ACCESS_ELEMENT:
        write_base(l, pointed ? of->of : of, out);
        write_index(l, p, out);
        break;
    case ACCESS_POINTEE:
        text_add(out, l->dereference);
        path_write(l, of, out);
        break;
    }
}

const char *path_text(struct arena *a, const struct language *l, const struct access_path *p)
{
    struct text out = {0};
    path_write(l, p, &out);
    return text_keep(a, &out);
}

const char *value_name(struct arena *a, const struct ir_function *f, ir_value v)
{
    const struct access_path *p = ir_path_of(a, f, v);
    return p ? path_text(a, language_of(f), p) : NULL;
}

const char *step_text(struct arena *a, const struct step *s)
{
    return s->place ? path_text(a, language_of(s->function), s->place) : s->what;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *call_name(struct arena *a, const struct source *s, const struct ir_inst *call)
{
    const char *text = s && call->span.line ? source_text(a, s, &call->span) : "";
    const char *open = s ? strstr(text, s->language->arguments[0]) : NULL;
    if (begins_name(*text) && open)
        return arena_printf(a, "%.*s()", (int)(open - text), text);
    return arena_printf(a, "%s()", call->name ? call->name : "");
}

/* ---- what a value is ------------------------------------------------------------------------ */

bool type_is_tensor(const struct pack_set *packs, const struct type *t)
{
    return t && t->kind == TYPE_POINTER && t->of && t->of->kind == TYPE_RECORD && t->of->name &&
           packs_is_tensor_type(packs, t->of->name);
}

bool value_is_buffer(const struct flow *flow, const struct ir_function *f, ir_value v)
{
    const struct flow_value *r = flow_value_of(flow, f, v);
    return r && r->fact.buffer && r->fact.devices &&
           (r->fact.dtypes != DTYPES_UNTYPED || r->fact.devices != DEVICES_ALL);
}
