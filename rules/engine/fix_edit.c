/* Edits of calls and statements as they are written: an option is set, a call is wrapped, unwrapped
 * or renamed, a statement is put before another. Each needs the call in the source as the pack
 * writes it; where a macro makes the call, nothing is added. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- text ----------------------------------------------------------------------------------- */

struct written_call as_written(const struct call *call)
{
    return (struct written_call){call->function, call->inst, call->callee};
}

static const char *written_name(struct check *c, const struct call *call)
{
    return pack_written_name(c->in->arena, call->callee);
}

/* "name(...)": no macro with another name makes the call. */
bool is_spelled_out(struct check *c, const struct call *call)
{
    if (is_dynamic(&call->function->insts.items[call->inst]))
        return dynamic_is_call(c, call);
    const char *text = text_of(c, call_span(call)), *name = written_name(c, call);
    size_t n = strlen(name);
    return text && !strncmp(text, name, n) && text[n] == '(' && text[strlen(text) - 1] == ')';
}

/* ---- calls ---------------------------------------------------------------------------------- */

static int param_with(const struct call *call, enum param_role role)
{
    for (int k = 0; k < call->count; k++)
        if (call->arguments[k].param->role == role)
            return k;
    return -1;
}

/* "dtype" of "options.dtype"; NULL: it is no option. */
static const char *option_name(const struct pack_param *p)
{
    const char *name = NULL;
    for (int i = 0; i < 3 && p->path[i]; i++)
        name = p->path[i];
    return name;
}

bool fix_option(struct check *c, struct finding *f, const struct call *call, enum param_role role,
                const char *text)
{
    int k = param_with(call, role);
    const struct argument *a = k >= 0 ? &call->arguments[k] : NULL;
    const struct written_call at = as_written(call);
    const struct language *l = language_of(call->function);
    if (!a || !text || !is_spelled_out(c, call))
        return false;
    if (l->has_methods)
        return dynamic_option(c, f, call, k, text);
    if (a->value && is_argument_of(c, &at, a->span)) {
        fix_edit(c, f, a->span, text);
        return true;
    }
    const char *name = option_name(a->param);
    if (a->value || !name)
        return false;
    struct span end = span_end(call_span(call));
    end.column--;
    end.end_column--;
    fix_edit(c, f, end,
             arena_printf(c->in->arena, ", %s%s%s%s%s", l->option[0], name, l->option[1], l->assign,
                          text));
    return true;
}

/* The parts of a spelling around {tensor}, with `to` for what it becomes. */
static bool split(struct check *c, const char *spelling, const char *to, const char **front,
                  const char **back)
{
    static const char tensor[] = "{tensor}";
    const char *at = spelling ? strstr(spelling, tensor) : NULL;
    if (!at)
        return false;
    *front = arena_text(c->in->arena, spelling, (size_t)(at - spelling));
    at += strlen(tensor);
    const char *open = strchr(at, '{'), *close = open ? strchr(open, '}') : NULL;
    *back = !close ? at
                   : arena_printf(c->in->arena, "%.*s%s%s", (int)(open - at), at, to ? to : "",
                                  close + 1);
    return !strchr(*front, '{') && !strchr(*back, '{') && (!close || to);
}

bool fix_wrap(struct check *c, struct finding *f, struct span at, const char *spelling,
              const char *to)
{
    const char *front, *back;
    if (!at.line || !split(c, spelling, to, &front, &back))
        return false;
    if (language_of_file(at.file)->has_methods)
        return dynamic_wrap(c, f, at, front, back);
    fix_edit(c, f, span_start(at), front);
    fix_edit(c, f, span_end(at), back);
    return true;
}

/* Replaces what is written around the operand of a call. */
static bool rewrap(struct check *c, struct finding *f, const struct call *call,
                   const struct argument *x, const char *front, const char *back)
{
    const struct written_call at = as_written(call);
    struct span before = call_span(call), behind = before;
    if (language_of(call->function)->has_methods)
        return !*front && dynamic_rewrap(c, f, call, x, back);
    if (!is_spelled_out(c, call) || !is_argument_of(c, &at, x->span))
        return false;
    before.end_line = x->span.line;
    before.end_column = x->span.column;
    behind.line = x->span.end_line;
    behind.column = x->span.end_column;
    fix_edit(c, f, before, front);
    fix_edit(c, f, behind, back);
    return true;
}

/* "x = cast(x);": without the cast, nothing is left to do. */
static bool only_casts(struct check *c, const struct call *call, const char *x)
{
    struct span whole;
    const char *text, *cast = text_of(c, call_span(call));
    const struct language *l = language_of(call->function);
    return cast && statement_text(c, call_span(call), &whole, &text) &&
           !strcmp(text, arena_printf(c->in->arena, "%s%s%s%s", x, l->assign, cast,
                                      l->ends_with_line ? "" : ";"));
}

bool fix_unwrap(struct check *c, struct finding *f, const struct call *call,
                const struct argument *x)
{
    const struct language *l = language_of(call->function);
    const char *text = text_of(c, x->span);
    if (text && is_spelled_out(c, call) && only_casts(c, call, text))
        return fix_remove_statement(c, f, call_span(call));
    return text && l->is_operand && l->is_operand(text) && rewrap(c, f, call, x, "", "");
}

bool fix_cast_again(struct check *c, struct finding *f, const struct call *call,
                    const struct argument *x, const char *dtype)
{
    const char *front, *back;
    return split(c, write_cast(call->callee, dtype), dtype, &front, &back) &&
           rewrap(c, f, call, x, front, back);
}

bool fix_rename(struct check *c, struct finding *f, const struct call *call, const char *name)
{
    struct span at = call_span(call);
    if (!name || !is_spelled_out(c, call))
        return false;
    at.end_line = at.line;
    at.end_column = at.column + (int)strlen(written_name(c, call));
    fix_edit(c, f, at, name);
    return true;
}

const char *write_out_of_place(struct check *c, const struct call *call)
{
    const char *name = written_name(c, call), *word = call->callee->word;
    size_t n = strlen(word), all = strlen(name);
    if (n < 2 || word[n - 1] != '_')
        return NULL;
    const char *plain = arena_text(c->in->arena, word, n - 1);
    return pack_has_word(call->callee, plain) ? arena_text(c->in->arena, name, all - 1) : NULL;
}

/* "x = add(x, y)" for "add_(x, y)": a statement, an initialiser or an argument. */
bool fix_out_of_place(struct check *c, struct finding *f, const struct call *call)
{
    if (is_dynamic(&call->function->insts.items[call->inst]))
        return dynamic_out_of_place(c, f, call);
    const struct argument *x = call_written(call);
    const char *name = write_out_of_place(c, call), *text = x ? text_of(c, x->span) : NULL;
    bool alone = is_statement(c, call_span(call));
    const struct language *l = language_of(call->function);
    bool assigns = x && call->function->insts.items[x->value].op == IR_LOAD && l->is_operand &&
                   text && l->is_operand(text) && !strstr(text, l->arguments[0]);
    if (!name || !text || (alone && !assigns) || !is_spelled_out(c, call))
        return false;
    if (alone)
        name =
            arena_printf(c->in->arena, "%s%s%s", text, language_of(call->function)->assign, name);
    return fix_rename(c, f, call, name);
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool around(struct check *c, struct span at, struct span *out)
{
    const struct source *s = sources_get(c->in->sources, at.file);
    return s && at.line && statement_around(s, &at, out);
}

/* What the line begins with, if the statement does, too; NULL: something is before it. */
static const char *indent_of(struct check *c, const struct span *statement)
{
    struct span before = *statement;
    before.end_line = before.line;
    before.end_column = before.column;
    before.column = 1;
    const char *text = before.end_column > 1 ? text_of(c, before) : "";
    return text && text[strspn(text, " \t")] == '\0' ? text : NULL;
}

/* Whether nothing but a comment follows on its last line. */
static bool ends_line(struct check *c, const struct span *statement)
{
    const struct source *s = sources_get(c->in->sources, statement->file);
    size_t to = source_offset(s, statement->end_line, statement->end_column);
    size_t line_end = to + strcspn(s->text + to, "\n");
    comment_list comments = {0};
    while (to < line_end && strchr(" \t\r", s->text[to]))
        to++;
    if (to == line_end)
        return line_end < s->length;
    comments_find(c->in->arena, s, &comments);
    for (int i = 0; i < comments.count; i++)
        if (comments.items[i].line == statement->end_line &&
            source_offset(s, comments.items[i].line, comments.items[i].column) == to)
            return comments.items[i].end_line == statement->end_line;
    return false;
}

bool fix_insert_before(struct check *c, struct finding *f, struct span at, const char *statement)
{
    struct span whole;
    if (!around(c, at, &whole))
        return false;
    const char *indent = indent_of(c, &whole);
    if (!indent)
        return false;
    fix_edit(c, f, span_start(whole), arena_printf(c->in->arena, "%s\n%s", statement, indent));
    return true;
}

bool fix_insert_after(struct check *c, struct finding *f, struct span at, const char *statement)
{
    struct span whole;
    if (!around(c, at, &whole))
        return false;
    const char *indent = indent_of(c, &whole);
    if (!indent)
        return false;
    /* On a line of its own, behind comments on the last. */
    struct span next = {.file = whole.file, .line = whole.end_line + 1, .column = 1};
    next.end_line = next.line;
    next.end_column = 1;
    if (!ends_line(c, &whole))
        return false;
    fix_edit(c, f, next, arena_printf(c->in->arena, "%s%s\n", indent, statement));
    return true;
}

bool fix_in_block(struct check *c, struct finding *f, struct span at, const char *begin)
{
    struct span whole;
    const struct source *s = sources_get(c->in->sources, at.file);
    if (!begin || !s || !s->language->ends_with_line || !around(c, at, &whole))
        return false;
    const char *indent = indent_of(c, &whole);
    if (!indent)
        return false;
    const char *deeper = strchr(indent, '\t') ? "\t" : "    ";
    fix_edit(c, f, span_start(whole),
             arena_printf(c->in->arena, "%s\n%s%s", begin, indent, deeper));
    return true;
}

/* With its line, if nothing else is on it. */
bool fix_remove_statement(struct check *c, struct finding *f, struct span at)
{
    struct span whole;
    const struct source *s = sources_get(c->in->sources, at.file);
    if (!around(c, at, &whole) || (s->language->ends_with_line && is_alone_in_block(s, &whole)))
        return false;
    size_t to = source_offset(s, whole.end_line, whole.end_column);
    size_t rest = strspn(s->text + to, " \t\r");
    char mark = *s->language->comments[0].begin;
    if (indent_of(c, &whole) && (s->text[to + rest] == '\n' || s->text[to + rest] == mark)) {
        bool blank = s->text[to + rest] == '\n';
        whole.column = 1;
        whole.end_line += blank;
        whole.end_column = blank ? 1 : whole.end_column;
    }
    fix_edit(c, f, whole, "");
    return true;
}

bool statement_text(struct check *c, struct span at, struct span *whole, const char **text)
{
    return around(c, at, whole) && (*text = text_of(c, *whole));
}

/* The statement is the last of its block, and is moved behind it. */
bool fix_move_behind_block(struct check *c, struct finding *f, struct span at)
{
    struct span whole, end;
    const char *text;
    const struct source *s = sources_get(c->in->sources, at.file);
    if (!statement_text(c, at, &whole, &text))
        return false;
    size_t to = source_offset(s, whole.end_line, whole.end_column);
    to += strspn(s->text + to, " \t\r\n");
    if (!s->language->block_end || s->text[to] != *s->language->block_end)
        return false;
    end = whole;
    source_place(s, to, &end.line, &end.column);
    end.end_line = end.line;
    end.end_column = end.column + 1;
    const char *indent = indent_of(c, &end);
    if (!indent || s->text[to + 1] != '\n' || !fix_remove_statement(c, f, at))
        return false;
    struct span next = {.file = at.file, .line = end.line + 1, .column = 1};
    next.end_line = next.line;
    next.end_column = 1;
    fix_edit(c, f, next, arena_printf(c->in->arena, "%s%s\n", indent, text));
    return true;
}
