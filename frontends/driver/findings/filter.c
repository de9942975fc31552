/* Which findings are reported: not those in files that are not checked, that the configuration
 * ignores, that a comment suppresses, or that are in the baseline. Comments that suppress nothing
 * become findings themselves. */
#include "frontends/driver/findings/completeness.h"
#include "frontends/driver/project/cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- whose matter --------------------------------------------------------------------------- */

/* By their real paths, which are names: equal paths have one address. */
static void find_asked(struct checking *c)
{
    const text_list *asked = &c->project.asked;
    c->asked = map_new(c->arena);
    for (int i = 0; i < asked->count; i++)
        map_put(c->asked, (uintptr_t)project_real(&c->project, asked->items[i]), c);
}

static bool is_asked(struct checking *c, const struct span *s)
{
    return s->line && (map_get(c->asked, (uintptr_t)project_real(&c->project, s->file)) ||
                       folders_hold(c, s->file));
}

/* A finding also belongs to the files where its dtypes were decided: a commit may have changed only
 * those. */
static bool concerns(struct checking *c, const struct finding *f)
{
    if (is_asked(c, &f->span))
        return true;
    for (int i = 0; i < f->origins.count; i++)
        if (is_asked(c, &f->origins.items[i].span))
            return true;
    return false;
}

/* ---- comments ------------------------------------------------------------------------------- */

static bool is_meant(const char *word, const struct finding *f)
{
    return rule_is_meant(word, rule_find(f->code));
}

/* Most files have none, which the cache knows. */
static void find_in_file(struct checking *c, const char *file)
{
    int before = c->suppressions.count;
    if (cache_is_quiet(&c->project, file))
        return;
    const struct source *s = sources_get(c->project.sources, file);
    if (s)
        suppressions_find(c->arena, s, &c->suppressions);
    if (s && c->suppressions.count == before)
        cache_note_quiet(&c->project, s->text, s->length);
}

/* Of all files that are checked, and of those with findings. */
static void find_suppressions(struct checking *c, const finding_list *findings)
{
    struct map *seen = map_new(c->arena);
    text_list files = {0};
    for (int i = 0; i < c->project.asked.count; i++)
        LIST_ADD(c->arena, &files, c->project.asked.items[i]);
    for (int i = 0; i < findings->count; i++)
        LIST_ADD(c->arena, &files, findings->items[i]->span.file);
    for (int i = 0; i < files.count; i++) {
        uint64_t key = hash_bytes(files.items[i], strlen(files.items[i]), 0);
        if (!map_get(seen, key))
            find_in_file(c, files.items[i]);
        map_put(seen, key, c);
    }
    cache_put_quiet(&c->project);
}

static void tell(struct checking *c, int rule, const struct suppression *s, const char *message,
                 struct fix fix)
{
    struct finding *f = arena_one(c->arena, struct finding);
    *f = (struct finding){.code = rules[rule].code,
                          .rule = rules[rule].name,
                          .severity = SEVERITY_WARNING,
                          .span = {s->file, s->line, s->column, s->line, s->column + 1},
                          .function = "",
                          .message = message,
                          .fix = fix};
    if (c->selected[rule] && is_asked(c, &f->span) &&
        !config_ignores(&c->config, s->file, &rules[rule]))
        LIST_ADD(c->arena, &c->findings, f);
}

static bool is_looked_for(const struct checking *c, const char *file, int rule)
{
    return c->selected[rule] && !config_ignores(&c->config, file, &rules[rule]);
}

/* Whether all rules that the word means are on in the file. */
static bool was_looked_for(const struct checking *c, const char *file, const char *word)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (rule_is_meant(word, &rules[i]) && !is_looked_for(c, file, i))
            return false;
    return true;
}

/* A comment without names is for all rules that are on by default. */
static bool were_all_looked_for(const struct checking *c, const char *file)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (rules[i].on && !is_looked_for(c, file, i))
            return false;
    return true;
}

/* bit i: rules.items[i] is not needed. */
static uint64_t unused_names(const struct checking *c, const struct suppression *s)
{
    uint64_t unused = 0;
    for (int i = 0; i < s->rules.count && i < 64; i++) {
        const char *word = s->rules.items[i];
        if (!(s->used_rules >> i & 1) && rule_word_known(word) && was_looked_for(c, s->file, word))
            unused |= (uint64_t)1 << i;
    }
    return unused;
}

/* "ignore[matmul-dtype, unused-suppression]": it stays, needed or not. */
static bool is_to_stay(const struct suppression *s)
{
    for (int i = 0; i < s->rules.count; i++)
        if (rule_find(s->rules.items[i]) == &rules[RULE_unused_suppression])
            return true;
    return false;
}

/* Judged by the findings alone. */
static bool seems_unused(const struct checking *c, const struct suppression *s, uint64_t names)
{
    if (s->wrong || s->foreign || is_to_stay(s))
        return false;
    return s->rules.count ? names != 0 : !s->used && were_all_looked_for(c, s->file);
}

static void tell_unused(struct checking *c, const struct suppression *s)
{
    uint64_t names = unused_names(c, s);
    if (!seems_unused(c, s, names) || !lines_are_complete(c, s->file, s->first, s->last))
        return;
    const struct source *source = sources_get(c->project.sources, s->file);
    struct fix fix = suppression_unneeded(c->arena, source, s, names);
    if (!s->rules.count)
        tell(c, RULE_unused_suppression, s, "nothing is suppressed here", fix);
    for (int i = 0; i < s->rules.count && i < 64; i++)
        if (names >> i & 1)
            tell(c, RULE_unused_suppression, s,
                 arena_printf(c->arena, "there is no finding of %s to suppress here",
                              s->rules.items[i]),
                 fix);
}

static void tell_wrong(struct checking *c, const struct suppression *s)
{
    if (s->wrong)
        tell(c, RULE_bad_suppression, s,
             arena_printf(c->arena, "this comment is not understood: %s", s->wrong),
             (struct fix){0});
    for (int i = 0; i < s->rules.count; i++) {
        const char *word = s->rules.items[i];
        if (rule_word_known(word) || s->is_borrowed)
            continue;
        const char *near = rule_word_nearest(word);
        tell(c, RULE_bad_suppression, s,
             near ? arena_printf(c->arena, "unknown rule '%s'; did you mean '%s'?", word, near)
                  : arena_printf(c->arena, "unknown rule '%s'", word),
             (struct fix){0});
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static uint64_t hash_text(const char *text, uint64_t seed)
{
    return hash_bytes(text, strlen(text) + 1, seed);
}

const char *check_file(void *checking, const char *file)
{
    struct checking *c = checking;
    uint64_t key = hash_text(file, 0);
    if (!c->below_root)
        c->below_root = map_new(c->arena);
    const char *path = map_get(c->below_root, key);
    if (!path) {
        char *real = realpath(file, NULL);
        path = arena_printf(c->arena, "%s", path_below(c->root, real ? real : file));
        map_put(c->below_root, key, (void *)(uintptr_t)path);
        free(real);
    }
    return path;
}

uint64_t finding_like(struct checking *c, const struct finding *f)
{
    uint64_t h = hash_text(check_file(c, f->span.file), hash_text(f->rule, 0));
    return hash_text(f->function, h);
}

static bool is_told(struct checking *c, struct finding *f)
{
    if (suppressions_cover(&c->suppressions, f, is_meant)) {
        LIST_ADD(c->arena, &c->suppressed, finding_like(c, f));
        return false;
    }
    if (c->baseline.path && !c->request->no_baseline && baseline_holds(&c->baseline, f)) {
        LIST_ADD(c->arena, &c->known, f);
        return false;
    }
    return true;
}

void findings_filter(struct checking *c)
{
    finding_list all = c->findings;
    int kept = 0;
    find_asked(c);
    for (int i = 0; i < all.count; i++)
        if (concerns(c, all.items[i]) &&
            !config_ignores(&c->config, all.items[i]->span.file, rule_find(all.items[i]->code)))
            all.items[kept++] = all.items[i];
    all.count = kept;
    find_suppressions(c, &all);
    c->findings = (finding_list){0};
    for (int i = 0; i < all.count; i++)
        if (is_told(c, all.items[i]))
            LIST_ADD(c->arena, &c->findings, all.items[i]);
    bool is_whole = c->suppressions.count && program_is_complete(c);
    for (int i = 0; i < c->suppressions.count; i++) {
        if (is_whole)
            tell_unused(c, &c->suppressions.items[i]);
        tell_wrong(c, &c->suppressions.items[i]);
    }
    findings_settle(c->arena, &c->findings, c->project.sources, check_file, c);
}
