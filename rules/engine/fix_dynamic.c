/* Edits of calls in a dynamic language, as they are written there: "f(x, dtype=d)", "x.half()",
 * "a @ b". Each returns false, and adds nothing, where the source is not as expected. */
#include "rules/engine/engine.h"

#include "analyzer/pack/signature.h"

#include <string.h>

static const struct ir_inst *inst_of(const struct call *call)
{
    return &call->function->insts.items[call->inst];
}

static const struct source *source_at(struct check *c, const struct span *at)
{
    return sources_get(c->in->sources, at->file);
}

static const char *last_part(const char *dotted)
{
    const char *dot = strrchr(dotted, '.');
    return dot ? dot + 1 : dotted;
}

/* ---- what is written ------------------------------------------------------------------------ */

/* The name by which the instruction calls what it calls: "zeros"; NULL: it has none. */
static const char *called_by(const struct ir_function *f, const struct ir_inst *i)
{
    if (i->op == IR_INVOKE)
        return i->name;
    const struct ir_inst *callee =
        i->op == IR_CALL && i->arg_count ? &f->insts.items[i->args[0]] : NULL;
    return callee && ir_op_reads(callee->op) ? callee->name : NULL;
}

bool dynamic_is_call(struct check *c, const struct call *call)
{
    const char *name = called_by(call->function, inst_of(call)),
               *text = text_of(c, call_span(call));
    return name && text && text[strlen(text) - 1] == *language_of(call->function)->arguments[1] &&
           !strcmp(name, last_part(call->callee->name));
}

bool dynamic_is_method(const struct call *call, const struct argument *x)
{
    const struct ir_inst *i = inst_of(call);
    return i->op == IR_INVOKE && x->value && value_behind(call->function, i->args[0]) == x->value;
}

bool dynamic_is_argument(struct check *c, const struct ir_function *f, ir_value inst,
                         const struct span *operand)
{
    const struct ir_inst *i = &f->insts.items[inst];
    struct span within = i->span, whole;
    const struct source *s = source_at(c, &i->span);
    if (!s || !operand->line || strcmp(operand->file, i->span.file) != 0)
        return false;
    if (i->op == IR_APPLY && statement_around(s, &i->span, &whole))
        within = whole; /* what is assigned to an element is behind it */
    return span_contains(&within, operand) && memcmp(&i->span, operand, sizeof *operand) != 0;
}

bool makes_tensor(struct check *c, const struct pack_function *callee)
{
    int count = 0;
    const struct signature *all = packs_signatures(c->in->packs, callee->name, &count);
    for (int i = 0; all && i < count; i++)
        if (all[i].fn == callee)
            return !all[i].makes || !strncmp(callee->name, all[i].makes, strlen(all[i].makes)) ||
                   strncmp(callee->name, "Tensor.", 7) != 0;
    return true;
}

/* ---- casts and moves ------------------------------------------------------------------------ */

/* Whether the text can be inserted there: in a string, such as one that is formatted, it may not
 * end it. */
static bool may_insert(const struct source *s, const struct span *at, const char *text)
{
    return !strpbrk(text, "\"'\\") || !is_inside_string(s, source_offset(s, at->line, at->column));
}

bool dynamic_wrap(struct check *c, struct finding *f, struct span at, const char *front,
                  const char *back)
{
    const struct source *s = source_at(c, &at);
    if (!s || !at.line || !may_insert(s, &at, front) || !may_insert(s, &at, back))
        return false;
    at = expression_with_brackets(s, &at);
    const char *text = text_of(c, at);
    if (!text)
        return false;
    bool needs_brackets = !*front && !s->language->is_operand(text);
    if (needs_brackets || *front)
        fix_edit(c, f, span_start(at), needs_brackets ? s->language->arguments[0] : front);
    fix_edit(c, f, span_end(at),
             needs_brackets ? arena_printf(c->in->arena, "%s%s", s->language->arguments[1], back)
                            : back);
    return true;
}

/* Replaces what is behind the receiver of a method, or around the only argument of a function. */
bool dynamic_rewrap(struct check *c, struct finding *f, const struct call *call,
                    const struct argument *x, const char *back)
{
    struct span whole = call_span(call), at = x->span;
    const struct source *s = source_at(c, &whole);
    if (!s || !dynamic_is_call(c, call) || !span_contains(&whole, &at) ||
        !may_insert(s, &whole, back))
        return false;
    if (dynamic_is_method(call, x)) {
        at = expression_with_brackets(s, &at);
        fix_edit(c, f, span_between(at, span_end(whole)), back);
        return true;
    }
    const char *text = text_of(c, at);
    if (inst_of(call)->arg_count != 2 || !text || !s->language->is_operand(text))
        return false;
    struct span before = whole;
    before.end_line = at.line;
    before.end_column = at.column;
    fix_edit(c, f, before, "");
    fix_edit(c, f, span_between(at, span_end(whole)), back);
    return true;
}

/* ---- options -------------------------------------------------------------------------------- */

/* The keyword for the parameter; NULL: it has none. */
static const char *keyword_of(struct check *c, const struct pack_function *callee, int param)
{
    int count;
    const struct signature *all = packs_signatures(c->in->packs, callee->name, &count);
    for (int i = 0; all && i < count; i++)
        for (int k = 0; all[i].fn == callee && k < all[i].param_count; k++)
            if (all[i].params[k].param == param && !all[i].params[k].is_rest)
                return all[i].params[k].name;
    return NULL;
}

/* Whether what is passed may already contain it, or has no room for more: f(**kw), f(x for x in y).
 */
static bool takes_no_more(struct check *c, const struct ir_function *f, const struct ir_inst *i)
{
    for (int k = 0; i->labels && k < i->arg_count; k++)
        if (i->labels[k] && !strcmp(i->labels[k], "**"))
            return true;
    const char *only = i->arg_count == 2 ? text_of(c, f->insts.items[i->args[1]].span) : NULL;
    return only && !language_of(f)->is_operand(only) && strstr(only, " for ");
}

bool dynamic_add_keyword(struct check *c, struct finding *f, const struct ir_function *fn,
                         ir_value inst, const char *name, const char *text)
{
    const struct ir_inst *i = &fn->insts.items[inst];
    const struct source *s = source_at(c, &i->span);
    const char *const *mark = language_of(fn)->arguments;
    if (!s || takes_no_more(c, fn, i) || !may_insert(s, &i->span, text))
        return false;
    size_t from = source_offset(s, i->span.line, i->span.column);
    size_t to = source_offset(s, i->span.end_line, i->span.end_column);
    if (to <= from || s->text[to - 1] != *mark[1])
        return false;
    size_t last = last_code_before(s, from, to - 1);
    char before = last > from ? s->text[last - 1] : '\0';
    struct span at = i->span;
    source_place(s, last, &at.line, &at.column);
    at.end_line = at.line;
    at.end_column = at.column;
    fix_edit(c, f, at,
             arena_printf(c->in->arena, "%s%s%s%s%s",
                          before == *mark[0] ? ""
                          : before == ','    ? " "
                                             : ", ",
                          language_of(fn)->option[0], name, language_of(fn)->option[1], text));
    if (before == ',')
        f->fix.edits.items[f->fix.edits.count - 1].text =
            arena_printf(c->in->arena, "%s,", f->fix.edits.items[f->fix.edits.count - 1].text);
    return true;
}

bool dynamic_option(struct check *c, struct finding *f, const struct call *call, int param,
                    const char *text)
{
    const struct argument *a = &call->arguments[param];
    const char *name = keyword_of(c, call->callee, param);
    if (!dynamic_is_call(c, call))
        return false;
    if (a->value) {
        bool is_written = dynamic_is_argument(c, call->function, call->inst, &a->span);
        if (is_written)
            fix_edit(c, f, a->span, text);
        return is_written;
    }
    return name && dynamic_add_keyword(c, f, call->function, call->inst, name, text);
}

/* ---- out of place --------------------------------------------------------------------------- */

/* Whether it binds more tightly than a sum, so that it needs no brackets in one. */
static bool is_factor(const char *text)
{
    static const char *const words[] = {"if", "and", "or", "not", "in", "is", "lambda", "await"};
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        if (depth <= 0 && strchr("+-<>=|&^%~@,:\"'\n", *at))
            return false;
        for (size_t k = 0; depth <= 0 && *at == ' ' && k < sizeof words / sizeof *words; k++)
            if (!strncmp(at + 1, words[k], strlen(words[k])) && at[1 + strlen(words[k])] == ' ')
                return false;
    }
    return true;
}

/* "h = h + x" for "h += x". */
static bool write_operator_out(struct check *c, struct finding *f, const struct call *call)
{
    const struct ir_function *fn = call->function;
    const struct ir_inst *i = inst_of(call);
    struct span left = fn->insts.items[i->args[0]].span, right = fn->insts.items[i->args[1]].span;
    const struct source *s = source_at(c, &i->span);
    const struct language *l = language_of(fn);
    right = expression_with_brackets(s, &right);
    const char *name = text_of(c, left), *by = text_of(c, right);
    const char *between = text_of(c, span_between(left, right));
    if (!name || !by || !between || !l->is_operand(name) || strstr(name, l->arguments[0]))
        return false;
    size_t blank = strspn(between, " "), op = strcspn(between + blank, "= ");
    if (!op || op > 2 || between[blank + op] != '=' ||
        between[blank + op + 1 + strspn(between + blank + op + 1, " ")])
        return false;
    const char *sign = arena_text(c->in->arena, between + blank, op);
    bool is_plain = l->is_operand(by) || (strchr("+-", *sign) && is_factor(by)) ||
                    !by[strspn(by, "0123456789.e")];
    fix_edit(c, f, span_between(left, right),
             arena_printf(c->in->arena, "%s%s %s %s", l->assign, name, sign,
                          is_plain ? "" : l->arguments[0]));
    if (!is_plain)
        fix_edit(c, f, span_end(right), l->arguments[1]);
    return true;
}

/* Whether the statement assigns the result of the call to what it changes: "x = x.add_(y)". */
static bool is_assigned_back(struct check *c, const struct call *call, const char *name)
{
    struct span whole;
    const struct source *s = source_at(c, &inst_of(call)->span);
    const char *text =
        s && statement_around(s, &inst_of(call)->span, &whole) ? text_of(c, whole) : NULL;
    const char *all = text_of(c, call_span(call));
    return text && all &&
           !strcmp(text, arena_printf(c->in->arena, "%s%s%s", name,
                                      language_of(call->function)->assign, all));
}

/* "x = x.add(y)" for "x.add_(y)". */
static bool write_method_out(struct check *c, struct finding *f, const struct call *call,
                             const struct argument *x)
{
    const struct ir_inst *i = inst_of(call);
    const struct language *l = language_of(call->function);
    const char *name = text_of(c, x->span);
    size_t n = i->name ? strlen(i->name) : 0;
    int count = 0;
    if (!name || !dynamic_is_method(call, x) || n < 2 || i->name[n - 1] != '_' ||
        i->name[n - 2] == '_' || !l->is_operand(name) || strpbrk(name, "([") ||
        !packs_signatures(
            c->in->packs,
            arena_text(c->in->arena, call->callee->name, strlen(call->callee->name) - 1), &count))
        return false;
    bool is_back = is_assigned_back(c, call, name);
    if (!is_back && !is_statement_at(source_at(c, &i->span), &i->span))
        return false;
    const char *behind = text_of(c, span_between(x->span, span_end(call_span(call))));
    const char *at = behind ? strstr(behind, i->name) : NULL;
    if (!at || memchr(behind, '\n', (size_t)(at - behind)) || at[n] != *l->arguments[0])
        return false;
    struct span mark = span_end(x->span);
    mark.column += (int)(at - behind) + (int)n - 1;
    mark.end_column = mark.column + 1;
    if (!is_back)
        fix_edit(c, f, span_start(call_span(call)),
                 arena_printf(c->in->arena, "%s%s", name, l->assign));
    fix_edit(c, f, mark, "");
    return true;
}

bool dynamic_out_of_place(struct check *c, struct finding *f, const struct call *call)
{
    const struct argument *x = call_written(call);
    const struct ir_inst *i = inst_of(call);
    if (!x)
        return false;
    bool is_operator =
        i->op == IR_APPLY && i->integer >= PROTOCOL_IADD && i->integer <= PROTOCOL_IRSHIFT;
    return is_operator ? write_operator_out(c, f, call) : write_method_out(c, f, call, x);
}
