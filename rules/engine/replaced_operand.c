/* Results that take the place of their operand: self.x = self.x.float(), or one element of a
 * container after the other. Nobody has the operand any more, unless it was kept
 * elsewhere, too, since it was made. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- the place ------------------------------------------------------------------------------- */

static bool is_named(const struct ir_function *f, ir_value v, const char *name)
{
    const struct ir_inst *i = &f->insts.items[v];
    return i->op == IR_NAME && !strcmp(i->name, name);
}

static bool calls_one_of(const struct ir_function *f, const struct ir_inst *i, const char **names,
                         int count)
{
    for (int k = 0; k < count; k++)
        if (i->op == IR_CALL && i->arg_count > 1 && is_named(f, i->args[0], names[k]))
            return true;
    return false;
}

/* What elements are taken from, as it is written: x of enumerate(x), x.items(), vars(x). */
static const char *walked_name(struct check *c, const struct ir_function *f, ir_value v)
{
    static const char *through[] = {"enumerate", "list", "tuple", "vars", "sorted"};
    for (;;) {
        const struct ir_inst *i = &f->insts.items[v];
        if (i->op == IR_INVOKE && !strcmp(i->name, "items"))
            v = i->args[0];
        else if (i->op == IR_ATTR && !strcmp(i->name, "__dict__"))
            v = i->args[0];
        else if (calls_one_of(f, i, through, COUNT(through)))
            v = i->args[1];
        else
            return value_name(c->in->arena, f, v);
    }
}

/* The pair that a variable was unpacked from: "for key, value in pairs". */
static ir_value pair_of(struct check *c, const struct ir_function *f, ir_value read)
{
    int64_t variable = variable_read(c, f, read);
    ir_value held = variable >= 0 ? value_held(c, f, variable, read) : 0;
    const struct ir_inst *part = &f->insts.items[held];
    bool is_part = held && part->op == IR_APPLY && part->integer == PROTOCOL_GETITEM;
    const struct ir_inst *pair = is_part ? &f->insts.items[part->args[0]] : NULL;
    return pair && pair->op == IR_APPLY && pair->integer == PROTOCOL_UNPACK ? part->args[0] : 0;
}

static const char *walked_by_pair(struct check *c, const struct ir_function *f, ir_value pair)
{
    const struct ir_inst *next = &f->insts.items[f->insts.items[pair].args[0]];
    bool is_next = next->op == IR_APPLY && next->integer == PROTOCOL_NEXT;
    const struct ir_inst *begin = is_next ? &f->insts.items[next->args[0]] : NULL;
    bool is_begin = begin && begin->op == IR_APPLY && begin->integer == PROTOCOL_ITER;
    return is_begin ? walked_name(c, f, begin->args[0]) : NULL;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

static bool is_same_key(struct check *c, const struct ir_function *f, ir_value a, ir_value b)
{
    int64_t variable = variable_read(c, f, a);
    return variable >= 0 && variable == variable_read(c, f, b);
}

/* setattr(x, name, ...) of getattr(x, name). */
static bool is_read_by_name(struct check *c, const struct ir_function *f, ir_value of, ir_value key,
                            ir_value read)
{
    static const char *reads[] = {"getattr"};
    const struct ir_inst *i = &f->insts.items[read];
    return calls_one_of(f, i, reads, 1) && i->arg_count > 2 && is_same_key(c, f, key, i->args[2]) &&
           is_same_text(value_name(c->in->arena, f, of), value_name(c->in->arena, f, i->args[1]));
}

static bool is_read_in_pair(struct check *c, const struct ir_function *f, ir_value of, ir_value key,
                            ir_value read)
{
    ir_value pair = pair_of(c, f, read);
    return pair && pair == pair_of(c, f, key) &&
           is_same_text(walked_by_pair(c, f, pair), walked_name(c, f, of));
}

/* x[key] = ..., setattr(x, key, ...): x and the key. */
static bool put_by_key(struct check *c, const struct call *call, ir_value *of, ir_value *key)
{
    static const char *puts[] = {"setattr"};
    const struct ir_function *f = call->function;
    const value_list *users = &code_view(c, f)->users[call->inst];
    if (users->count != 1)
        return false;
    const struct ir_inst *i = &f->insts.items[users->items[0]];
    bool is_item = i->op == IR_APPLY && i->integer == PROTOCOL_SETITEM;
    bool is_member = calls_one_of(f, i, puts, 1) && i->arg_count == 4;
    if (!is_item && !is_member)
        return false;
    *of = i->args[is_member];
    *key = i->args[is_member + 1];
    return i->args[is_member + 2] == call->inst;
}

static bool is_put_where(struct check *c, const struct call *call, ir_value read)
{
    const struct ir_function *f = call->function;
    ir_value of, key, place = call_place(c, call);
    bool is_same = place && is_same_text(value_name(c->in->arena, f, place),
                                         value_name(c->in->arena, f, read));
    return is_same || (put_by_key(c, call, &of, &key) && (is_read_by_name(c, f, of, key, read) ||
                                                          is_read_in_pair(c, f, of, key, read)));
}

/* Or where a variable had it from, which is not used any more. In C, where a variable had it from
 * is seldom seen here, such as a member that still has it. */
static bool is_put_where_it_was(struct check *c, const struct call *call, const struct argument *a)
{
    const struct ir_function *f = call->function;
    int64_t variable = variable_read(c, f, a->value);
    if (variable >= 0 && !is_dynamic(&f->insts.items[call->inst]))
        return false;
    ir_value held = variable >= 0 ? value_held(c, f, variable, a->value) : 0;
    return is_put_where(c, call, a->value) ||
           (held && !is_read_after(c, f, variable, call->inst) && is_put_where(c, call, held));
}

/* ---- the operand ----------------------------------------------------------------------------- */

/* Whether the instruction keeps the value: calls of a pack do not, comparisons neither. */
static bool keeps(struct check *c, const struct ir_function *f, ir_value user, ir_value v)
{
    static const char *asks[] = {"isinstance", "len", "print"};
    const struct ir_inst *i = &f->insts.items[user];
    bool calls = i->op == IR_CALL || i->op == IR_INVOKE || i->op == IR_APPLY || i->op == IR_MAKE;
    return ir_written(i) == v || i->op == IR_RETURN ||
           (calls && !flow_call_of(c->in->flow, f, user) && !calls_one_of(f, i, asks, COUNT(asks)));
}

struct keepers {
    struct check *check;
    int count;
    bool is_read_after;
};

static void count_keepers(struct keepers *k, const struct ir_function *f, ir_value v, int depth);

static void count_by_variable(const struct ir_function *f, ir_value user, enum variable_use how,
                              void *context)
{
    struct keepers *k = context;
    int before = k->count;
    if (how != VARIABLE_READ)
        return;
    count_keepers(k, f, user, 0);
    k->is_read_after |=
        k->count > before && is_read_after(k->check, f, variable_read(k->check, f, user), user);
}

/* How many keep it, of those that are given it, or the one variable that it is put in. */
static void count_keepers(struct keepers *k, const struct ir_function *f, ir_value v, int depth)
{
    const value_list *users = &code_view(k->check, f)->users[v];
    for (int n = 0; n < users->count; n++) {
        int64_t variable = variable_set(k->check, f, users->items[n]);
        if (variable >= 0 && depth)
            variable_users(k->check, f, variable, count_by_variable, k);
        else
            k->count += keeps(k->check, f, users->items[n], v);
    }
}

/* Where it was made, it was put in one place, and not used there any more. */
static bool is_kept_once(struct check *c, const struct flow_value *made_as)
{
    for (int n = 0; n < made_as->made_count; n++) {
        const struct step *made = made_as->made[n];
        struct keepers k = {c, 0, false};
        if (!made->inst)
            return false;
        count_keepers(&k, made->function, made->inst, 1);
        if (k.count > 1 || k.is_read_after)
            return false;
    }
    return made_as->made_count && made_as->made_count < FLOW_ALIASES;
}

/* Another place of the function has it, too: old = self.x. A member that is read later is the
 * result, if it is not read in a loop; what a variable holds may be what the caller has, too. */
static bool is_read_and_kept(struct check *c, const struct call *call, ir_value read)
{
    const struct ir_function *f = call->function;
    const char *name = value_name(c->in->arena, f, read);
    bool is_again = is_in_loop(code_view(c, f), call->inst) || variable_read(c, f, read) >= 0;
    for (ir_value v = 1; name && v < (is_again ? f->insts.count : call->inst); v++) {
        struct keepers k = {c, 0, false};
        if (v == read || !ir_op_reads(f->insts.items[v].op) ||
            !is_same_text(name, value_name(c->in->arena, f, v)))
            continue;
        count_keepers(&k, f, v, 0);
        if (k.count)
            return true;
    }
    return false;
}

bool replaces_operand(struct check *c, const struct call *call, const struct argument *a)
{
    return a->value && a->flow && is_put_where_it_was(c, call, a) && is_kept_once(c, a->flow) &&
           !is_read_and_kept(c, call, a->value);
}
