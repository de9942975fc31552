/* Members of an instance that the program does not make: a method may be called after others that
 * put another tensor in the place of the constructor's. Which one is not known then. Methods that
 * the constructor calls do not count: what they set was there when it returned. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

static bool is_self(const struct ir_function *fn, ir_value v)
{
    const struct ir_inst *i = &fn->insts.items[v];
    return fn->param_count && i->op == IR_GET && i->integer == 0;
}

/* The methods of the class and of those before it, one by one; NULL: no more. A library's are not
 * among them. */
static const struct code *next_method(struct dyn *d, const struct object *class, int *k, int *i)
{
    for (; *k < class->is->order_count; (*k)++, *i = 0) {
        loc_list members = dyn_fields(d, class->is->order[*k]);
        while (*i < members.count) {
            const struct value *v = state_get(d->p->s, members.items[(*i)++]);
            const struct object *o = v ? dyn_object(v) : NULL;
            const struct code *code =
                o && o->is->kind == DYNAMIC_FUNCTION ? code_of(d->p->f, o->is->code) : NULL;
            if (code && !code->unit->module)
                return code;
        }
    }
    return NULL;
}

static const char *name_in_class(const struct ir_function *fn)
{
    const char *last = strrchr(fn->name, '.');
    return last ? last + 1 : fn->name;
}

/* What it calls of its own object. */
static void add_called(struct dyn *d, const struct ir_function *fn, text_list *out)
{
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (i->op == IR_INVOKE && is_self(fn, i->args[0]) && !text_list_has(out, i->name))
            LIST_ADD(d->p->f->scratch, out, i->name);
    }
}

/* The names of the methods that the constructor calls, and of those that these do. */
static text_list called_to_construct(struct dyn *d, const struct object *class)
{
    text_list all = {0};
    const struct code *m;
    LIST_ADD(d->p->f->scratch, &all, "__init__");
    for (int done = 0; done < all.count; done++)
        for (int k = 0, i = 0; (m = next_method(d, class, &k, &i));)
            if (!strcmp(name_in_class(m->fn), all.items[done]))
                add_called(d, m->fn, &all);
    return all;
}

setter_list setters_of(struct dyn *d, const struct object *class)
{
    setter_list all = {0};
    text_list constructing = called_to_construct(d, class);
    const struct code *m;
    for (int k = 0, i = 0; (m = next_method(d, class, &k, &i));) {
        const struct ir_function *fn = m->fn;
        for (int n = 1; n < fn->insts.count && !text_list_has(&constructing, name_in_class(fn));
             n++)
            if (fn->insts.items[n].op == IR_SETATTR && is_self(fn, fn->insts.items[n].args[0]))
                LIST_ADD(d->p->f->scratch, &all, ((struct setter){fn, fn->insts.items[n].name}));
    }
    return all;
}

static bool has_tensor(struct dyn *d, const struct value *v)
{
    value_list each = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < each.count; i++)
        if (each.items[i]->kind == VALUE_TENSOR)
            return true;
    return false;
}

void setters_forget(struct dyn *d, struct object *self, const setter_list *all,
                    const struct ir_function *method)
{
    for (int i = 0; i < all->count; i++) {
        const struct setter *s = &all->items[i];
        const struct value *v = s->by != method ? dyn_get(d, self, s->name) : NULL;
        if (v && has_tensor(d, v))
            dyn_put(d, self, s->name, value_any);
    }
}
