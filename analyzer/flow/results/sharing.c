/* Whether two tensors share memory, by what the calls that made them returned. */
#include "analyzer/flow/results/results.h"
enum { MAX_REACHED = 32 };

/* The tensors that one may share memory with, itself first. */
struct reached {
    const struct step *steps[MAX_REACHED];
    bool sure[MAX_REACHED];
    int count;
    bool cut; /* there are more */
};

static const uint8_t copies = 1u << ALIAS_FRESH;
static const uint8_t perhaps = 1u << ALIAS_FRESH | 1u << ALIAS_MAYBE_SAME | 1u << ALIAS_MAYBE_VIEW;

static void reach(struct reached *r, const struct step *s, bool sure)
{
    for (int i = 0; i < r->count; i++)
        if (step_is_same(r->steps[i], s))
            return;
    r->cut |= r->count == MAX_REACHED;
    if (r->count == MAX_REACHED)
        return;
    r->steps[r->count] = s;
    r->sure[r->count++] = sure;
}

static void reach_all(const struct flow *f, struct reached *r, const struct step *from)
{
    reach(r, from, true);
    for (int i = 0; i < r->count; i++) {
        const struct step *s = r->steps[i];
        const struct flow_value *v = s->inst ? flow_value_of(f, s->function, s->inst) : NULL;
        for (int k = 0; v && k < v->alias_count; k++)
            if (v->aliases[k].kinds & ~copies)
                reach(r, v->aliases[k].of,
                      r->sure[i] && v->alias_count == 1 && !(v->aliases[k].kinds & perhaps));
    }
}

enum tri flow_shares(const struct flow *f, const struct step *a, const struct step *b)
{
    struct reached x = {.count = 0}, y = {.count = 0};
    enum tri shares = TRI_NO;
    reach_all(f, &x, a);
    reach_all(f, &y, b);
    for (int i = 0; i < x.count; i++)
        for (int j = 0; j < y.count && shares != TRI_YES; j++)
            if (step_is_same(x.steps[i], y.steps[j]))
                shares = x.sure[i] && y.sure[j] ? TRI_YES : TRI_MAYBE;
    return shares == TRI_NO && (x.cut || y.cut) ? TRI_MAYBE : shares;
}
