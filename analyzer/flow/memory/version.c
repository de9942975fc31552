/* Versions: which of its contents an object has. A new one begins where it is written to as a
 * whole, or in a place that is not followed. Where one state stands for all iterations of a loop,
 * it is another one each time that the code is run, and so is what is read there: its number is
 * negative. */
#include "analyzer/flow/memory/memory.h"

static const struct loc *version_in(struct flow *f, struct key key, bool is_fresh)
{
    struct object *version = object_at(f->heap, key, OBJECT_MADE, "", NULL);
    version->counts = true;
    version->is_fresh = is_fresh;
    return loc_root(f->heap, version);
}

static const struct loc *version_at(struct flow *f, const struct object *o)
{
    return version_in(f, key_of(KEY_VERSION, (uint64_t)o->id, 0), o->is_fresh);
}

/* Of all that came from outside together. */
static const struct loc *version_of_input_at(struct flow *f)
{
    return version_in(f, key_of(KEY_VERSION, 0, 1), false);
}

static void note_at(struct flow *f, struct state *s, const struct loc *version)
{
    state_put(f->scratch, s, version,
              value_int(f->joins_iterations ? -++f->versions : ++f->versions));
}

void version_note(struct flow *f, struct state *s, const struct object *o)
{
    if (!f->merges)
        return;
    note_at(f, s, version_at(f, o));
    if (o->kind == OBJECT_UNKNOWN && !o->memory)
        note_at(f, s, version_of_input_at(f));
}

/* Which of its contents an object has; false: not known. */
bool version_of(struct flow *f, const struct state *s, const struct object *o, int64_t *n)
{
    const struct value *v = o->is_const ? NULL : state_get(s, version_at(f, o));
    *n = 0;
    return !v || number_exact(v, n);
}

bool version_of_input(struct flow *f, const struct state *s, int64_t *n)
{
    const struct value *v = state_get(s, version_of_input_at(f));
    *n = 0;
    return !v || number_exact(v, n);
}

bool version_is_fresh(int64_t version)
{
    return version < 0;
}
