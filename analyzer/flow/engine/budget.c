/* The budget of a root: visits of instructions, and how many states are kept separate. */
#include "analyzer/flow/engine/engine.h"

/* Cells are shared; so are tensors and the tape, but for the lists of them, which are copied when
 * one is written. That matters where there are many. */
enum { FEW_COPIED = 1000 };

struct state *state_fork_counted(struct flow *f, struct state *s)
{
    f->left -= s->cell_count / (f->is_dynamic ? OBJECTS_PER_VISIT
                                : f->merges   ? SHARED_PER_VISIT
                                              : CELLS_PER_VISIT);
    int copied = (s->tensors.count > FEW_COPIED ? s->tensors.count : 0) +
                 (s->nodes.count > FEW_COPIED ? s->nodes.count : 0);
    f->left -= f->is_dynamic ? copied / SHARED_PER_VISIT : copied;
    return state_fork(f->scratch, s);
}

int states_allowed(const struct flow *f)
{
    if (f->sampling)
        return sampling_room(f);
    return f->left < 0 ? 1 : f->options.max_states;
}

static struct allowance in_force(const struct flow *f)
{
    return (struct allowance){
        .left = f->left, .given = f->given, .is_blamed = f->is_blamed, .memory = f->most_memory};
}

/* A share of all, but not all that is left: whatever is around it goes on. */
static double share_of(double all, double left, double share)
{
    double most = left > 0 ? left / 8 * 7 : 0;
    return all * share < most ? all * share : most;
}

static void limit_memory(struct flow *f, double share)
{
    size_t used = arena_used(f->scratch);
    double left = used < f->most_memory ? (double)(f->most_memory - used) : 0;
    f->most_memory = used + (size_t)share_of((double)MOST_MEMORY(f->is_dynamic), left, share);
}

void allowance_begin(struct flow *f, double share, struct allowance *outer)
{
    *outer = in_force(f);
    f->is_blamed = false;
    outer->guards = guards_share_begin(f->guards, share_of(1, guards_left(f->guards), share));
    f->left = f->given = (int64_t)share_of((double)f->options.max_visits, (double)f->left, share);
    limit_memory(f, share);
}

void allowance_begin_own(struct flow *f, int64_t visits, struct allowance *outer)
{
    *outer = in_force(f);
    f->is_blamed = false;
    outer->guards = guards_share_begin(f->guards, 1);
    f->left = f->given = visits < f->left ? visits : f->left;
    limit_memory(f, 0.5);
}

void allowance_begin_among(struct flow *f, int among, struct allowance *outer)
{
    double share = 1.0 / among;
    *outer = in_force(f);
    f->is_blamed = false;
    outer->guards = guards_share_begin(f->guards, share_of(1, guards_left(f->guards), 1) * share);
    f->left = f->given = (int64_t)(share_of((double)f->left, (double)f->left, 1) * share);
    limit_memory(f, share);
}

static bool is_left(const struct flow *f, const struct code *c)
{
    return c->fn->has_body && c->finished != f->divides;
}

int allowance_among(const struct flow *f, const struct code *caller, const struct code *callee)
{
    int among = 0;
    if (!f->divides || !f->merges || !is_left(f, callee))
        return 0;
    for (int i = 0; i < caller->symbol.callees.count; i++)
        among += is_left(f, (const struct code *)caller->symbol.callees.items[i]);
    return among ? among : 1;
}

bool allowance_end(struct flow *f, const struct allowance *outer)
{
    bool is_spent = budget_is_spent(f);
    f->left = outer->left - (f->given - f->left);
    f->given = outer->given;
    f->is_blamed = outer->is_blamed;
    f->most_memory = outer->memory;
    guards_share_end(f->guards, outer->guards, is_spent);
    return is_spent;
}

struct spending spending_begin(const struct flow *f)
{
    return (struct spending){f->left, guards_left(f->guards), budget_is_spent(f)};
}

/* Memory is spent with one of the two. */
static bool is_most(const struct flow *f, const struct spending *before)
{
    return before->left - f->left > f->given / 2 ||
           before->guards - guards_left(f->guards) > guards_most(f->guards) / 2;
}

void spending_end(struct flow *f, const struct spending *before, struct code *code)
{
    bool is_here = !before->was_spent && !f->is_blamed && budget_is_spent(f) &&
                   !code->unit->module && is_most(f, before);
    f->is_blamed |= is_here;
    code->times_costly += is_here;
}

/* A program is run once, with the arguments it has; of functions that nobody calls there are many,
 * which call the same ones with arguments that are not known. */
bool is_too_costly(const struct flow *f, const struct code *code)
{
    return code->times_costly > (f->is_rest ? 0 : 1);
}

/* Code that was not analysed must not pass as clean: the place where that began is reported. */
void budget_note_cut(struct flow *f, struct span at)
{
    struct span *first = &f->own.counts.cut;
    *first = first->file ? *first : at;
}

void cut_short(struct flow *f, struct span at)
{

    budget_note_cut(f, at);
    f->own.counts.budgets++;
}
