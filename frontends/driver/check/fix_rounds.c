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

static size_t offset_of(struct checking *c, const struct edit *e)
{
    const struct source *s = sources_get(c->project.sources, e->span.file);
    return s ? source_offset(s, e->span.line, e->span.column) : 0;
}

/* Where the edit is after all edits of its file. */
static size_t offset_after(struct checking *c, const edit_list *all, const struct edit *e)
{
    const struct source *s = sources_get(c->project.sources, e->span.file);
    size_t at = offset_of(c, e), after = at;
    for (int i = 0; s && i < all->count; i++) {
        const struct edit *other = &all->items[i];
        size_t from = offset_of(c, other);
        if (from < at)
            after += strlen(other->text) + from -
                     source_offset(s, other->span.end_line, other->span.end_column);
    }
    return after;
}

static bool is_among(const edit_list *all, const struct edit *e)
{
    for (int i = 0; i < all->count; i++)
        if (!memcmp(&all->items[i].span, &e->span, sizeof e->span) &&
            !strcmp(all->items[i].text, e->text))
            return true;
    return false;
}

/* A fix that only removes cannot go on forever. */
static bool inserts(const struct fix *fix)
{
    for (int i = 0; i < fix->edits.count; i++)
        if (*fix->edits.items[i].text)
            return true;
    return false;
}

static void note_fix(struct rounds *r, struct checking *c, const struct file_edits *in,
                     const struct finding *f)
{
    const struct edit *first = f->fix.edits.count ? &f->fix.edits.items[0] : NULL;
    if (!first || strcmp(first->span.file, in->file) != 0 || !is_among(&in->edits, first) ||
        !inserts(&f->fix))
        return;
    struct made_fix m = {.rule = copy(r, f->rule),
                         .file = copy(r, in->file),
                         .identity = f->identity,
                         .at = offset_after(c, &in->edits, first),
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
        note_file(r, c, edits.items[i].file);
        for (int k = 0; k < c->findings.count; k++)
            note_fix(r, c, &edits.items[i], c->findings.items[k]);
    }
}

/* ---- fixes that did not help ------------------------------------------------------------------
 */

static bool is_repeated(struct checking *c, const struct made_fix *m, const struct finding *f)
{
    if (f->fix.edits.count != m->texts.count || strcmp(f->rule, m->rule) != 0)
        return false;
    for (int i = 0; i < m->texts.count; i++)
        if (strcmp(m->texts.items[i], f->fix.edits.items[i].text) != 0)
            return false;
    const struct edit *first = &f->fix.edits.items[0];
    size_t at = offset_of(c, first);
    return !strcmp(first->span.file, m->file) && at >= m->at && at <= m->at + m->length;
}

static bool note_useless(struct rounds *r, struct checking *c)
{
    int before = r->useless.count;
    for (int i = 0; i < r->made.count; i++)
        for (int k = 0; k < c->findings.count; k++)
            if (is_repeated(c, &r->made.items[i], c->findings.items[k])) {
                LIST_ADD(r->arena, &r->useless, r->made.items[i].identity);
                break;
            }
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
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        for (int k = 0; k < r->useless.count && f->fix.edits.count; k++)
            if (f->identity == r->useless.items[k]) {
                f->fix.edits.count = 0;
                f->fix.what =
                    arena_printf(c->arena, "%s (tried, and the finding remains)", f->fix.what);
            }
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
    if (!request->verify.wanted)
        return true;
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
