/* Sorts findings, removes duplicates and gives each an identity that is stable from run to run:
 * rule, file, function, the text of its line, and its number among those equal in all of these. An
 * edit elsewhere in the file does not change it. */
#include "analyzer/finding/finding.h"

#include <stdlib.h>
#include <string.h>

static const char *const severity_names[SEVERITY_COUNT] = {
    [SEVERITY_NOTE] = "note",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_ERROR] = "error",
};

const char *severity_name(enum severity s)
{
    return severity_names[s];
}

bool severity_named(const char *name, enum severity *s)
{
    for (int i = 0; i < SEVERITY_COUNT; i++)
        if (!strcmp(severity_names[i], name)) {
            *s = (enum severity)i;
            return true;
        }
    return false;
}

static const char *const verdict_names[VERDICT_KINDS] = {
    [VERDICT_NONE] = "none",       [VERDICT_CONFIRMED] = "confirmed",
    [VERDICT_REFUTED] = "refuted", [VERDICT_NOT_REACHED] = "not reached",
    [VERDICT_NOT_RUN] = "not run",
};

const char *verdict_name(enum verdict_kind k)
{
    return verdict_names[k];
}

bool verdict_named(const char *name, enum verdict_kind *k)
{
    for (int i = 0; i < VERDICT_KINDS; i++)
        if (!strcmp(verdict_names[i], name)) {
            *k = (enum verdict_kind)i;
            return true;
        }
    return false;
}

const char *verdict_text(struct arena *a, const struct verdict *v)
{
    if (!v->entry)
        return v->what;
    return v->device ? arena_printf(a, "%s ran on %s and %s", v->entry, v->device, v->what)
                     : arena_printf(a, "%s ran and %s", v->entry, v->what);
}

/* ---- order ---------------------------------------------------------------------------------- */

static int compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_places(const struct finding *a, const struct finding *b)
{
    int c = strcmp(a->span.file, b->span.file);
    c = c ? c : compare_numbers(a->span.line, b->span.line);
    c = c ? c : compare_numbers(a->span.column, b->span.column);
    return c ? c : strcmp(a->code, b->code);
}

static int compare_origins(const struct finding *a, const struct finding *b)
{
    int c = compare_numbers(a->origins.count, b->origins.count);
    for (int i = 0; i < a->origins.count && !c; i++) {
        const struct origin *x = &a->origins.items[i], *y = &b->origins.items[i];
        c = strcmp(x->what, y->what);
        c = c ? c : strcmp(x->span.file ? x->span.file : "", y->span.file ? y->span.file : "");
        c = c ? c : compare_numbers(x->span.line, y->span.line);
    }
    return c;
}

/* The most severe first; a total order, so that the order of units does not matter. */
static int compare_findings(const void *x, const void *y)
{
    const struct finding *a = *(struct finding *const *)x, *b = *(struct finding *const *)y;
    int c = compare_places(a, b);
    c = c ? c : compare_numbers((int)b->severity, (int)a->severity);
    c = c ? c : strcmp(a->message, b->message);
    c = c ? c : strcmp(a->function, b->function);
    return c ? c : compare_origins(a, b);
}

/* At one place, but each about one operand, and not the same. */
static bool are_about_others(const struct finding *a, const struct finding *b)
{
    return a->marks.count == 1 && b->marks.count == 1 &&
           (a->marks.items[0].line != b->marks.items[0].line ||
            a->marks.items[0].column != b->marks.items[0].column);
}

static bool is_kept_already(const finding_list *l, int kept, const struct finding *f)
{
    for (int i = kept - 1; i >= 0 && !compare_places(l->items[i], f); i--)
        if (!are_about_others(l->items[i], f))
            return true;
    return false;
}

static void keep_one_a_place(finding_list *l)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++)
        if (!is_kept_already(l, kept, l->items[i]))
            l->items[kept++] = l->items[i];
    l->count = kept;
}

/* ---- identity ------------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text, uint64_t seed)
{
    return hash_bytes(text, strlen(text) + 1, seed);
}

uint64_t finding_identity(const char *rule, const char *file, const char *function,
                          const char *line, int occurrence)
{
    uint64_t h = hash_text(rule, 0);
    h = hash_text(file, h);
    h = hash_text(function, h);
    h = hash_text(line, h);
    return hash_bytes(&(int32_t){occurrence}, sizeof(int32_t), h);
}

/* A line that is as long as a file would be hashed, and recorded in a baseline, for each of its
 * findings: the rest of it is left out. */
enum { LINE_MAX_BYTES = 4096 };

static const char *line_of(struct arena *a, struct sources *sources, const struct span *at)
{
    const struct source *s = sources_get(sources, at->file);
    size_t length = 0;
    if (!s)
        return "";
    source_line(s, at->line, &length);
    length = length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES;
    struct span all = {at->file, at->line, 1, at->line, (int)length + 1};
    const char *text = source_text(a, s, &all);
    struct text clean = {0};
    text_add_line(&clean, text, strlen(text)); /* safe to store as JSON */
    return text_keep(a, &clean);
}

/* Findings on one line, which may be as long as the file, share its text. */
static bool is_on_line_of(const struct finding *f, const struct finding *before)
{
    return before && f->span.line == before->span.line && f->span.file && before->span.file &&
           !strcmp(f->span.file, before->span.file);
}

/* Counts earlier findings that differ only in the occurrence, by their hash without it. */
static void identify(struct arena *a, struct finding *f, const char *file, struct map *seen)
{
    uint64_t like = finding_identity(f->rule, file, f->function, f->line, -1);
    int *count = map_get(seen, like);
    if (!count)
        map_put(seen, like, count = arena_one(a, int));
    f->occurrence = (*count)++;
    f->identity = finding_identity(f->rule, file, f->function, f->line, f->occurrence);
}

void findings_settle(struct arena *a, finding_list *l, struct sources *sources,
                     const char *(*name_of_file)(void *context, const char *file), void *context)
{
    struct map *seen = map_new(a);
    if (l->count)
        qsort(l->items, (size_t)l->count, sizeof *l->items, compare_findings);
    keep_one_a_place(l);
    for (int i = 0; i < l->count; i++) {
        struct finding *f = l->items[i];
        const struct finding *before = i ? l->items[i - 1] : NULL;
        f->line = is_on_line_of(f, before) ? before->line : line_of(a, sources, &f->span);
        identify(a, f, name_of_file(context, f->span.file), seen);
    }
}
