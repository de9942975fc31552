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

/* Whether the call is written out, and the operand lies among its arguments. */
static bool is_written_out(struct check *c, const struct pack_function *api, struct span operand,
                           struct span call)
{
    const struct source *source = sources_get(c->in->sources, call.file);
    if (!source || !operand.line || strcmp(operand.file, call.file) != 0)
        return false;
    return is_argument_at(source, &call, write_op(c, api, api->shown), &operand);
}

bool is_argument_of(struct check *c, const struct pack_function *callee, struct span operand,
                    struct span call)
{
    return spelling_of(callee) && is_written_out(c, callee, operand, call);
}

bool is_statement(struct check *c, struct span call)
{
    const struct source *s = sources_get(c->in->sources, call.file);
    return s && is_statement_at(s, &call);
}

void fix_edit(struct check *c, struct finding *f, struct span span, const char *text)
{
    LIST_ADD(c->in->arena, &f->fix.edits, ((struct edit){span, text}));
}

static bool wrap(struct check *c, struct finding *f, const struct pack_function *api,
                 struct span operand, struct span call, const char *function, const char *to)
{
    if (!to || !is_written_out(c, api, operand, call))
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
