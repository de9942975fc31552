/* A parsed file becomes a unit: its statements are the unit's "(init)", in which everything else is
 * defined. */
#include "frontends/python/module.h"
#include "frontends/python/lower.h"

static void note_damage(struct ir_unit *u, const struct parsed *p)
{
    for (int i = 0; i < p->damage.count; i++) {
        const struct damage *d = &p->damage.items[i];
        struct span at = {u->file, d->line, 1, d->line, 1};
        ir_note_add(u, at, "not valid Python");
    }
    if (!p->damage.count)
        return;
    u->errors = p->damage.count;
    u->first_error = arena_printf(u->arena, "%s:%d:%d: not valid Python", u->file,
                                  p->damage.items[0].line, p->damage.items[0].column);
}

struct ir_unit *py_lower_module(const struct grammar *g, const struct parsed *p, const char *file)
{
    struct ir_unit *u = ir_unit_new(file);
    ir_unit_set_language(u, "python");
    struct body body = {.function = u->functions.items[0], .block = -1};
    struct lower l = {.unit = u,
                      .arena = arena_new(),
                      .grammar = g,
                      .parsed = p,
                      .dyn = type_simple(u, TYPE_DYN),
                      .boolean = type_simple(u, TYPE_BOOL)};
    l.paths = map_new(l.arena);
    TSNode root = ts_tree_root_node(p->tree);
    l.scope = scope_new(&l, SCOPE_MODULE, &body, "");
    body.function->span = node_span(&l, root);
    body.function->is_partial = parsed_is_damaged_outside(p);
    py_begin_block(&l, py_new_block(&l));
    py_lower_statements(&l, root);
    if (py_is_reachable(&l))
        py_emit_return(&l, root, 0);
    ir_order_blocks(u, body.function, body.placed.items, body.placed.count, l.arena);
    note_damage(u, p);
    arena_free(l.arena);
    return u;
}
