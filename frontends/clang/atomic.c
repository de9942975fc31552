/* Atomic operations: builtins that libclang exposes as expressions without a name. They are lowered
 * as plain loads and stores. */
#include "frontends/clang/lower.h"

#include <string.h>

/* How an atomic operation changes the value at the address. */
enum atomic { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_INIT, ATOMIC_OLD, ATOMIC_NEW, ATOMIC_EXCHANGE };

struct atomic_row {
    const char *name; /* prefix of the builtin's name */
    enum atomic what;
    enum ir_arith arith; /* for ATOMIC_OLD and ATOMIC_NEW, which yield the old or the new value */
};

/* clang-format off */
static const struct atomic_row atomics[] = {
    {"__c11_atomic_load",      ATOMIC_LOAD,     ARITH_COUNT},
    {"__c11_atomic_store",     ATOMIC_STORE,    ARITH_COUNT},
    {"__c11_atomic_init",      ATOMIC_INIT,     ARITH_COUNT},
    {"__c11_atomic_exchange",  ATOMIC_EXCHANGE, ARITH_COUNT},
    {"__c11_atomic_fetch_add", ATOMIC_OLD,      ARITH_ADD},
    {"__c11_atomic_fetch_sub", ATOMIC_OLD,      ARITH_SUB},
    {"__c11_atomic_fetch_and", ATOMIC_OLD,      ARITH_AND},
    {"__c11_atomic_fetch_or",  ATOMIC_OLD,      ARITH_OR},
    {"__c11_atomic_fetch_xor", ATOMIC_OLD,      ARITH_XOR},
    {"__atomic_load_n",        ATOMIC_LOAD,     ARITH_COUNT},
    {"__atomic_store_n",       ATOMIC_STORE,    ARITH_COUNT},
    {"__atomic_exchange_n",    ATOMIC_EXCHANGE, ARITH_COUNT},
    {"__atomic_fetch_add",     ATOMIC_OLD,      ARITH_ADD},
    {"__atomic_fetch_sub",     ATOMIC_OLD,      ARITH_SUB},
    {"__atomic_fetch_and",     ATOMIC_OLD,      ARITH_AND},
    {"__atomic_fetch_or",      ATOMIC_OLD,      ARITH_OR},
    {"__atomic_fetch_xor",     ATOMIC_OLD,      ARITH_XOR},
    {"__atomic_add_fetch",     ATOMIC_NEW,      ARITH_ADD},
    {"__atomic_sub_fetch",     ATOMIC_NEW,      ARITH_SUB},
    {"__atomic_and_fetch",     ATOMIC_NEW,      ARITH_AND},
    {"__atomic_or_fetch",      ATOMIC_NEW,      ARITH_OR},
    {"__atomic_xor_fetch",     ATOMIC_NEW,      ARITH_XOR},
};
/* clang-format on */

/* Updates the value of type t at the address; yields the old or the new value. */
static ir_value atomic_change(struct lower *l, struct node *n, const struct atomic_row *row,
                              ir_value address, const struct type *t)
{
    ir_value old = emit_load(l, n, address, t);
    ir_value by = value_of(l, nth(n, 2)), new;
    if (row->what == ATOMIC_EXCHANGE)
        new = emit_convert(l, n, by, t);
    else if (t->kind == TYPE_POINTER) /* whether it counts bytes depends on the function */
        new = emit_anything(l, n, t, "an atomic operation on a pointer", &old, 1);
    else
        new = emit_convert(l, n, compute(l, n, row->arith, t, old, emit_convert(l, n, by, t)), t);
    emit_store(l, n, address, new);
    return row->what == ATOMIC_NEW ? new : old;
}

/* Operands: the address, the memory order, the stored value. */
ir_value lower_atomic(struct lower *l, struct node *n)
{
    const struct atomic_row *row = atomics, *end = atomics + COUNT(atomics);
    while (row < end && !starts_with(l, n, row->name))
        row++;
    const struct type *to = node_type(l, nth(n, 0));
    bool has_value = row < end && row->what != ATOMIC_LOAD;
    struct node *value = !has_value ? NULL : nth(n, row->what == ATOMIC_INIT ? 1 : 2);
    if (row == end || to->kind != TYPE_POINTER || is_aggregate(to->of) || (has_value && !value))
        return not_modelled(l, n, "an atomic operation");
    ir_value address = value_of(l, nth(n, 0));
    if (row->what == ATOMIC_LOAD)
        return emit_load(l, n, address, to->of);
    if (row->what != ATOMIC_STORE && row->what != ATOMIC_INIT)
        return atomic_change(l, n, row, address, to->of);
    emit_store(l, n, address, value_as(l, value, to->of));
    return 0;
}
