/* Which input is tried next: those that took more of the branches that findings need, or made the
 * program look for something new, are kept, and the nearest of them is changed first. */
#include "analyzer/verify/guide.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HINTS = 16, MOST_KEPT = 200 };

struct guide {
    struct verifier *v;
    struct input_hints hints;
    input_list kept, waiting;
    int next;           /* of those waiting */
    struct input now;   /* the last that was given out */
    struct map *tried;  /* inputs, by their hash */
    struct map *looked; /* for what programs have looked, by its hash */
    int *least;         /* by finding: what was missing in the run that came nearest */
    int findings;
    int first_count; /* inputs that it begins with, */
    int learned;     /* and those that were run so far */
};

/* ---- hints ----------------------------------------------------------------------------------- */

static void add_hint(struct verifier *v, text_list *l, const char *text)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], text))
            return;
    if (l->count < MOST_HINTS)
        LIST_ADD(v->arena, l, text);
}

/* The numbers that a condition mentions, and their neighbours. */
static void add_numbers(struct verifier *v, const char *text, text_list *out)
{
    for (const char *at = text; *at;) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (!isdigit((unsigned char)*at) || !begins) {
            at++;
            continue;
        }
        char *end;
        long n = strtol(at, &end, 10);
        if (!isalnum((unsigned char)*end) && labs(n) < 1000000)
            for (long k = 0; k < 3; k++)
                add_hint(v, out, arena_printf(v->arena, "%ld", n + (k == 2 ? -1 : k)));
        at = end > at ? end : at + 1;
    }
}

static bool is_number(const char *text)
{
    char *end;
    (void)strtod(text, &end);
    return isdigit((unsigned char)text[*text == '-']) && !*end;
}

static void add_hints(struct guide *g, const choice_list *choices, const condition_list *branches)
{
    struct input_hints *h = &g->hints;
    for (int i = 0; i < branches->count; i++) {
        const struct condition *c = branches->items[i];
        const struct source *s = sources_get(g->v->sources, c->span.file);
        if (c->is_case)
            add_hint(g->v, &h->numbers, arena_printf(g->v->arena, "%lld", (long long)c->value));
        if (s)
            add_numbers(g->v, source_text(g->v->arena, s, &c->span), &h->numbers);
    }
    for (int i = 0; i < choices->count; i++) {
        const struct line_choice *c = &choices->items[i];
        h->reads_input |= c->file && !*c->file;
        if (!c->is_hint)
            continue;
        if (is_number(c->value))
            add_hint(g->v, &h->numbers, c->value);
        else if (strlen(c->value) == 1)
            add_hint(g->v, isalnum((unsigned char)*c->value) ? &h->letters : &h->marks, c->value);
    }
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text, uint64_t h)
{
    return hash_bytes(text ? text : "", text ? strlen(text) + 1 : 0, h);
}

static uint64_t hash_input(const struct input *i)
{
    uint64_t h = (uint64_t)i->word_count;
    for (int k = 0; k < i->word_count; k++)
        h = hash_text(i->words[k], h);
    for (int k = 0; k < i->variable_count; k++)
        h = hash_text(i->values[k], hash_text(i->names[k], h + 1));
    for (int k = 0; k < i->file_count; k++)
        h = hash_text(i->contents[k], hash_text(i->files[k], h + 2));
    return h;
}

static void add_waiting(struct guide *g, const struct input *i)
{
    uint64_t key = hash_input(i);
    if (map_get(g->tried, key))
        return;
    map_put(g->tried, key, g);
    struct input n = *i;
    n.is_expanded = false;
    n.use_count = 0;
    LIST_ADD(g->v->arena, &g->waiting, n);
}

/* So many words that it may compare with something, with and without dashes; lines to read. */
static void add_first(struct guide *g)
{
    struct input none = {0};
    add_waiting(g, &none);
    for (int count = 1; count <= 3; count++) {
        struct input i = {.word_count = count};
        for (int k = 0; k < count; k++)
            i.words[k] = any_text(g->v->arena, k + 1);
        add_waiting(g, &i);
    }
    struct input dashes = {.words = {arena_printf(g->v->arena, "--%s", any_text(g->v->arena, 1))},
                           .word_count = 1};
    add_waiting(g, &dashes);
    struct input lines = {.files = {LINE_INPUT},
                          .contents = {arena_printf(g->v->arena, "%s\n", any_text(g->v->arena, 1))},
                          .file_count = 1};
    if (g->hints.reads_input)
        add_waiting(g, &lines);
    g->first_count = g->waiting.count;
}

struct guide *guide_new(struct verifier *v, const choice_list *choices,
                        const condition_list *branches, int findings)
{
    struct guide *g = arena_one(v->arena, struct guide);
    *g = (struct guide){.v = v,
                        .tried = map_new(v->arena),
                        .looked = map_new(v->arena),
                        .least = arena_array(v->arena, int, findings),
                        .findings = findings};
    for (int i = 0; i < findings; i++)
        g->least[i] = INT_MAX;
    add_hints(g, choices, branches);
    add_first(g);
    return g;
}

/* Not one with files that are no text. */
void guide_begin_with(struct guide *g, const struct command_line *line)
{
    struct input i = {0};
    for (; line->words[i.word_count]; i.word_count++) {
        if (i.word_count == INPUT_WORDS - 2)
            return;
        i.words[i.word_count] = line->words[i.word_count];
    }
    for (const char *const *e = line->environment; *e && i.variable_count < INPUT_PAIRS; e++) {
        const char *equals = strchr(*e, '=');
        i.names[i.variable_count] = arena_text(g->v->arena, *e, (size_t)(equals - *e));
        i.values[i.variable_count++] = equals + 1;
    }
    for (int k = 0; k < line->file_count && k < INPUT_FILES; k++) {
        const struct line_content *c = line->files[k].content;
        if (memchr(c->text, '\0', c->length))
            return;
        i.files[k] = line->files[k].name;
        i.contents[k] = arena_text(g->v->arena, c->text, c->length);
        i.file_count++;
    }
    add_waiting(g, &i);
}

static struct command_line line_of(struct guide *g, const struct input *i)
{
    struct arena *a = g->v->arena;
    struct command_line l = {0};
    const char **words = arena_array(a, const char *, i->word_count + 1);
    const char **environment = arena_array(a, const char *, i->variable_count + 1);
    for (int k = 0; k < i->word_count; k++)
        words[k] = i->words[k];
    for (int k = 0; k < i->variable_count; k++)
        environment[k] = arena_printf(a, "%s=%s", i->names[k], i->values[k]);
    for (int k = 0; k < i->file_count; k++) {
        struct line_content *c = arena_one(a, struct line_content);
        *c = (struct line_content){i->contents[k], strlen(i->contents[k])};
        l.files[l.file_count++] = (struct line_file){i->files[k], c};
    }
    l.words = words;
    l.environment = environment;
    return l;
}

static struct input *nearest(struct guide *g, int finding)
{
    struct input *best = NULL;
    for (int i = 0; i < g->kept.count; i++) {
        struct input *at = &g->kept.items[i];
        if (!at->is_expanded && (!best || at->missing[finding] < best->missing[finding]))
            best = at;
    }
    return best;
}

bool guide_next(struct guide *g, int finding, struct command_line *out)
{
    while (g->next == g->waiting.count) {
        struct input *best = nearest(g, finding);
        input_list changed = {0};
        if (!best)
            return false;
        best->is_expanded = true;
        best->is_guess = false; /* what is made of it is as good */
        input_changes(g->v->arena, best, &g->hints, &changed);
        for (int i = 0; i < changed.count; i++)
            add_waiting(g, &changed.items[i]);
    }
    g->now = g->waiting.items[g->next++];
    *out = line_of(g, &g->now);
    return true;
}

/* ---- what a run has shown -------------------------------------------------------------------- */

static const char *copy_of(struct guide *g, const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? arena_printf(g->v->arena, "%s", text) : NULL;
}

/* A text as it is with any other number. */
static const char *shape_of(struct guide *g, const char *text)
{
    char *shape = arena_printf(g->v->arena, "%s", text);
    for (char *at = shape; (at = any_in(at)); at++)
        memmove(any_end(at) - 1, any_end(at), strlen(any_end(at)) + 1);
    return shape;
}

/* What is certain in an input: not words that are nothing but some text. */
static uint64_t hash_certain(struct guide *g, const struct input *i)
{
    struct input kept = *i;
    kept.word_count = 0;
    for (int k = 0; k < i->word_count; k++)
        if (any_in(i->words[k]) != i->words[k] + strspn(i->words[k], "-"))
            kept.words[kept.word_count++] = shape_of(g, i->words[k]);
    for (int k = 0; k < i->variable_count; k++)
        kept.values[k] = shape_of(g, i->values[k]);
    for (int k = 0; k < i->file_count; k++)
        kept.contents[k] = shape_of(g, i->contents[k]);
    return hash_input(&kept);
}

/* Whether no run before looked for that, with the same that is certain. */
static bool is_news(struct guide *g, const struct input_use *u, uint64_t certain)
{
    bool compares = !strcmp(u->what, "compare"), is_word = has_any(u->text);
    for (int i = 0; i < g->now.word_count; i++)
        is_word |= !strcmp(u->text, g->now.words[i]);
    bool is_any = has_any(u->text), with_any = u->with && has_any(u->with);
    if (compares && is_any == with_any)
        return false;
    const char *sought = compares && is_any ? u->with : compares ? u->text : is_word ? "" : u->text;
    uint64_t key = hash_text(sought, hash_text(u->what, certain));
    if (!compares)
        key = hash_text(u->with, key);
    bool known = map_get(g->looked, key);
    map_put(g->looked, key, g);
    return !known;
}

void guide_learn(struct guide *g, const struct run *r, const int *missing)
{
    struct input i = g->now;
    struct input_use *uses = arena_array(g->v->arena, struct input_use, TRACE_MOST);
    uint64_t certain = hash_certain(g, &i);
    bool news = false, is_first = false;
    for (int k = 0; k < r->events.count && i.use_count < TRACE_MOST; k++) {
        const json_t *raw = r->events.items[k].raw;
        const char *what = json_string_value(json_object_get(raw, "input"));
        if (!what)
            continue;
        struct input_use u = {.what = copy_of(g, raw, "input"),
                              .text = copy_of(g, raw, "text"),
                              .with = copy_of(g, raw, "with"),
                              .length = json_integer_value(json_object_get(raw, "length"))};
        if (!u.text)
            continue;
        is_first |= is_news(g, &u, 0);
        news |= is_news(g, &u, certain);
        uses[i.use_count++] = u;
    }
    i.uses = uses;
    i.missing = arena_copy(g->v->arena, missing, sizeof *missing * (size_t)g->findings);
    bool nearer = false;
    for (int k = 0; k < g->findings; k++) {
        nearer |= missing[k] < g->least[k];
        g->least[k] = missing[k] < g->least[k] ? missing[k] : g->least[k];
    }
    bool begins = g->learned++ < g->first_count;
    if ((begins || nearer || is_first || (news && !i.is_guess)) && g->kept.count < MOST_KEPT)
        LIST_ADD(g->v->arena, &g->kept, i);
}
