/* Roots on several threads. Each thread has an analysis of the program of its own and takes the
 * next root that nobody has taken; the first one hands over the results in program order, so that
 * they do not depend on the number of threads. */
#include "analyzer/flow/roots/roots.h"

#include <pthread.h>

enum { STACK_SIZE = 64 << 20 }; /* calls in the program are calls here */

struct team {
    struct flow *first;
    const code_list *roots;
    root_taker *take;            /* NULL: nobody */
    struct finished_root **done; /* of each root; NULL: not yet */
    pthread_mutex_t lock;        /* of done and next */
    int next;                    /* root to be taken */
    int taken;                   /* roots that were handed over */
};

struct member {
    struct team *team;
    struct flow *f;
    pthread_t thread;
};

static int next_root(struct team *t)
{
    pthread_mutex_lock(&t->lock);
    int i = t->next < t->roots->count ? t->next++ : -1;
    pthread_mutex_unlock(&t->lock);
    return i;
}

static struct finished_root *root_done(struct team *t, int i)
{
    pthread_mutex_lock(&t->lock);
    struct finished_root *r = t->done[i];
    pthread_mutex_unlock(&t->lock);
    return r;
}

static void run_one(struct team *t, struct flow *f, int i)
{
    struct finished_root *r = arena_one(f->arena, struct finished_root);
    r->code = code_of(f, t->roots->items[i]->fn);
    root_run(f, r->code);
    r->results = f->own;
    r->kept = f->kept;
    f->kept = NULL;
    pthread_mutex_lock(&t->lock);
    t->done[i] = r;
    pthread_mutex_unlock(&t->lock);
}

/* ---- the results of another thread ----------------------------------------------------------- */

static struct code *same_code(struct flow *f, const struct code *c)
{
    struct code *same = code_of(f, c->fn);
    code_study(f, same);
    return same;
}

/* Functions as the first analysis knows them. */
static void adopt(struct flow *f, struct finished_root *r)
{
    r->code = same_code(f, r->code);
    for (int i = 0; i < r->results.entered.count; i++)
        r->results.entered.items[i].code = same_code(f, r->results.entered.items[i].code);
    for (int i = 0; i < r->results.visits.count; i++)
        r->results.visits.items[i]->code = same_code(f, r->results.visits.items[i]->code);
    for (int i = 0; i < r->results.missing.count; i++)
        r->results.missing.items[i].code = same_code(f, r->results.missing.items[i].code);
}

/* As far as all roots before are done, too. */
static void hand_over(struct team *t)
{
    struct finished_root *r;
    while (t->taken < t->roots->count && (r = root_done(t, t->taken))) {
        adopt(t->first, r);
        LIST_ADD(t->first->arena, &t->first->finished, r);
        if (t->take)
            t->take(t->first, r);
        t->taken++;
    }
}

/* ---- members --------------------------------------------------------------------------------- */

/* The analysis of thread k, with all units that the first one has. */
static struct flow *member_at(struct flow *first, int k)
{
    struct flow_options options = first->options;
    struct error e = {0};
    if (k == first->members.count) {
        struct flow *f = flow_begin(first->packs, &options, &e);
        if (!f)
            return NULL;
        shapes_free(f->shapes);
        f->shapes = first->shapes;
        f->is_member = true;
        LIST_ADD(first->arena, &first->members, f);
    }
    return first->members.items[k];
}

static void *run_member(void *data)
{
    struct member *m = data;
    const struct flow *first = m->team->first;
    for (int i = m->f->units.count; i < first->units.count; i++)
        link_unit(m->f, first->units.items[i].unit, first->units.items[i].rank);
    for (int i; (i = next_root(m->team)) >= 0;)
        run_one(m->team, m->f, i);
    return NULL;
}

static bool member_start(struct member *m)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    bool started = !pthread_create(&m->thread, &attributes, run_member, m);
    pthread_attr_destroy(&attributes);
    return started;
}

static int members_start(struct team *t, struct member *all, int count)
{
    int started = 0;
    while (started < count) {
        struct member *m = &all[started];
        *m = (struct member){.team = t, .f = member_at(t->first, started)};
        if (!m->f || !member_start(m))
            break;
        started++;
    }
    return started;
}

static int member_count(const struct flow *f, const code_list *roots)
{
    int threads = f->options.threads < roots->count ? f->options.threads : roots->count;
    return threads > 1 ? threads - 1 : 0;
}

void roots_run(struct flow *f, const code_list *roots, root_taker *take)
{
    struct arena *a = arena_new();
    struct team team = {.first = f, .roots = roots, .take = take};
    team.done = arena_array(a, struct finished_root *, roots->count);
    pthread_mutex_init(&team.lock, NULL);
    struct member *members = arena_array(a, struct member, member_count(f, roots));
    int started = members_start(&team, members, member_count(f, roots));
    for (int i; (i = next_root(&team)) >= 0;) {
        run_one(&team, f, i);
        hand_over(&team);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(members[i].thread, NULL);
        f->spent += members[i].f->spent;
        members[i].f->spent = 0;
    }
    hand_over(&team);
    pthread_mutex_destroy(&team.lock);
    arena_free(a);
}
