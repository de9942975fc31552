/* Linking of functions by name, see symbols.h. */
#include "analyzer/flow/program/symbols.h"

#include <stdlib.h>
#include <string.h>

uint64_t name_id(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static bool has_prefix(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return !strncmp(name, prefix, length) && (name[length] == ')' || name[length] == ' ');
}

void symbol_name(struct symbol *s, const char *name)
{
    s->name = name_id(name);
    s->is_initialiser = !strcmp(name, "(init)");
    s->is_start = has_prefix(name, IR_START);
    s->is_end = has_prefix(name, IR_END);
    const char *priority = s->is_start || s->is_end ? strchr(name, ' ') : NULL;
    s->priority = priority ? (int)strtol(priority, NULL, 10) : IR_LAST_PRIORITY;
}

void symbols_init(struct symbols *t, struct arena *a)
{
    *t = (struct symbols){.arena = a, .visible = map_new(a), .setters = map_new(a)};
}

/* ---- what a function refers to --------------------------------------------------------------- */

/* Whether it is declared with a number where the pack has a tensor: another version of the API. */
static bool is_another(const struct pack_function *f, const struct ir_function *declared)
{
    for (int i = 0; i < f->param_count; i++) {
        const struct pack_param *p = &f->params[i];
        const struct type *t = p->argument >= 0 && p->argument < declared->type->field_count
                                   ? declared->type->fields[p->argument].type
                                   : NULL;
        if (p->kind == OPERAND_TENSOR && !p->also_number && !p->path[0] && type_is_number(t))
            return true;
    }
    return false;
}

const struct pack_function *symbol_pack(const struct pack_set *packs, const struct ir_unit *u,
                                        const char *name)
{
    const struct pack_function *packed = packs_find(packs, name);
    const struct ir_function *own = packed ? ir_function_find(u, name) : NULL;
    if (!own || !packed)
        return packed;
    return (packed->is_ambient && own->has_body) || is_another(packed, own) ? NULL : packed;
}

/* Whether a call can do or tell anything about tensors; printing the last error does not. */
static bool is_about_tensors(const struct pack_function *f)
{
    return f->effects || f->param_count || f->returns_tensor || f->returns_buffer ||
           f->returns_number || f->field_count || f->object_role != ROLE_NONE || f->holds >= 0 ||
           f->callback.kind != CALLBACK_NONE;
}

static bool matters(const struct pack_function *f)
{
    return !f->is_ambient && !(f->effects & EFFECT_PURE) && is_about_tensors(f);
}

static bool has_id(const name_ids *l, uint64_t id)
{
    for (int i = l->count - 1; i >= 0; i--)
        if (l->items[i] == id)
            return true;
    return false;
}

static void add_id(struct arena *a, name_ids *l, uint64_t id)
{
    if (!has_id(l, id))
        LIST_ADD(a, l, id);
}

static void read_call(struct arena *a, struct symbol *s, const struct ir_inst *i,
                      const struct pack_function *packed)
{
    uint64_t id = name_id(i->name);
    if (i->op == IR_CALL && packed) {
        s->acts |= matters(packed);
        add_id(a, &s->packed, id);
        return;
    }
    add_id(a, &s->calls, id);
    if (packed && matters(packed))
        add_id(a, &s->pointed, id);
}

void symbol_read(struct arena *a, struct symbol *s, const struct ir_unit *u,
                 const struct ir_function *f, const struct pack_set *packs)
{
    s->is_read = true;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if ((i->op == IR_CALL || i->op == IR_FUNCTION) && i->name)
            read_call(a, s, i, symbol_pack(packs, u, i->name));
        if (i->op == IR_GLOBAL) {
            const struct ir_global *g = ir_global_find(u, i->name);
            add_id(a, g && g->is_internal ? &s->own_globals : &s->globals, name_id(i->name));
        }
    }
}

/* ---- adding ---------------------------------------------------------------------------------- */

static struct unit_symbols *unit_of(struct symbols *t, int unit)
{
    while (t->units.count <= unit)
        LIST_ADD(t->arena, &t->units, (struct unit_symbols){0});
    struct unit_symbols *u = &t->units.items[unit];
    if (!u->functions)
        *u = (struct unit_symbols){map_new(t->arena), map_new(t->arena)};
    return u;
}

static void add_setters(struct symbols *t, struct map *by_global, const name_ids *globals,
                        struct symbol *init)
{
    for (int i = 0; i < globals->count; i++) {
        symbol_list *all = map_get(by_global, globals->items[i]);
        if (!all)
            map_put(by_global, globals->items[i], all = arena_one(t->arena, symbol_list));
        LIST_ADD(t->arena, all, init);
    }
}

bool symbols_add(struct symbols *t, struct symbol *s)
{
    struct unit_symbols *u = unit_of(t, s->unit);
    const struct symbol *first = map_get(t->visible, s->name);
    if (map_get(u->functions, s->name))
        return false;
    map_put(u->functions, s->name, s);
    LIST_ADD(t->arena, &t->all, s);
    if (!s->is_internal && (!first || s->order < first->order))
        map_put(t->visible, s->name, s);
    if (s->is_initialiser) {
        add_setters(t, t->setters, &s->globals, s);
        add_setters(t, u->setters, &s->own_globals, s);
    }
    return true;
}

/* ---- linking --------------------------------------------------------------------------------- */

struct symbol *symbols_find(const struct symbols *t, int unit, uint64_t name)
{
    struct symbol *own = map_get(t->units.items[unit].functions, name);
    return own ? own : map_get(t->visible, name);
}

static void link_setters(struct symbols *t, struct symbol *s, const struct map *by_global,
                         const name_ids *globals)
{
    for (int i = 0; i < globals->count; i++) {
        const symbol_list *all = map_get(by_global, globals->items[i]);
        for (int k = 0; all && k < all->count; k++) {
            int n = 0;
            while (n < s->setters.count && s->setters.items[n] != all->items[k])
                n++;
            if (n < s->setters.count)
                continue;
            LIST_ADD(t->arena, &s->setters, all->items[k]);
            /* What it puts there may be called from here: a table of functions. */
            LIST_ADD(t->arena, &all->items[k]->callers, s);
        }
    }
}

/* The environment calls main, whoever else calls it or takes its address. */
static bool is_main(const struct symbol *s)
{
    return !s->is_internal && s->name == name_id("main");
}

static void link_call(struct symbols *t, struct symbol *s, struct symbol *to)
{
    to->is_called = true;
    LIST_ADD(t->arena, &s->callees, to);
    LIST_ADD(t->arena, &to->callers, s);
}

/* What runs before and after main is a part of what main does. */
static void link_around(struct symbols *t, struct symbol *main)
{
    for (int i = 0; i < t->all.count; i++)
        if (t->all.items[i]->is_start || t->all.items[i]->is_end)
            link_call(t, main, t->all.items[i]);
}

void symbol_link(struct symbols *t, struct symbol *s)
{
    if (s->is_linked)
        return;
    s->is_linked = true;
    s->reaches |= s->acts;
    for (int i = 0; i < s->calls.count; i++) {
        struct symbol *to = symbols_find(t, s->unit, s->calls.items[i]);
        if (!to) {
            s->reaches |= has_id(&s->pointed, s->calls.items[i]);
            continue;
        }
        link_call(t, s, to);
    }
    if (is_main(s))
        link_around(t, s);
    link_setters(t, s, t->setters, &s->globals);
    link_setters(t, s, t->units.items[s->unit].setters, &s->own_globals);
}

static void mark_all(struct symbols *t, const symbol_list *all, enum symbol_mark mark,
                     symbol_list *todo)
{
    for (int k = 0; k < all->count; k++) {
        if (!(all->items[k]->marks & mark))
            LIST_ADD(t->arena, todo, all->items[k]);
        all->items[k]->marks |= mark;
    }
}

/* Marks what is called from one; through tables that it refers to, too, if that is asked. */
static void mark_from(struct symbols *t, struct symbol *s, enum symbol_mark mark, bool in_tables)
{
    symbol_list todo = {0};
    s->marks |= mark;
    LIST_ADD(t->arena, &todo, s);
    while (todo.count) {
        const struct symbol *from = todo.items[--todo.count];
        mark_all(t, &from->callees, mark, &todo);
        if (in_tables)
            mark_all(t, &from->setters, mark, &todo);
    }
}

/* What a program can run. Without a main, as in a library, each function would have to be followed
 * into all tables of its functions: those in the tables are roots then. */
static void find_program(struct symbols *t)
{
    for (int i = 0; i < t->all.count; i++)
        if (is_main(t->all.items[i]))
            mark_from(t, t->all.items[i], SYMBOL_OF_MAIN, true);
}

/* Upward: who calls what reaches. Lists instead of recursion: calls can be deep. */
static void spread_up(struct symbols *t)
{
    symbol_list todo = {0};
    for (int i = 0; i < t->all.count; i++)
        if (t->all.items[i]->reaches)
            LIST_ADD(t->arena, &todo, t->all.items[i]);
    while (todo.count) {
        const struct symbol *s = todo.items[--todo.count];
        for (int k = 0; k < s->callers.count; k++) {
            struct symbol *caller = s->callers.items[k];
            if (s->is_initialiser && !(caller->marks & SYMBOL_OF_MAIN))
                continue;
            if (!caller->reaches)
                LIST_ADD(t->arena, &todo, caller);
            caller->reaches = true;
        }
    }
}

static void spread_down(struct symbols *t)
{
    symbol_list todo = {0};
    for (int i = 0; i < t->all.count; i++)
        if ((t->all.items[i]->relevant = t->all.items[i]->reaches))
            LIST_ADD(t->arena, &todo, t->all.items[i]);
    while (todo.count) {
        const struct symbol *s = todo.items[--todo.count];
        for (int k = 0; k < s->callees.count; k++) {
            struct symbol *callee = s->callees.items[k];
            if (!callee->relevant)
                LIST_ADD(t->arena, &todo, callee);
            callee->relevant = true;
        }
    }
}

/* Of functions that call only each other, or themselves, the first is a root. */
static void find_roots(struct symbols *t)
{
    for (int i = 0; i < t->all.count; i++) {
        struct symbol *s = t->all.items[i];
        /* Whether main returns is not known here: what runs behind it is looked at in any case. */
        s->is_root = !s->is_initialiser && (!s->is_called || is_main(s) || s->is_end);
        if (s->is_root || s->is_initialiser)
            mark_from(t, s, SYMBOL_REACHED, false);
    }
    for (int i = 0; i < t->all.count; i++) {
        struct symbol *s = t->all.items[i];
        if (!(s->marks & SYMBOL_REACHED)) {
            s->is_root = true;
            mark_from(t, s, SYMBOL_REACHED, false);
        }
    }
}

static bool is_only_in_tables(const struct symbol *s)
{
    for (int k = 0; k < s->callers.count; k++)
        if (!s->callers.items[k]->is_initialiser)
            return false;
    return true;
}

/* What nobody who is relevant can call, such as the commands in a table of a main function that
 * does nothing but choose one, are roots, too. */
static void add_unrun_roots(struct symbols *t)
{
    for (int i = 0; i < t->all.count; i++)
        if (symbol_is_root(t->all.items[i]))
            mark_from(t, t->all.items[i], SYMBOL_RUN, true);
    for (int i = 0; i < t->all.count; i++) {
        struct symbol *s = t->all.items[i];
        if (s->reaches && !(s->marks & SYMBOL_RUN) && !s->is_initialiser && is_only_in_tables(s)) {
            s->is_root = true;
            mark_from(t, s, SYMBOL_RUN, true);
        }
    }
}

void symbols_spread(struct symbols *t)
{
    for (int i = 0; i < t->all.count; i++)
        t->all.items[i]->marks = 0;
    find_program(t);
    spread_up(t);
    spread_down(t);
    find_roots(t);
    add_unrun_roots(t);
}

bool symbol_is_root(const struct symbol *s)
{
    return s->relevant && s->is_root;
}
