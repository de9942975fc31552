/* Units of a project: cached ones are read by threads, others lowered by processes; the result does
 * not depend on which of them has which file. Units that a session has open are lowered in this
 * process. */
#include "frontends/driver/project/cache.h"
#include "frontends/driver/project/units.h"
#include "frontends/driver/process/terminal.h"
#include "frontends/driver/project/workers.h"

#include "frontends/driver/project/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct pool {
    struct project *p;
    bool only_new; /* cached units are not read */
    atomic_int next;
};

static bool is_asked(const struct project *p, const char *file)
{
    for (int i = 0; i < p->asked.count; i++)
        if (p->asked.items[i] == file)
            return true;
    return false;
}

static bool is_sessions(const struct project *p, const struct input *in)
{
    return p->request->session && frontend_of(in->language)->editing && is_asked(p, in->file);
}

static bool is_to_lower(const struct input *in, bool only_new)
{
    return !in->text && !in->unit && !in->is_given && !(only_new && in->is_cached);
}

static void *read_some(void *argument)
{
    struct pool *pool = argument;
    struct project *p = pool->p;
    for (int i; (i = atomic_fetch_add(&pool->next, 1)) < p->inputs.count;) {
        struct input *in = &p->inputs.items[i];
        struct error unread;
        bool lowers = is_to_lower(in, pool->only_new);
        if (lowers && !is_sessions(p, in))
            continue;
        int taken = p->request->progress ? progress_take("", p->inputs.count, in->file) : -1;
        if (in->text)
            in->unit = ir_parse_naming(in->text, in->naming, &unread);
        else if (lowers)
            in->unit = session_lower(p->request->session, p, in, &in->error);
        if (p->request->progress)
            progress_give(taken);
    }
    return NULL;
}

/* Those that are not lowered in this process. */
static void lower_apart(struct project *p, bool only_new)
{
    LIST(struct input *) inputs = {0};
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        if (is_to_lower(in, only_new) && !is_sessions(p, in))
            LIST_ADD(p->arena, &inputs, in);
    }
    if (inputs.count)
        workers_lower(p, inputs.items, inputs.count);
}

int project_threads(const struct project *p)
{
    return p->request->limits.jobs ? p->request->limits.jobs : processors();
}

int project_jobs(const struct project *p)
{
    int jobs = project_threads(p);
    return jobs < p->inputs.count ? jobs : p->inputs.count;
}

static void run_pool(struct project *p, bool only_new)
{
    struct pool pool = {.p = p, .only_new = only_new};
    int others = project_jobs(p) - 1, started = 0;
    pthread_t *threads = arena_array(p->arena, pthread_t, others > 0 ? others : 1);
    while (started < others && !pthread_create(&threads[started], NULL, read_some, &pool))
        started++;
    read_some(&pool);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    lower_apart(p, only_new); /* no thread is running now that a forked process would lack */
    if (p->request->progress)
        progress_take("", p->inputs.count, "inferring");
}

/* Of inputs that are not in memory, cached or given; a text that cannot be read is no text. */
static bool open_parsers(struct project *p, struct error *e)
{
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        if (!in->text && !in->unit && !in->is_given && !project_open_parser(p, in->language, e))
            return false;
    }
    return true;
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
    if (p->request->session && in->is_cached && !in->is_taken) {
        session_leave(p->request->session, in->key, in->contents, in->unit);
        in->is_taken = true;
    }
}

bool project_read_units(struct project *p, struct error *e)
{
    bool read = false;
    cache_read_units(p);
    do {
        if (!open_parsers(p, e))
            return false;
        run_pool(p, false);
        read = false;
        for (int i = 0; i < p->inputs.count; i++) {
            struct input *in = &p->inputs.items[i];
            if (in->is_given && in->text && !in->unit)
                return error_at(e, in->file, 0, 0,
                                "its summary was made by another build of miscast");
            read |= in->text && !in->unit;
            in->text = NULL;
        }
    } while (read);
    p->units.count = 0;
    for (int i = 0; i < p->inputs.count; i++)
        take_unit(p, &p->inputs.items[i]);
    dependents_find_parsed(p);
    cache_put_units(p);
    return true;
}

struct ir_unit *project_unit(struct project *p, struct input *in)
{
    size_t length;
    struct error unread;
    if (in->unit)
        return in->unit;
    const char *text = store_unit_text(p->cache->store, p->arena, in->key, &length);
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
        if (in->is_cached)
            continue;
        if (!project_open_parser(p, in->language, e))
            return false;
        any = true;
    }
    if (any)
        run_pool(p, true);
    for (int i = 0; i < p->inputs.count; i++)
        if (!p->inputs.items[i].is_cached)
            take_unit(p, &p->inputs.items[i]);
    dependents_find_parsed(p);
    cache_put_units(p);
    return true;
}
