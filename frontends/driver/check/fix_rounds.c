/* Fixes round by round: findings are fixed, and the result is checked again, since fixing one call
 * can reveal another finding. A fix that would be made a second time at the same place did not
 * help: its round is undone and repeated without it. */
#include "frontends/driver/check/check.h"

#include "frontends/driver/check/report_files.h"

#include <string.h>

enum { MAX_ROUNDS = 16 };

/* A fix of the last round. */
struct made_fix {
    const char *rule, *file;
    uint64_t identity; /* of the finding */
    text_list texts;   /* of its edits */
    size_t at, length; /* of the first of them in the fixed file */
};

struct old_text {
    const char *file, *text;
    size_t length;
};

struct rounds {
    struct arena *arena;
    struct fixed *fixed;
    LIST(struct made_fix) made;
    LIST(struct old_text) old; /* files that the last round changed */
    struct fixed before;       /* as it was before the last round */
    LIST(uint64_t) useless;    /* identities of findings whose fix did not help */
};

/* ---- the last round ---------------------------------------------------------------------------
 */

static const char *copy(struct rounds *r, const char *text)
{
    return arena_text(r->arena, text, strlen(text));
}

/* A file's edits, which are sorted, and where each is once all are made. */
struct placed {
    const struct file_edits *in;
    size_t *after;
};

static size_t offset_of(struct checking *c, const struct edit *e)
{
    const struct source *s = sources_get(c->project.sources, e->span.file);
    return s ? source_offset(s, e->span.line, e->span.column) : 0;
}

static struct placed place(struct checking *c, const struct file_edits *in)
{
    const struct source *s = sources_get(c->project.sources, in->file);
    struct placed p = {in, arena_array(c->arena, size_t, in->edits.count)};
    size_t grown = 0; /* less than 0 if it wraps around */
    for (int i = 0; s && i < in->edits.count; i++) {
        const struct edit *e = &in->edits.items[i];
        size_t from = source_offset(s, e->span.line, e->span.column);
        p.after[i] = from + grown;
        grown += strlen(e->text) + from - source_offset(s, e->span.end_line, e->span.end_column);
    }
    return p;
}

static bool is_before(const struct span *a, const struct span *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Its number among them; -1: it is not made. No two begin at one place. */
static int find_edit(const edit_list *all, const struct edit *e)
{
    int low = 0, high = all->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(&all->items[middle].span, &e->span))
            low = middle + 1;
        else
            high = middle;
    }
    bool is_made = low < all->count && !is_before(&e->span, &all->items[low].span) &&
                   !strcmp(all->items[low].text, e->text);
    return is_made ? low : -1;
}

/* A fix that only removes cannot go on forever. */
static bool inserts(const struct fix *fix)
{
    for (int i = 0; i < fix->edits.count; i++)
        if (*fix->edits.items[i].text)
            return true;
    return false;
}

static void note_fix(struct rounds *r, const struct placed *p, const struct finding *f)
{
    const struct edit *first = f->fix.edits.count ? &f->fix.edits.items[0] : NULL;
    if (!first || strcmp(first->span.file, p->in->file) != 0 || !inserts(&f->fix))
        return;
    int k = find_edit(&p->in->edits, first);
    if (k < 0)
        return;
    struct made_fix m = {.rule = copy(r, f->rule),
                         .file = copy(r, p->in->file),
                         .identity = f->identity,
                         .at = p->after[k],
                         .length = strlen(first->text)};
    for (int i = 0; i < f->fix.edits.count; i++)
        LIST_ADD(r->arena, &m.texts, copy(r, f->fix.edits.items[i].text));
    LIST_ADD(r->arena, &r->made, m);
}

static void note_file(struct rounds *r, struct checking *c, const char *file)
{
    const struct source *s = sources_get(c->project.sources, file);
    if (s)
        LIST_ADD(r->arena, &r->old,
                 ((struct old_text){copy(r, file), arena_text(r->arena, s->text, s->length),
                                    s->length}));
}

/* What is about to be changed. */
static void note_round(struct rounds *r, struct checking *c)
{
    file_edits_list edits = {0};
    edits_collect(c->arena, &c->findings, c->request->unsafe_fixes, &edits);
    r->made.count = r->old.count = 0;
    r->before = *r->fixed;
    for (int i = 0; i < edits.count; i++) {
        struct placed p = place(c, &edits.items[i]);
        note_file(r, c, edits.items[i].file);
        for (int k = 0; k < c->findings.count; k++)
            note_fix(r, &p, c->findings.items[k]);
    }
}

/* ---- fixes that did not help ------------------------------------------------------------------
 */

static uint64_t key_of(const char *rule, const char *file, size_t at)
{
    uint64_t h = hash_bytes(file, strlen(file) + 1, hash_bytes(rule, strlen(rule) + 1, 0));
    return hash_bytes(&at, sizeof at, h);
}

static bool is_like(const struct made_fix *m, const struct finding *f)
{
    if (!f || f->fix.edits.count != m->texts.count || strcmp(f->rule, m->rule) != 0)
        return false;
    for (int i = 0; i < m->texts.count; i++)
        if (strcmp(m->texts.items[i], f->fix.edits.items[i].text) != 0)
            return false;
    return !strcmp(f->fix.edits.items[0].span.file, m->file);
}

/* Whether one of these fixes, by the place of their first edit, would write the same before or
 * after what it wrote. */
static bool is_repeated(struct map *fixes, const struct made_fix *m)
{
    return is_like(m, map_get(fixes, key_of(m->rule, m->file, m->at))) ||
           is_like(m, map_get(fixes, key_of(m->rule, m->file, m->at + m->length)));
}

static bool note_useless(struct rounds *r, struct checking *c)
{
    int before = r->useless.count;
    struct map *fixes = map_new(c->arena);
    for (int i = 0; i < c->findings.count && r->made.count; i++) {
        struct finding *f = c->findings.items[i];
        const struct edit *e = f->fix.edits.count ? &f->fix.edits.items[0] : NULL;
        if (e)
            map_put(fixes, key_of(f->rule, e->span.file, offset_of(c, e)), f);
    }
    for (int i = 0; i < r->made.count; i++)
        if (is_repeated(fixes, &r->made.items[i]))
            LIST_ADD(r->arena, &r->useless, r->made.items[i].identity);
    return r->useless.count > before;
}

static bool undo_round(struct rounds *r, struct request *request, struct error *e)
{
    for (int i = 0; i < r->old.count; i++) {
        const struct old_text *old = &r->old.items[i];
        if (!request->unsaved && !source_replace(old->file, old->text, old->length, e))
            return false;
        if (request->unsaved) {
            request->unsaved = old->text;
            request->unsaved_length = old->length;
        }
    }
    *r->fixed = r->before;
    r->made.count = r->old.count = 0;
    return true;
}

static void drop_useless(const struct rounds *r, struct checking *c)
{
    struct map *useless = map_new(c->arena);
    for (int i = 0; i < r->useless.count; i++)
        map_put(useless, r->useless.items[i], &r->useless.items[i]);
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        if (!f->fix.edits.count || !map_get(useless, f->identity))
            continue;
        f->fix.edits.count = 0;
        f->fix.what = arena_printf(c->arena, "%s (tried, and the finding remains)", f->fix.what);
    }
}

/* ---- rounds ----------------------------------------------------------------------------------
 */

/* Findings, with their verdicts if those are requested, and then only with fixes that work. first:
 * findings that the user named must exist. */
static bool look(struct checking *c, const struct request *request, bool first, struct error *e)
{
    struct error gone;
    if (!check_begin(c, request, e) || (!named_findings_keep(c, first ? e : &gone) && first))
        return false;
    if (!request->verify.wanted) {
        check_recall_refuted(c);
        return true;
    }
    return check_verify(c, e) && ((!request->fix && !request->diff) || fixes_test(c, e));
}

/* Outputs that cannot be written are reported before anything is changed. */
static bool open_outputs(struct checking *c, struct outputs *all, struct error *e)
{
    return c->project.unsaved || all->is_open || outputs_open(c, all, e);
}

/* What is left to fix. Unsaved contents go to the request. */
static bool fix_again(struct rounds *r, struct checking *c, struct request *request,
                      struct error *e)
{
    struct text text = {0};
    int before = r->fixed->findings;
    note_round(r, c);
    if (!fixes_apply(c, r->fixed, &text, e))
        return false;
    if (request->unsaved && r->fixed->findings > before) {
        request->unsaved_length = text.length;
        request->unsaved = text_keep(r->arena, &text);
    }
    return true;
}

bool check_fixing(struct arena *a, struct checking *c, struct request *request,
                  struct outputs *outputs, struct fixed *fixed, struct error *e)
{
    struct rounds r = {.arena = a, .fixed = fixed};
    for (int round = 0; round < MAX_ROUNDS; round++) {
        int before = fixed->findings;
        if (!look(c, request, round == 0, e))
            return false;
        if (!request->fix || request->diff)
            return true;
        drop_useless(&r, c);
        bool useless = note_useless(&r, c);
        if (!open_outputs(c, outputs, e) ||
            !(useless ? undo_round(&r, request, e) : fix_again(&r, c, request, e)))
            return false;
        if (!useless && fixed->findings == before)
            return true;
        check_free(c);
    }
    bool ok = look(c, request, false, e);
    if (ok)
        drop_useless(&r, c);
    return ok;
}
