/* What an instruction reads and writes, and the path that leads there: the one place that knows how
 * variables and members of each kind of language are accessed. */
#include "analyzer/ir/ir.h"

ir_value ir_written(const struct ir_inst *i)
{
    return ir_op_writes(i->op) ? i->args[i->arg_count - 1] : 0;
}

int64_t ir_local_accessed(const struct ir_function *f, const struct ir_inst *i)
{
    if (i->op == IR_GET || i->op == IR_SET)
        return i->integer;
    const struct ir_inst *at =
        i->op == IR_LOAD || i->op == IR_STORE ? &f->insts.items[i->args[0]] : NULL;
    return at && at->op == IR_LOCAL ? at->integer : -1;
}

const char *ir_name_accessed(const struct ir_inst *i)
{
    return i->op == IR_NAME || i->op == IR_SETNAME ? i->name : NULL;
}

ir_value ir_path_base(const struct ir_inst *i)
{
    bool leads = i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_ELEMENT || ir_is_member(i);
    return leads ? i->args[0] : 0;
}

bool ir_is_member(const struct ir_inst *i)
{
    return i->op == IR_FIELD || i->op == IR_ATTR || i->op == IR_SETATTR;
}

int64_t ir_path_root(const struct ir_function *f, const struct ir_inst *i)
{
    if (i->op == IR_LOCAL)
        return i->integer;
    if (i->op == IR_GLOBAL || ir_name_accessed(i))
        return IR_ROOT_NAME;
    return ir_path_base(i) ? IR_ROOT_NONE : ir_local_accessed(f, i);
}

ir_value value_behind(const struct ir_function *f, ir_value v)
{
    while (v && f->insts.items[v].op == IR_CONVERT)
        v = f->insts.items[v].args[0];
    return v;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Of a record or array that an address leads to, or a pointer that was read. */
static const struct access_path *base_of(struct arena *a, const struct ir_function *f, ir_value v)
{
    const struct access_path *of = ir_path_of(a, f, v);
    bool is_pointer = f->insts.items[value_behind(f, v)].op == IR_LOAD;
    return of && is_pointer ? access_pointee(a, of) : of;
}

static const struct access_path *element_of(struct arena *a, const struct ir_function *f,
                                            const struct access_path *of, ir_value index)
{
    const struct ir_inst *i = &f->insts.items[index = value_behind(f, index)];
    if (i->op == IR_INT)
        return access_element(a, of, i->integer);
    return access_element_by(a, of, i->op == IR_LOAD ? ir_path_of(a, f, index) : NULL);
}

static const struct access_path *variable_of(struct arena *a, const struct ir_function *f,
                                             const struct ir_inst *i)
{
    int64_t root = ir_path_root(f, i);
    const char *name = root >= 0 ? f->locals.items[root].name : root == IR_ROOT_NAME ? i->name : "";
    return *name ? access_variable(a, name) : NULL;
}

const struct access_path *ir_path_of(struct arena *a, const struct ir_function *f, ir_value v)
{
    v = value_behind(f, v);
    if (!v)
        return NULL;
    const struct ir_inst *i = &f->insts.items[v];
    ir_value base = ir_path_base(i);
    if (!base)
        return variable_of(a, f, i);
    if (i->op == IR_LOAD || i->op == IR_STORE)
        return ir_path_of(a, f, base);
    const struct access_path *of = base_of(a, f, base);
    return !of               ? NULL
           : ir_is_member(i) ? access_member(a, of, i->name)
                             : element_of(a, f, of, i->args[1]);
}

static void add_path(struct text *to, const struct access_path *p)
{
    if (p->of)
        add_path(to, p->of);
    if (p->kind == ACCESS_MEMBER)
        text_add(to, ".");
    if (p->kind == ACCESS_VARIABLE || p->kind == ACCESS_MEMBER)
        text_add(to, p->name);
    else if (p->kind == ACCESS_ELEMENT)
        text_add(to, "[]");
}

const char *ir_callee_name(struct arena *a, const struct ir_function *f, const struct ir_inst *i)
{
    struct text t = {0};
    bool is_direct = i->op == IR_CALL && i->name;
    const struct access_path *of = is_direct || !i->arg_count ? NULL : ir_path_of(a, f, i->args[0]);
    if (of)
        add_path(&t, of);
    if (i->op == IR_INVOKE)
        text_add(&t, ".");
    if (i->name)
        text_add(&t, i->name);
    const char *name = arena_text(a, t.data, t.length);
    text_free(&t);
    return name;
}
