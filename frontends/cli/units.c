/* Units of a project: those that are not kept are lowered, by several threads; which of them lowers
 * which file makes no difference. */
#include "frontends/cli/parts.h"
#include "frontends/cli/terminal.h"

#include "frontends/clang/clang.h"
#include "frontends/cli/session.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

struct pool {
    struct project *p;
    bool only_new; /* what is kept is left where it is */
    atomic_int next;
};

static bool is_asked(const struct project *p, const char *file)
{
    for (int i = 0; i < p->asked.count; i++)
        if (p->asked.items[i] == file)
            return true;
    return false;
}

/* What is to be kept is written down by whoever made it. */
static void lower_one(struct project *p, struct input *in)
{
    if (p->options->session && is_asked(p, in->file)) {
        in->unit = session_lower(p->options->session, p, in, &in->error);
        return;
    }
    if (p->kept || p->options->touched.count || p->options->notes_reads) {
        struct arena *a = arena_new();
        in->reads = arena_one(a, struct clang_reads);
        in->reads->arena = a;
    }
    in->unit = clang_lower_noting(p->clang, in->file, &p->overlay, in->flags, in->flag_count,
                                  in->directory, in->reads, &in->error);
    if (in->unit && p->kept && in->reads->whole)
        ir_print(in->unit, &in->printed);
}

static void *lower_some(void *argument)
{
    struct pool *pool = argument;
    struct project *p = pool->p;
    for (int i; (i = atomic_fetch_add(&pool->next, 1)) < p->inputs.count;) {
        struct input *in = &p->inputs.items[i];
        struct error unread;
        int taken = p->options->progress ? progress_take("", p->inputs.count, in->file) : -1;
        if (in->text)
            in->unit = ir_parse_naming(in->text, in->naming, &unread);
        else if (!in->unit && !in->is_given && !(pool->only_new && in->is_kept))
            lower_one(p, in);
        if (p->options->progress)
            progress_give(taken);
    }
    return NULL;
}

int processors(void)
{
    cpu_set_t ours;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (!sched_getaffinity(0, sizeof ours, &ours) && CPU_COUNT(&ours) > 0)
        return CPU_COUNT(&ours);
    return all > 0 ? (int)all : 1;
}

static int jobs_of(const struct project *p)
{
    int jobs = p->options->jobs ? p->options->jobs : processors();
    return jobs < p->inputs.count ? jobs : p->inputs.count;
}

static void run_pool(struct project *p, bool only_new)
{
    struct pool pool = {.p = p, .only_new = only_new};
    int others = jobs_of(p) - 1, started = 0;
    pthread_t *threads = arena_array(p->arena, pthread_t, others > 0 ? others : 1);
    while (started < others && !pthread_create(&threads[started], NULL, lower_some, &pool))
        started++;
    lower_some(&pool);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (p->options->progress)
        progress_take("", p->inputs.count, "inferring");
}

/* Of those that are neither there nor kept nor given; a text that cannot be read is no text. */
static bool is_any_to_lower(struct project *p)
{
    bool any = false;
    for (int i = 0; i < p->inputs.count; i++)
        any |= !p->inputs.items[i].text && !p->inputs.items[i].unit && !p->inputs.items[i].is_given;
    return any;
}

static void take_unit(struct project *p, struct input *in)
{
    in->is_parsed = in->unit;
    if (!in->unit)
        return;
    in->errors = in->unit->errors;
    in->first_error = in->unit->first_error;
    in->notes = in->unit->notes.count;
    LIST_ADD(p->arena, &p->units, in->unit);
    if (p->options->session && in->is_kept && !in->is_taken) {
        session_leave(p->options->session, in->key, in->contents, in->unit);
        in->is_taken = true;
    }
}

bool project_read_units(struct project *p, struct error *e)
{
    bool read = false;
    kept_read_units(p);
    do {
        if (is_any_to_lower(p) && !project_open_clang(p, e))
            return false;
        run_pool(p, false);
        read = false;
        for (int i = 0; i < p->inputs.count; i++) {
            struct input *in = &p->inputs.items[i];
            if (in->is_given && in->text && !in->unit)
                return error_at(e, in->file, 0, 0, "its summary is of another build of miscast");
            read |= in->text && !in->unit;
            in->text = NULL;
        }
    } while (read);
    p->units.count = 0;
    for (int i = 0; i < p->inputs.count; i++)
        take_unit(p, &p->inputs.items[i]);
    touched_find_read(p);
    kept_put_units(p);
    return true;
}

struct ir_unit *project_unit(struct project *p, struct input *in)
{
    size_t length;
    struct error unread;
    if (in->unit)
        return in->unit;
    const char *text = store_unit_text(p->kept->store, p->arena, in->key, &length);
    in->unit = text ? ir_parse(text, &unread) : NULL;
    if (in->unit)
        take_unit(p, in);
    return in->unit;
}

bool project_lower_new(struct project *p, struct error *e)
{
    bool any = false;
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        if (in->is_kept)
            continue;
        if (!project_open_clang(p, e))
            return false;
        any = true;
    }
    if (any)
        run_pool(p, true);
    for (int i = 0; i < p->inputs.count; i++)
        if (!p->inputs.items[i].is_kept)
            take_unit(p, &p->inputs.items[i]);
    touched_find_read(p);
    kept_put_units(p);
    return true;
}
