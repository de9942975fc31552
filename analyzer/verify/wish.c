/* What a finding wishes for on a command line: a finding comes in with a choice; out goes whether
 * its conditions name that, or whether it mentions it at all. */
#include "analyzer/verify/wish.h"

#include "analyzer/verify/branch.h"

#include <ctype.h>
#include <string.h>

struct wishes {
    struct verifier *v;
    struct map *of; /* by finding: struct wish_words */
};

/* Words of a finding; those of its conditions are in both. */
struct wish_words {
    struct map *mentioned, *asked;
};

/* Other names for what findings name. */
static const struct {
    const char *said, *meant;
} synonyms[] = {{"fp16", "f16"},    {"float16", "f16"}, {"half", "f16"},      {"fp32", "f32"},
                {"float32", "f32"}, {"float", "f32"},   {"single", "f32"},    {"fp64", "f64"},
                {"float64", "f64"}, {"double", "f64"},  {"bfloat16", "bf16"}, {"gpu", "cuda"},
                {"int8", "i8"},     {"int32", "i32"},   {"int64", "i64"}};

static uint64_t key_of_word(const char *text, size_t length)
{
    char word[32] = {0};
    for (size_t i = 0; i < length && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)text[i]);
    const char *meant = word;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (!strcmp(synonyms[i].said, word))
            meant = synonyms[i].meant;
    return hash_bytes(meant, strlen(meant), 0);
}

/* Letters count if they are quoted. */
static bool counts(const char *text, const char *at, size_t n)
{
    bool quoted = at > text && (at[-1] == '\'' || at[-1] == '"') && at[n] == at[-1];
    return n > 1 || (n == 1 && (isdigit((unsigned char)*at) || quoted));
}

/* Calls `on` for every word in the text, "DTYPE_F16" has "dtype" and "f16": for how many it said
 * yes, of so many. */
struct counted {
    int yes, all;
};
static struct counted each_word(const char *text, bool (*on)(struct map *m, uint64_t key),
                                struct map *m)
{
    struct counted c = {0};
    for (const char *at = text; at && *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n]))
            n++;
        if (counts(text, at, n)) {
            c.yes += on(m, key_of_word(at, n));
            c.all++;
        }
        at += n ? n : 1;
    }
    return c;
}

static bool put_word(struct map *m, uint64_t key)
{
    map_put(m, key, m);
    return true;
}

static bool has_word(struct map *m, uint64_t key)
{
    return map_get(m, key);
}

static bool has_any_word(struct map *m, const char *text)
{
    return each_word(text, has_word, m).yes > 0;
}

/* What "--no-flash" turns off is what conditions are about. */
static const char *behind_negation(const char *flag)
{
    static const char *const all[] = {"--no-", "--no_", "--disable-", "--disable_", "--without-"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strncmp(flag, all[i], strlen(all[i])))
            return flag + strlen(all[i]);
    return flag;
}

static bool has_all_words(struct map *m, const char *text)
{
    struct counted c = each_word(behind_negation(text), has_word, m);
    return c.all && c.yes == c.all;
}

/* ---- what findings say ----------------------------------------------------------------------- */

static void ask_for(const struct wish_words *w, const char *text)
{
    each_word(text, put_word, w->mentioned);
    each_word(text, put_word, w->asked);
}

static void add_condition(struct verifier *v, const struct wish_words *w, const struct condition *c)
{
    const struct source *s = c->span.line ? sources_get(v->sources, c->span.file) : NULL;
    if (s)
        ask_for(w, source_text(v->arena, s, &c->span));
}

/* Of branches that were taken. */
static void add_conditions(struct verifier *v, const struct wish_words *w,
                           const struct condition *c)
{
    for (; c; c = c->before)
        add_condition(v, w, c);
}

static void add_failure(struct verifier *v, const struct wish_words *w,
                        const struct flow_failure *f)
{
    for (const struct frame_place *c = f->called; c; c = c->outer)
        each_word(c->caller->name, put_word, w->mentioned);
    add_conditions(v, w, f->when);
    for (int i = 0; i < f->operand_count; i++)
        for (const struct step *s = f->operands[i].how; s; s = s->from[0])
            add_conditions(v, w, s->when);
}

/* Everything that the finding mentions: dtypes and devices, conditions, functions on the way. */
static const struct wish_words *words_of(struct wishes *all, const struct finding *f)
{
    uint64_t key = (uint64_t)(uintptr_t)f;
    struct wish_words *w = map_get(all->of, key);
    if (w)
        return w;
    w = arena_one(all->v->arena, struct wish_words);
    *w = (struct wish_words){map_new(all->v->arena), map_new(all->v->arena)};
    map_put(all->of, key, w);
    each_word(f->message, put_word, w->mentioned);
    each_word(f->function, put_word, w->mentioned);
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        each_word(o->what, put_word, w->mentioned);
        ask_for(w, o->when);
        each_word(o->source, put_word, w->mentioned);
    }
    if (f->failure)
        add_failure(all->v, w, f->failure);
    condition_list branches = branches_of(all->v, f);
    for (int i = 0; i < branches.count; i++)
        add_condition(all->v, w, branches.items[i]);
    return w;
}

/* ---- choices --------------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789.")] == '\0';
}

static bool is_mentioned(struct verifier *v, struct map *m, const struct line_choice *c)
{
    if (c->variable && has_any_word(m, c->variable))
        return true;
    if (c->content)
        return has_any_word(m, arena_text(v->arena, c->content->text, c->content->length));
    const char *word = c->value ? c->value : c->flag;
    return word[0] && !word[1] ? has_word(m, key_of_word(word, 1)) : has_any_word(m, word);
}

enum wish wish_for(struct wishes *all, const struct finding *f, const struct line_choice *c)
{
    const struct wish_words *w = words_of(all, f);
    const char *name = c->variable ? c->variable : c->flag;
    bool is_named = name && has_all_words(w->asked, name);
    bool has_number = c->flag && c->value && is_number(c->value);
    if (is_named && (!c->value || (!has_number && is_mentioned(all->v, w->asked, c))))
        return WISH_EXACTLY;
    if (is_named && (has_number || is_mentioned(all->v, w->mentioned, c)))
        return WISH_ASKED;
    /* Every finding has some numbers in it, and programs many options that take one. */
    bool is_unasked = has_number && !strncmp(c->flag, "--", 2);
    return !is_unasked && is_mentioned(all->v, w->mentioned, c) ? WISH_MENTIONED : WISH_NONE;
}

struct wishes *wishes_new(struct verifier *v)
{
    struct wishes *all = arena_one(v->arena, struct wishes);
    *all = (struct wishes){v, map_new(v->arena)};
    return all;
}
