/* Analyses programs: the files of one go through the whole pipeline, and the facts of each call are
 * compared with what happened when it ran. */
#include "tests/agree/agree.h"

#include "analyzer/flow/flow.h"
#include "frontends/clang/clang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct analyzer {
    struct beginnings *shared; /* by the files of a batch; NULL: nothing */
    struct arena *arena;
    struct clang *clang;
    struct pack_set *packs;
};

struct analyzer *analyzer_open(struct error *e)
{
    static const char *const packs[] = {"libc.yaml", "miscast.yaml"};
    char path[600];
    struct arena *arena = arena_new();
    struct analyzer *a = arena_one(arena, struct analyzer);
    a->arena = arena;
    a->packs = packs_new(arena, names_new(arena));
    a->clang = clang_open(e);
    bool ok = a->clang != NULL;
    for (int i = 0; ok && i < COUNT(packs); i++) {
        snprintf(path, sizeof path, "%s/%s", packs_builtin_dir(), packs[i]);
        ok = packs_load(a->packs, path, e);
    }
    if (ok)
        return a;
    analyzer_close(a);
    return NULL;
}

const struct pack_set *analyzer_packs(const struct analyzer *a)
{
    return a->packs;
}

void analyzer_close(struct analyzer *a)
{
    if (!a)
        return;
    beginnings_free(a->shared);
    if (a->clang)
        clang_close(a->clang);
    arena_free(a->arena);
}

/* ---- one op ---------------------------------------------------------------------------------- */

/* What was inferred for all calls at one place: a function in a header is there once a file. */
struct inferred {
    int calls;
    bool reached;
    struct fact fact;
    unsigned places, errors;
};

bool is_at_place(const struct span *span, const char *place)
{
    const char *colon = strrchr(place, ':');
    size_t n = (size_t)(colon - place), length = span->file ? strlen(span->file) : 0;
    return span->line == atoi(colon + 1) && length >= n &&
           !strncmp(span->file + length - n, place, n) &&
           (length == n || span->file[length - n - 1] == '/');
}

static unsigned errors_of(const struct flow *flow, const struct ir_function *fn, ir_value inst)
{
    unsigned errors = 0;
    for (int i = 0; i < flow_failure_count(flow); i++) {
        const struct flow_failure *r = flow_failure_at(flow, i);
        if (r->function == fn && r->inst == inst)
            errors |= 1u << r->kind;
    }
    return errors;
}

/* Of two calls in one line: all that either can be. */
static struct value_range either_range(const struct value_range *x, const struct value_range *y)
{
    struct value_range r = *x;
    r.is_known &= y->is_known;
    r.low = fmin(x->low, y->low);
    r.high = fmax(x->high, y->high);
    r.is_whole &= y->is_whole;
    r.may_be_nan |= y->may_be_nan;
    return r;
}

/* Of what comes behind the place where the analysis ended, and says so: nothing is known. */
static const struct fact unknown = {
    .dtypes = DTYPES_ALL, .devices = DEVICES_ALL, .gpus = GPUS_ALL, .zero_dim = TRI_MAYBE};

static const struct fact *fact_of(const struct flow *flow, const struct ir_function *fn,
                                  ir_value inst)
{
    const struct flow_value *v = flow_value_of(flow, fn, inst);
    if (v)
        return &v->fact;
    return flow_counts(flow)->cut.file ? &unknown : NULL;
}

static void add_call(const struct flow *flow, const struct ir_function *fn, ir_value inst,
                     struct inferred *to)
{
    const struct fact *v = fact_of(flow, fn, inst);
    to->calls++;
    to->errors |= flow_counts(flow)->cut.file ? ~0u : errors_of(flow, fn, inst);
    if (!v)
        return;
    to->fact.shape = !to->reached || to->fact.shape == v->shape ? v->shape : NULL;
    to->fact.range = to->reached ? either_range(&to->fact.range, &v->range) : v->range;
    to->reached = true;
    to->fact.dtypes |= v->dtypes;
    to->places |= fact_places(v);
    to->fact.zero_dim |= v->zero_dim;
}

/* The trace names a contract as the macro that states it. */
static bool is_named(const struct pack_function *p, const char *op)
{
    return !strcmp(p->shown, op) || (p->effects & EFFECT_EXPECT && !strcmp(op, "MC_EXPECT"));
}

static struct inferred infer(const struct analyzer *a, const struct flow *flow,
                             struct ir_unit *const *units, int count, const struct seen *s)
{
    struct inferred found = {0};
    for (int u = 0; u < count; u++)
        for (int k = 0; k < units[u]->functions.count; k++) {
            const struct ir_function *fn = units[u]->functions.items[k];
            for (int n = 1; n < fn->insts.count; n++) {
                const struct ir_inst *i = &fn->insts.items[n];
                if (i->op != IR_CALL || !i->name || !is_at_place(&i->span, s->place))
                    continue;
                const struct pack_function *p = packs_find(a->packs, i->name);
                if (p && is_named(p, s->op))
                    add_call(flow, fn, n, &found);
            }
        }
    return found;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_shape_sound(const struct seen *s, const struct shape *shape)
{
    if (!shape || !s->ranks[0])
        return true;
    bool sound = s->ranks[0] == shape->count + 1 && s->ranks[1] == shape->count + 1;
    for (int i = 0; sound && i < shape->count; i++)
        sound = shape->dims[i] < 0 || shape->dims[i] == s->dims[i];
    return sound;
}

/* Whether all elements are in the range. */
static bool is_range_sound(const struct seen *s, const struct value_range *r)
{
    bool is_finite = s->least <= s->greatest;
    if (!r->is_known)
        return true;
    if ((s->nan && !r->may_be_nan) || (s->inf && !isinf(r->low) && !isinf(r->high)))
        return false;
    bool is_whole = trunc(s->least) == s->least && trunc(s->greatest) == s->greatest;
    return !is_finite ||
           (s->least >= r->low && s->greatest <= r->high && (is_whole || !r->is_whole));
}

static bool is_sound(const struct seen *s, const struct inferred *i)
{
    return is_range_sound(s, &i->fact.range) && is_shape_sound(s, i->fact.shape) &&
           !(s->dtypes & ~i->fact.dtypes) && !(s->devices & ~i->places) &&
           !(s->zero_dims & ~i->fact.zero_dim) && !(s->errors & ~i->errors) &&
           (!s->dtypes || i->reached);
}

static bool is_one(unsigned set)
{
    return set && !(set & (set - 1));
}

/* More than one was inferred where all runs saw one. */
static bool is_imprecise(unsigned seen, unsigned inferred)
{
    return is_one(seen) && !is_one(inferred);
}

static void print_sets(unsigned dtypes, unsigned devices, unsigned zero_dims, unsigned errors)
{
    for (int d = 1; d < DTYPE_COUNT; d++)
        if (dtypes >> d & 1)
            printf(" %s", dtype_word((enum dtype)d));
    if (devices & 1)
        printf(" cpu");
    for (int d = 0; d <= GPU_LAST; d++)
        if (devices >> (d + 1) & 1)
            printf(" cuda:%d", d);
    if (zero_dims)
        printf(zero_dims == 3 ? " maybe-0-dim" : zero_dims == 2 ? " 0-dim" : " dims");
    for (int k = 0; k < ERROR_KIND_COUNT; k++)
        if (errors >> k & 1)
            printf(" error:%s", k ? error_kind_name((enum error_kind)k) : "other");
}

static void print_difference(const char *word, const char *dir, const struct seen *s,
                             const struct inferred *i)
{
    printf("%s %s/%s %s: seen", word, dir, s->place, s->op);
    print_sets(s->dtypes, s->devices, s->zero_dims, s->errors);
    printf("; inferred");
    if (!i->calls)
        printf(" no call there");
    else if (!i->reached && !i->errors)
        printf(" never reached");
    print_sets(i->fact.dtypes, i->places, i->fact.zero_dim, i->errors);
    if (!is_shape_sound(s, i->fact.shape))
        printf(", another shape");
    if (!is_range_sound(s, &i->fact.range))
        printf(", %.9g..%.9g%s%s, and elements were %.9g..%.9g%s%s", i->fact.range.low,
               i->fact.range.high, i->fact.range.is_whole ? " whole" : "",
               i->fact.range.may_be_nan ? " nan" : "", s->least, s->greatest, s->nan ? " nan" : "",
               s->inf ? " inf" : "");
    printf("\n");
}

static void compare(const struct analyzer *a, const struct batch *b, const struct flow *flow,
                    struct ir_unit *const *units, int count, const struct seen *s,
                    bool show_imprecise, struct totals *t)
{
    struct inferred i = infer(a, flow, units, count, s);
    t->ops++;
    if (!is_sound(s, &i)) {
        t->unsound++;
        print_difference("unsound", b->dir, s, &i);
        return;
    }
    bool dtypes = is_imprecise(s->dtypes, i.fact.dtypes);
    bool devices = is_imprecise(s->devices, i.places);
    t->imprecise += dtypes;
    t->imprecise_devices += devices;
    if (show_imprecise && (dtypes || devices))
        print_difference(dtypes ? "imprecise" : "imprecise device", b->dir, s, &i);
}

static struct frontend_input input(struct arena *to, const struct batch *b, const struct program *p,
                                   int file)
{
    static const char *const flags[] = {"-std=c17", "-I" AGREE_INCLUDE};
    const char *path = arena_printf(to, "%s/%s/%s", b->dir, p->name, p->file_names[file]);
    return (struct frontend_input){.file = path, .flags = flags, .flag_count = COUNT(flags)};
}

void analyzer_expect(struct analyzer *a, const struct batch *b)
{
    struct arena *files = arena_new();
    LIST(struct frontend_input) in = {0};
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < b->programs[i].file_count; k++)
            LIST_ADD(files, &in, input(files, b, &b->programs[i], k));
    beginnings_free(a->shared);
    a->shared = beginnings_find(in.items, in.count);
    arena_free(files);
}

bool program_lower(struct analyzer *a, const struct batch *b, const struct program *p,
                   struct ir_unit **units, struct error *e)
{
    for (int i = 0; i < p->file_count; i++) {
        struct arena *path = arena_new();
        struct frontend_input in = input(path, b, p, i);
        in.shared = a->shared;
        units[i] = clang_lower_sharing(a->clang, &in, NULL, e);
        arena_free(path);
        if (!units[i])
            return false;
        if (units[i]->errors)
            return error_set(e, "%s", units[i]->first_error);
    }
    return true;
}

bool program_compare(struct analyzer *a, const struct batch *b, const struct program *p,
                     struct ir_unit *const *units, const struct seen_list *seen,
                     bool show_imprecise, struct totals *t, struct error *e)
{
    struct flow *flow = flow_run(units, p->file_count, a->packs, NULL, e);
    if (!flow)
        return false;
    for (int i = 0; i < seen->count; i++)
        if (seen->items[i].program == p->id && !seen->items[i].anywhere &&
            (seen->items[i].dtypes || seen->items[i].errors))
            compare(a, b, flow, units, p->file_count, &seen->items[i], show_imprecise, t);
    t->cut += flow_counts(flow)->budgets > 0;
    flow_free(flow);
    return true;
}
