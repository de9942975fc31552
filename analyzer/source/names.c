/* What values and branches are called in the program: a path of variables, fields and elements,
 * read back from the instructions that lead to it; a condition by its text and its truth. */
#include "analyzer/source/source.h"

#include <ctype.h>
#include <string.h>

ir_value value_behind(const struct ir_function *f, ir_value v)
{
    while (v && f->insts.items[v].op == IR_CONVERT)
        v = f->insts.items[v].args[0];
    return v;
}

static bool add_path(const struct ir_function *f, ir_value v, struct text *out);

static void add_index(const struct ir_function *f, ir_value v, struct text *out)
{
    v = value_behind(f, v);
    text_add(out, "[");
    if (f->insts.items[v].op == IR_INT)
        text_printf(out, "%lld", (long long)f->insts.items[v].integer);
    else if (f->insts.items[v].op == IR_LOAD)
        add_path(f, v, out);
    text_add(out, "]");
}

/* What the address or the value read from one is called: false if it has no name. */
static bool add_path(const struct ir_function *f, ir_value v, struct text *out)
{
    v = value_behind(f, v);
    if (!v)
        return false;
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op == IR_LOCAL) {
        text_add(out, f->locals.items[i->integer].name);
        return *f->locals.items[i->integer].name;
    }
    if (i->op == IR_GLOBAL) {
        text_add(out, i->name);
        return true;
    }
    if (i->op != IR_LOAD && i->op != IR_FIELD && i->op != IR_ELEMENT)
        return false;
    if (!add_path(f, i->args[0], out))
        return false;
    bool pointer = f->insts.items[value_behind(f, i->args[0])].op == IR_LOAD;
    if (i->op == IR_FIELD)
        text_printf(out, "%s%s", pointer ? "->" : ".", i->name);
    else if (i->op == IR_ELEMENT)
        add_index(f, i->args[1], out);
    return true;
}

const char *value_name(struct arena *a, const struct ir_function *f, ir_value v)
{
    struct text out = {0};
    bool named = add_path(f, v, &out);
    const char *name = text_keep(a, &out);
    return named ? name : NULL;
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *call_name(struct arena *a, const struct source *s, const struct ir_inst *call)
{
    const char *text = s && call->span.line ? source_text(a, s, &call->span) : "";
    size_t length = strcspn(text, "(");
    if (begins_name(*text) && text[length])
        return arena_printf(a, "%.*s()", (int)length, text);
    return arena_printf(a, "%s()", call->name ? call->name : "");
}

/* ---- what it is ----------------------------------------------------------------------------- */

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

/* ---- branches ------------------------------------------------------------------------------- */

/* A call of strcmp and its like, and nothing else: that it is "not" so reads as the opposite. */
static bool is_comparison(const char *text)
{
    size_t name = strcspn(text, "( ");
    int open = 0;
    if (name < 3 || strncmp(text + name - 3, "cmp", 3) || text[name] != '(')
        return false;
    for (const char *at = text + name; *at; at++) {
        open += (*at == '(') - (*at == ')');
        if (!open)
            return !at[1];
    }
    return true; /* it was cut */
}

const char *condition_text(struct arena *a, const struct condition *c, const char *text)
{
    if (!c->is_case && is_comparison(text))
        return arena_printf(a, "%s %s 0", text, c->truth ? "!=" : "==");
    if (!c->is_case)
        return c->truth ? text : arena_printf(a, "not %s", text);
    return c->truth ? arena_printf(a, "%s is %lld", text, (long long)c->value)
                    : arena_printf(a, "%s is something else", text);
}

/* A loop meets the same again and again. */
static bool is_repeated(const struct condition *list, const struct condition *c)
{
    for (; list && list != c; list = list->before)
        if (list->span.file == c->span.file && list->span.line == c->span.line &&
            list->span.column == c->span.column)
            return true;
    return false;
}

static size_t without_blanks(const char *text, size_t at)
{
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    return at;
}

/* Whether the word ends there. */
static bool is_word_before(const char *text, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at >= n && !memcmp(text + at - n, word, n) &&
           (at == n || !(isalnum((unsigned char)text[at - n - 1]) || text[at - n - 1] == '_'));
}

/* Outward from one pair of brackets around the place to the next, to the word before one of them.
 * Of those of a for, it is the second part. */
static bool is_test_of_loop(const struct source *s, const struct span *at)
{
    size_t i = s ? source_offset(s, at->line, at->column) : 0;
    int open = 0, ends = 0;
    while (i && ends < 3) {
        char c = s->text[--i];
        open += (c == ')') - (c == '(');
        ends += c == ';' && !open;
        if (c == '{' || c == '}')
            return false;
        if (open >= 0)
            continue;
        i = without_blanks(s->text, i);
        if (is_word_before(s->text, i, "while") || is_word_before(s->text, i, "for"))
            return ends == (s->text[i - 1] == 'r');
        if (is_word_before(s->text, i, "if"))
            return false;
        open = ends = 0;
    }
    return false;
}

bool condition_is_told(const struct source *s, const struct condition *list,
                       const struct condition *c)
{
    return !is_repeated(list, c) && (c->is_case || !is_test_of_loop(s, &c->span));
}
