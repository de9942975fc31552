/* Runs the rules, and records for every part its findings, and which other parts rules used for
 * them. */
#include "frontends/driver/incremental/dependencies.h"

#include <string.h>

static struct part *part_of(const struct watcher *w, const struct ir_function *f)
{
    return map_get(w->part_of, (uint64_t)(uintptr_t)f);
}

static void add_id(struct program *g, id_list *l, uint64_t id)
{
    for (int i = 0; i < l->count; i++)
        if (l->items[i] == id)
            return;
    LIST_ADD(g->arena, l, id);
}

/* ---- findings ------------------------------------------------------------------------------- */

/* Grows geometrically. */
static void add_found(struct arena *a, struct part *p, const struct text *t)
{
    size_t length = p->found_length + t->length;
    if (p->found != p->found_grows || length > p->found_room) {
        char *more = arena_array(a, char, 2 * length);
        if (p->found_length)
            memcpy(more, p->found, p->found_length);
        p->found = p->found_grows = more;
        p->found_room = 2 * length;
    }
    memcpy(p->found_grows + p->found_length, t->data, t->length);
    p->found_length = length;
}

/* New findings belong to the part; rules come back to it. */
static void take_found(struct watcher *w)
{
    struct text t = {0};
    if (w->found.count == w->told)
        return;
    finding_list news = {w->found.items + w->told, w->found.count - w->told, 0};
    w->told = w->found.count;
    findings_put(&t, &news);
    if (t.length)
        add_found(w->program->arena, w->about, &t);
    text_free(&t);
}

static bool about(void *context, const struct ir_function *f)
{
    struct watcher *w = context;
    take_found(w);
    w->about = part_of(w, f);
    w->missed |= !w->about;
    return w->about && (!w->in_part || w->about->is_dirty);
}

/* ---- what was looked at --------------------------------------------------------------------- */

/* All facts there are known: new results were joined, or all effective roots were run. */
static bool is_known(const struct part *p)
{
    for (int i = 0; p->before && !p->is_changed && i < p->before->entries.count; i++) {
        const struct entry *e = &p->before->entries.items[i];
        if (e->effective && !(e->root->now && e->root->now->ran))
            return false;
    }
    return true;
}

static void asked(void *context, const struct ir_function *f)
{
    struct watcher *w = context;
    struct part *p = part_of(w, f);
    if (!p || !w->about)
        return;
    if (p != w->about)
        add_id(w->program, &w->about->touched, p->id);
    if (w->in_part && !is_known(p)) {
        p->is_marked = true;
        w->missed = true;
    }
}

static void asked_moves(void *context)
{
    struct watcher *w = context;
    w->about->asks_moves = true;
}

static bool is_moved(void *context, const char *record)
{
    struct watcher *w = context;
    uint64_t id = name_id(record);
    w->about->asks_records = true;
    for (int i = 0; i < w->program->all.count; i++) {
        const struct part *p = w->program->all.items[i];
        for (int k = 0; k < p->moved.count; k++)
            if (p->moved.items[k] == id)
                return true;
    }
    return false;
}

static void add_moved(void *context, const char *record)
{
    struct watcher *w = context;
    add_id(w->program, &w->about->moved, name_id(record));
}

void take_moved(struct watcher *w, struct part *p)
{
    struct part *before = w->about;
    p->moved = (id_list){0};
    w->about = p;
    if (p->function)
        rules_moved(w->in, p->function, add_moved, w);
    w->about = before;
}

void watch_rules(struct watcher *w)
{
    struct check_watch watch = {w, about, asked_moves, is_moved};
    struct flow *flow = w->checking->project.flow;
    w->in->watch = &watch;
    w->about = NULL;
    flow_watch(flow, asked, w);
    rules_check(w->in, w->checking->selected, &w->found);
    flow_watch(flow, NULL, NULL);
    take_found(w);
    w->in->watch = NULL;
}

/* ---- who entered what ----------------------------------------------------------------------- */

void take_entries(struct watcher *w, const struct flow *f)
{
    struct arena *a = w->program->arena;
    for (int i = 0; i < flow_root_count(f); i++) {
        const struct flow_root *r = flow_root_at(f, i);
        struct part *root = part_of(w, r->function);
        root->ran = r;
        root->counts = arena_copy(w->program->arena, &r->counts, sizeof r->counts);
        root->graded_unknown = r->graded_unknown;
        for (int k = 0; k < r->reached_count; k++) {
            struct part *p = part_of(w, r->reached[k].function);
            struct entry e = {root, r->reached[k].gave, r->reached[k].effective};
            LIST_ADD(a, &p->entries, e);
        }
    }
}
