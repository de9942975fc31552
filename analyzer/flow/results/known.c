/* How much is known: of the calls that packs describe and that take tensors, those whose tensors
 * have a dtype that is known, or come from outside of what was analysed. */
#include "analyzer/flow/program/program.h"
#include "analyzer/flow/results/results.h"

static bool takes_tensors(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].kind == OPERAND_TENSOR)
            return true;
    return false;
}

/* Something that the program can name, or what a call returns that says nothing about it: of a
 * file, or of a function that nobody describes. */
static bool is_from_outside(const struct flow_operand *o)
{
    const struct step *s = o->how;
    while (s && s->from[0])
        s = s->from[0];
    const struct access_path *place = s ? s->place : NULL;
    while (place && place->of)
        place = place->of;
    return s && place != &place_unnamed;
}

enum known { KNOWN_YES, KNOWN_OUTSIDE, KNOWN_NOT };

static enum known what_is_known(const struct pack_function *fn, const struct flow_call *call)
{
    dtype_set any = fact_dtypes(&(struct fact){.dtypes = DTYPES_ALL}, fn);
    enum known all = KNOWN_YES;
    for (int i = 0; i < call->operand_count; i++) {
        const struct flow_operand *o = &call->operands[i];
        if (o->kind != OPERAND_TENSOR || fact_dtypes(&o->fact, fn) != any)
            continue;
        enum known one = is_from_outside(o) ? KNOWN_OUTSIDE : KNOWN_NOT;
        all = one > all ? one : all;
    }
    return all;
}

struct flow_known flow_known(const struct flow *f)
{
    struct flow_known k = {0};
    for (int i = 0; i < f->codes.count; i++) {
        const struct code *c = f->codes.items[i];
        for (int n = 1; c->fn->has_body && c->symbol.relevant && n < c->fn->insts.count; n++) {
            const struct pack_function *fn = c->packed ? c->packed[n] : NULL;
            if (!fn || !takes_tensors(fn))
                continue;
            const struct flow_call *call = flow_call_of(f, c->fn, n);
            k.calls++;
            if (!call) {
                k.unreached++;
                continue;
            }
            enum known is = what_is_known(fn, call);
            k.known += is == KNOWN_YES;
            k.outside += is == KNOWN_OUTSIDE;
        }
    }
    return k;
}
