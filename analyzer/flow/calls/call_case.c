/* The distinct cases of a call: what its operands were together, each time that it was run. The
 * engine runs a call once for each case of what it reads, and once for each caller: what rules then
 * see is what a run has, and not the union over all runs. Cases that rules cannot tell apart are
 * one; what is not certain is none. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

/* What a case is, word by word. The first words are of dtypes and devices. */
struct words {
    uint64_t all[8 + PACK_MAX_PARAMS * (9 + FLOW_NUMBERS)];
    size_t count;
};

static void add(struct words *w, uint64_t word)
{
    w->all[w->count++] = word;
}

static uint64_t places_of(const struct fact *f)
{
    const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15); /* of what does not fit */
    return ((f->dtypes & 0xffff) | (uint64_t)f->devices << 16 | (f->dtypes >> 16 & 0xff) << 24 |
            (uint64_t)fact_gpus(f) << 32 | (uint64_t)f->null << 48) ^
           (f->dtypes >> 24) * spread;
}

static uint64_t shape_hash(const struct shape *s)
{
    return s ? hash_bytes(s->dims, sizeof *s->dims * (size_t)s->count, (uint64_t)s->count) : 0;
}

static void add_rest(struct words *w, const struct fact *f)
{
    add(w, (uint64_t)f->zero_dim | (uint64_t)f->grad << 8 | (uint64_t)f->leaf << 16 |
               (uint64_t)f->grad_open << 24 | (uint64_t)f->ranks << 32 | (uint64_t)f->buffer << 48);
    add(w, shape_hash(f->shape));
}

static bool is_number(const struct choice *c)
{
    return !c->is_tensor && !c->is_buffer;
}

/* A dtype or device that is passed; of other numbers, only that they are. */
static void add_chosen(struct words *w, const struct choice *c)
{
    uint64_t kinds = 0, chosen = 0;
    for (int i = 0; i < c->count; i++) {
        const struct operand *o = &c->options[i];
        kinds |= 1ull << o->kind;
        if (o->kind == OPERAND_DTYPE)
            chosen |= 1ull << o->dtype;
        if (o->kind == OPERAND_DEVICE)
            chosen |= 1ull << 32 << o->device;
    }
    add(w, kinds);
    add(w, chosen);
}

static void add_numbers(struct words *w, const struct choice *c)
{
    int count = c->count <= FLOW_NUMBERS ? c->count : 0;
    add(w, (uint64_t)c->count);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &c->options[i].number, sizeof bits);
        add(w, c->options[i].known ? bits : ~0ull);
    }
}

static uint64_t near(const struct step *s, int depth)
{
    return s ? s->near[depth] : 0;
}

static void add_lineage(struct words *w, const struct choice *c)
{
    add(w, near(c->made, 2));
    add(w, near(c->how, 0) + (c->changed != NULL));
}

/* The result of one call, if that is a tensor. */
static const struct tensor *made_tensor(const struct pack_call *call, const struct value *result)
{
    return result && result->kind == VALUE_TENSOR && result->count == 1
               ? state_tensor(call->s, result->as.tensor[0])
               : NULL;
}

/* Restricted to what the call can return, where it returns an operand. */
static struct fact result_fact(const struct outcomes *g, const struct tensor *t)
{
    struct fact is = t->fact;
    if (g->result_count)
        fact_limit(&is, &g->results[0]);
    return is;
}

static void take_key(const struct pack_call *call, const struct flow_call *of, struct flow_case *c)
{
    struct words w;
    w.count = 0; /* the rest is large, and counted */
    for (int d = 0; d < AUTOCAST_DEVICES; d++)
        add(&w, c->autocast[d]);
    add(&w, c->has_result ? places_of(&c->result) : ~0ull);
    for (int i = 0; i < of->operand_count; i++)
        if (is_number(&call->choices[i]))
            add_chosen(&w, &call->choices[i]);
        else
            add(&w, places_of(&call->choices[i].fact));
    c->coarse = hash_bytes(w.all, sizeof *w.all * w.count, 0);
    if (c->has_result)
        add_rest(&w, &c->result);
    add(&w, c->aliases | (uint64_t)(c->via != NULL) << 8);
    for (int i = 0; i < of->operand_count; i++) {
        const struct choice *o = &call->choices[i];
        add(&w, (uint64_t)o->unknown | (uint64_t)(o->half != NULL) << 1);
        if (is_number(o)) {
            add_numbers(&w, o);
            continue;
        }
        add_rest(&w, &o->fact);
        add_lineage(&w, o);
    }
    c->key = digest_bytes(w.all, sizeof *w.all * w.count);
}

static struct flow_case case_of(const struct pack_call *call, const struct outcomes *g,
                                const struct value *result, const struct flow_call *of)
{
    const struct tensor *t = g ? made_tensor(call, result) : NULL;
    struct flow_case c = {.has_result = t != NULL, .called = call->fr->called};
    if (t) {
        c.result = result_fact(g, t);
        c.how = t->how;
        c.via = result->via;
        c.aliases = g->aliases;
    }
    for (int d = 0; d < AUTOCAST_DEVICES; d++)
        for (int i = 0; i < call->regions.count[d]; i++)
            c.autocast[d] |= DTYPE_BIT(call->regions.dtypes[d][i]);
    take_key(call, of, &c);
    return c;
}

static void add_operands(const struct pack_call *call, const struct flow_call *of,
                         struct flow_case *c)
{
    c->operands = arena_array(call->f->kept, struct flow_operand, of->operand_count);
    for (int i = 0; i < of->operand_count; i++) {
        struct flow_operand *o = &c->operands[i];
        const struct choice *from = &call->choices[i];
        *o = (struct flow_operand){.param = i, .value = of->operands[i].value};
        operand_observe(call, o, i);
        bool is_one = from->value.kind == VALUE_TENSOR && from->value.count == 1;
        o->made = is_one ? state_step(call->s, from->made) : NULL;
        o->via = from->value.kind == VALUE_TENSOR ? from->value.via : NULL;
        o->changed = from->changed;
    }
}

/* States of several paths that were joined may combine what no run does. */
static bool is_certain(const struct pack_call *call)
{
    const struct state *s = call->s;
    return !state_is_blurred(s) && !s->joined && !s->past && !call->fr->is_partial &&
           !state_may_be_missing(s);
}

/* Ranges of values, which may grow from one iteration to the next, are joined. */
static void see_again(const struct pack_call *call, const struct flow_call *of,
                      struct flow_case *known, const struct flow_case *is)
{
    if (known->when)
        known->when = condition_common(known->when, state_when(call->f->arena, call->s));
    fact_join(&known->result, &is->result);
    for (int i = 0; i < of->operand_count; i++)
        if (!is_number(&call->choices[i]))
            fact_join(&known->operands[i].fact, &call->choices[i].fact);
}

/* Queries and what manages lifetimes: there is no rule about them. */
enum { UNRULED = EFFECT_PURE | EFFECT_KEEP | EFFECT_FREE | EFFECT_EXPECT };

void case_observe(const struct pack_call *call, const struct outcomes *g,
                  const struct value *result)
{
    struct flow_call *of = call->fr->code->reached[call->inst];
    if (!of || of->callee != call->fn || call->fn->effects & UNRULED)
        return;
    if (!is_certain(call)) {
        of->has_more = true;
        return;
    }
    struct flow_case is = case_of(call, g, result, of);
    struct flow_case *known = case_find(of, &is);
    if (known) {
        see_again(call, of, known, &is);
        return;
    }
    if (!case_fits(of, &is)) {
        of->has_more = true;
        if (of->case_count == 2 * FLOW_CASES)
            limit_note(call->f, call->fr->code, call->inst, FLOW_LIMIT_CASES);
        return;
    }
    is.when = state_when(call->f->arena, call->s);
    is.how = state_step(call->s, is.how);
    add_operands(call, of, &is);
    case_add(call->f->kept, of, &is);
}
