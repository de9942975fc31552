/* Moves findings to their current lines. An inserted or deleted line moves everything after it
 * without changing it: the findings there would be the same. */
#include "frontends/driver/incremental/dependencies.h"

#include <stdlib.h>

/* ---- lines ---------------------------------------------------------------------------------- */

void moves_add(struct moves *m, const struct anchor *was, const struct anchor *now)
{
    if (!was->line)
        return;
    bool same = now && now->line && !strcmp(now->file, was->file) &&
                now->end_line - now->line == was->end_line - was->line;
    LIST_ADD(m->arena, &m->stretches, ((struct stretch){*was, same ? now->line : 0}));
    m->any |= same && now->line != was->line;
}

static int compare_stretches(const void *x, const void *y)
{
    const struct stretch *a = x, *b = y;
    int c = a->was.file == b->was.file ? 0 : strcmp(a->was.file, b->was.file);
    c = c ? c : (a->was.line > b->was.line) - (a->was.line < b->was.line);
    return c ? c : (a->now > b->now) - (a->now < b->now);
}

bool moves_settle(struct moves *m)
{
    const struct stretch *last = NULL;
    if (!m->any)
        return true;
    qsort(m->stretches.items, (size_t)m->stretches.count, sizeof *m->stretches.items,
          compare_stretches);
    for (int i = 0; i < m->stretches.count; i++) {
        const struct stretch *s = &m->stretches.items[i];
        if (!s->now)
            continue;
        if (last && !strcmp(last->was.file, s->was.file) && s->now < last->now)
            return false;
        last = s;
    }
    return true;
}

/* The first range of the file. */
static int first_of(const struct moves *m, const char *file)
{
    int low = 0, high = m->stretches.count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(m->stretches.items[middle].was.file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Ranges may be nested: they have to agree. */
static bool move_line(const struct moves *m, const char *file, int *line)
{
    bool found = false, known = false;
    int more = 0;
    for (int i = first_of(m, file); i < m->stretches.count; i++) {
        const struct stretch *s = &m->stretches.items[i];
        if (s->was.line > *line || strcmp(s->was.file, file) != 0)
            break;
        if (s->was.end_line < *line)
            continue;
        found = true;
        if (!s->now)
            continue;
        if (known && more != s->now - s->was.line)
            return false;
        known = true;
        more = s->now - s->was.line;
    }
    *line += more;
    return known || !found;
}

bool moves_span(const struct moves *m, struct span *s)
{
    return !m->any || !s->line || !s->file ||
           (move_line(m, s->file, &s->line) && move_line(m, s->file, &s->end_line));
}

/* ---- findings ------------------------------------------------------------------------------- */

static bool move_finding(const struct moves *m, struct finding *f)
{
    bool known = moves_span(m, &f->span);
    for (int i = 0; i < f->marks.count; i++)
        known &= moves_span(m, &f->marks.items[i]);
    for (int i = 0; i < f->origins.count; i++) {
        known &= moves_span(m, &f->origins.items[i].span);
        known &= moves_span(m, &f->origins.items[i].called);
    }
    for (int i = 0; i < f->fix.edits.count; i++)
        known &= moves_span(m, &f->fix.edits.items[i].span);
    return known;
}

bool moves_findings(const struct moves *m, finding_list *l)
{
    bool known = true;
    for (int i = 0; i < l->count && m->any; i++)
        known &= move_finding(m, l->items[i]);
    return known;
}

/* ---- a program ------------------------------------------------------------------------------ */

static void move_part(struct checking *c, const struct moves *m, struct part *old)
{
    struct record_reader r = record_open(old->found, old->found_length);
    struct text t = {0};
    while (r.at < r.end && !r.failed) {
        finding_list l = {0};
        findings_read(c, &r, &l);
        old->is_lost |= !moves_findings(m, &l);
        findings_put(&t, &l);
    }
    old->is_lost |= r.failed;
    old->found_length = t.length;
    old->found = text_keep(m->arena, &t);
}

static void move_root(const struct moves *m, struct part *old)
{
    struct flow_counts *counts = arena_copy(m->arena, old->counts, sizeof *old->counts);
    moves_span(m, &counts->cut); /* if it is lost, the root is analysed again */
    old->counts = counts;
}

/* A changed global is matched by name: what refers to it has changed, too. */
static void add_globals(struct moves *m, const struct part_unit *was, const struct part_unit *u)
{
    struct map *by_name = map_new(m->arena);
    for (int i = u ? u->parts.count : 0; u && i < u->anchors.count; i++)
        map_put(by_name, u->anchors.items[i].named, &u->anchors.items[i]);
    for (int i = was->parts.count; i < was->anchors.count; i++)
        moves_add(m, &was->anchors.items[i], map_get(by_name, was->anchors.items[i].named));
}

static void add_all(struct moves *m, const struct program *old, const struct program *now)
{
    struct map *by_file = map_new(m->arena);
    for (int i = 0; i < now->units.count; i++)
        map_put(by_file, name_id(now->units.items[i].file), &now->units.items[i]);
    for (int i = 0; i < old->units.count; i++)
        add_globals(m, &old->units.items[i], map_get(by_file, name_id(old->units.items[i].file)));
    for (int i = 0; i < old->all.count; i++) {
        const struct part *p = old->all.items[i];
        bool same = p->now && digest_same(p->digest, p->now->digest);
        moves_add(m, &p->at, same ? &p->now->at : NULL);
    }
}

/* The results of roots are joined in their order. */
static bool is_in_order(const struct program *now)
{
    int last = -1;
    for (int i = 0; i < now->all.count; i++) {
        const struct part *before = now->all.items[i]->before;
        if (!now->all.items[i]->is_root || !before)
            continue;
        if (before->order < last)
            return false;
        last = before->order;
    }
    return true;
}

bool moves_program(struct checking *c, struct program *old, const struct program *now)
{
    struct moves m = {.arena = now->arena};
    add_all(&m, old, now);
    if (!is_in_order(now) || !moves_settle(&m))
        return false;
    for (int i = 0; i < old->all.count && m.any; i++) {
        if (old->all.items[i]->found_length)
            move_part(c, &m, old->all.items[i]);
        if (old->all.items[i]->counts)
            move_root(&m, old->all.items[i]);
    }
    return true;
}
