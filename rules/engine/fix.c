/* Fixes in the words of the API. A fix is offered only where what it would change stands in the
 * source as it is understood: the arguments of a call written out, not those of a macro of the
 * user's that makes the call. */
#include "rules/engine/engine.h"

#include <ctype.h>
#include <string.h>

struct spelling {
    const char *prefix, *written, *cast, *move, *dtype_of, *device_of, *dtypes;
};

static const struct spelling spellings[] = {
#define SPELLING(prefix, written, cast, move, dtype_of, device_of, dtypes)                         \
    {prefix, written, cast, move, dtype_of, device_of, dtypes},
#include "rules/spelling.def"
#undef SPELLING
};

static const struct spelling *spelling_of(const struct pack_function *f)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strncmp(f->name, spellings[i].prefix, strlen(spellings[i].prefix)))
            return &spellings[i];
    return NULL;
}

/* ---- words ---------------------------------------------------------------------------------- */

const char *write_dtype(struct check *c, const struct pack_function *api, enum dtype d)
{
    const struct spelling *s = spelling_of(api);
    char name[16] = "";
    const char *plain = dtype_word(d);
    if (!s || d == DTYPE_NONE || dtypes_are((uint16_t)(1u << d), SET_F8))
        return NULL;
    for (size_t i = 0; plain[i] && i + 1 < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)plain[i]);
    return arena_printf(c->in->arena, "%s%s", s->dtypes, name);
}

const char *write_dtype_of(struct check *c, const struct pack_function *api, const char *tensor)
{
    const struct spelling *s = spelling_of(api);
    return s ? arena_printf(c->in->arena, "%s(%s)", s->dtype_of, tensor) : NULL;
}

const char *write_device_of(struct check *c, const struct pack_function *api, const char *tensor)
{
    const struct spelling *s = spelling_of(api);
    return s ? arena_printf(c->in->arena, "%s(%s)", s->device_of, tensor) : NULL;
}

const char *write_op(struct check *c, const struct pack_function *api, const char *op)
{
    const struct spelling *s = spelling_of(api);
    return arena_printf(c->in->arena, "%s%s", s ? s->written : "", op);
}

/* ---- places --------------------------------------------------------------------------------- */

static bool is_balanced(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; text++)
        depth += (*text == '(') - (*text == ')');
    return !depth;
}

/* Whether "mc_linear(" begins the call, and the operand lies within the parentheses. */
static bool is_written_out(struct check *c, const struct spelling *s,
                           const struct pack_function *api, struct span operand, struct span call)
{
    const struct source *source = sources_get(c->in->sources, call.file);
    if (!source || !operand.line || strcmp(operand.file, call.file) != 0)
        return false;
    const char *name = arena_printf(c->in->arena, "%s%s(", s->written, api->shown);
    size_t at = source_offset(source, call.line, call.column);
    size_t end = source_offset(source, call.end_line, call.end_column);
    size_t from = source_offset(source, operand.line, operand.column);
    size_t to = source_offset(source, operand.end_line, operand.end_column);
    return end - at > strlen(name) && !strncmp(source->text + at, name, strlen(name)) &&
           from >= at + strlen(name) && to > from && to < end &&
           is_balanced(arena_text(c->in->arena, source->text + from, to - from));
}

bool is_argument_of(struct check *c, const struct pack_function *callee, struct span operand,
                    struct span call)
{
    const struct spelling *s = spelling_of(callee);
    return s && is_written_out(c, s, callee, operand, call);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_statement(struct check *c, struct span call)
{
    const struct source *s = sources_get(c->in->sources, call.file);
    if (!s)
        return false;
    size_t before = source_offset(s, call.line, call.column);
    size_t behind = source_offset(s, call.end_line, call.end_column);
    while (before && is_blank(s->text[before - 1]))
        before--;
    while (behind < s->length && is_blank(s->text[behind]))
        behind++;
    return before && strchr(";{})", s->text[before - 1]) && behind < s->length &&
           s->text[behind] == ';';
}

void fix_edit(struct check *c, struct finding *f, struct span span, const char *text)
{
    LIST_ADD(c->in->arena, &f->fix.edits, ((struct edit){span, text}));
}

static bool wrap(struct check *c, struct finding *f, const struct pack_function *api,
                 struct span operand, struct span call, const char *function, const char *to)
{
    const struct spelling *s = spelling_of(api);
    if (!to || !is_written_out(c, s, api, operand, call))
        return false;
    struct span before = operand, behind = operand;
    before.end_line = before.line;
    before.end_column = before.column;
    behind.line = behind.end_line;
    behind.column = behind.end_column;
    fix_edit(c, f, before, arena_printf(c->in->arena, "%s(", function));
    fix_edit(c, f, behind, arena_printf(c->in->arena, ", %s)", to));
    return true;
}

bool fix_cast(struct check *c, struct finding *f, const struct pack_function *api,
              struct span operand, struct span call, const char *to)
{
    const struct spelling *s = spelling_of(api);
    return s && wrap(c, f, api, operand, call, s->cast, to);
}

bool fix_move(struct check *c, struct finding *f, const struct pack_function *api,
              struct span operand, struct span call, const char *to)
{
    const struct spelling *s = spelling_of(api);
    return s && wrap(c, f, api, operand, call, s->move, to);
}
