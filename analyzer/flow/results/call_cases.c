/* The cases of a call, of one root or of all: each is kept once, and only so many of them. */
#include "analyzer/flow/results/results.h"

struct flow_case *case_find(const struct flow_call *of, const struct flow_case *c)
{
    for (int i = 0; i < of->case_count; i++)
        if (digest_same(of->cases[i].key, c->key))
            return &of->cases[i];
    return NULL;
}

/* Beyond the bound those still fit that differ from all others in a dtype or device. */
bool case_fits(const struct flow_call *of, const struct flow_case *c)
{
    bool is_alike = false;
    for (int i = 0; i < of->case_count; i++)
        is_alike |= of->cases[i].coarse == c->coarse;
    return of->case_count < FLOW_CASES || (of->case_count < 2 * FLOW_CASES && !is_alike);
}

void case_add(struct arena *a, struct flow_call *of, const struct flow_case *c)
{
    int n = of->case_count;
    if (!(n & (n - 1))) { /* there is room for a power of two */
        struct flow_case *all = arena_array(a, struct flow_case, n ? 2 * n : 1);
        for (int i = 0; i < n; i++)
            all[i] = of->cases[i];
        of->cases = all;
    }
    of->cases[of->case_count++] = *c;
}

/* They are equal but for ranges. */
static bool join_known(const struct flow_call *of, struct flow_case *known,
                       const struct flow_case *c)
{
    const struct condition *before = known->when;
    bool more = fact_grow(&known->result, &c->result);
    for (int i = 0; i < of->operand_count; i++)
        more |= fact_grow(&known->operands[i].fact, &c->operands[i].fact);
    known->when = condition_common(before, c->when);
    return more || known->when != before;
}

/* A case of a root, joined into those of all. True: it added something. */
bool case_join(struct arena *a, struct flow_call *into, const struct flow_case *c)
{
    struct flow_case *known = case_find(into, c);
    if (known)
        return join_known(into, known, c);
    bool is_first = !into->has_more;
    if (!case_fits(into, c)) {
        into->has_more = true;
        return is_first;
    }
    struct flow_case one = *c;
    one.operands = arena_copy(a, c->operands, sizeof *c->operands * (size_t)into->operand_count);
    case_add(a, into, &one);
    return true;
}
