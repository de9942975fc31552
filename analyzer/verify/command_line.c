/* Command lines worth trying: what a program may understand comes in with a finding, and the next
 * line to try goes out. First an empty one, then known choices that the finding mentions, in all
 * combinations and the shortest first, then guesses, one by one. What a run did not understand is
 * not tried again. */
#include "analyzer/verify/command_line.h"

#include "analyzer/verify/runner.h"

#include <ctype.h>
#include <string.h>

enum { LONG_LINES = 6, PADDED_LENGTH = 8 };

struct line_search {
    struct verifier *v;
    choice_list choices;
    bool plain_did;       /* without arguments it does something */
    command_lines others; /* that are not choices: many words, many numbers */
    int first_padded;     /* of them: the rest has one word among others, and is tried last */
    struct map *wanted;   /* by finding: struct map of words */
};

/* ---- words that findings and command lines have in common --------------------------------------
 */

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

/* Calls `on` for every word in the text: "DTYPE_F16" has "dtype" and "f16". */
static bool each_word(const char *text, bool (*on)(struct map *m, uint64_t key), struct map *m)
{
    bool any = false;
    for (const char *at = text; at && *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n]))
            n++;
        if (counts(text, at, n))
            any |= on(m, key_of_word(at, n));
        at += n ? n : 1;
    }
    return any;
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

/* The conditions of branches that were taken. */
static void add_conditions(struct line_search *a, struct map *m, const struct condition *c)
{
    for (; c; c = c->before) {
        const struct source *s = c->span.line ? sources_get(a->v->sources, c->span.file) : NULL;
        if (s)
            each_word(source_text(a->v->arena, s, &c->span), put_word, m);
    }
}

static void add_failure(struct line_search *a, struct map *m, const struct flow_failure *f)
{
    for (const struct frame_place *c = f->called; c; c = c->outer)
        each_word(c->caller->name, put_word, m);
    add_conditions(a, m, f->when);
    for (int i = 0; i < f->operand_count; i++)
        for (const struct step *s = f->operands[i].how; s; s = s->from[0])
            add_conditions(a, m, s->when);
}

/* Everything that the finding mentions: dtypes and devices, conditions, functions on the way. */
static struct map *wanted_of(struct line_search *a, const struct finding *f)
{
    uint64_t key = (uint64_t)(uintptr_t)f;
    struct map *m = map_get(a->wanted, key);
    if (m)
        return m;
    m = map_new(a->v->arena);
    map_put(a->wanted, key, m);
    each_word(f->message, put_word, m);
    each_word(f->function, put_word, m);
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        each_word(o->what, put_word, m);
        each_word(o->when, put_word, m);
        each_word(o->source, put_word, m);
    }
    if (f->failure)
        add_failure(a, m, f->failure);
    return m;
}

static bool is_wanted(struct line_search *a, const struct finding *f, const struct line_choice *c)
{
    struct map *m = wanted_of(a, f);
    if (c->variable && each_word(c->variable, has_word, m))
        return true;
    if (c->content)
        return each_word(arena_text(a->v->arena, c->content->text, c->content->length), has_word,
                         m);
    const char *word = c->value ? c->value : c->flag;
    return word[0] && !word[1] ? has_word(m, key_of_word(word, 1)) : each_word(word, has_word, m);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

/* "--dtype=" and its value are one word. */
static bool is_joined(const struct line_choice *c)
{
    return c->flag && c->value && c->flag[strlen(c->flag) - 1] == '=';
}

static const char *const no_words[] = {NULL};

static const struct line_content *content_of(const struct line_search *a, const char *file)
{
    for (int i = 0; i < a->choices.count; i++)
        if (a->choices.items[i].file && !strcmp(a->choices.items[i].file, file))
            return a->choices.items[i].content;
    return NULL;
}

/* A file that is named on the command line exists. */
static void add_named_file(const struct line_search *a, struct command_line *l)
{
    bool named = false;
    const struct line_content *content = content_of(a, LINE_FILE);
    for (const char *const *w = l->words; *w; w++)
        named |= !strcmp(*w, LINE_FILE);
    for (int i = 0; i < l->file_count; i++)
        named &= strcmp(l->files[i].name, LINE_FILE) != 0;
    if (named && content && l->file_count < LINE_CHOICES)
        l->files[l->file_count++] = (struct line_file){LINE_FILE, content};
}

static struct command_line line_of(struct line_search *a, const int *choices, int count)
{
    struct command_line l = {.choice_count = count};
    const char **words = arena_array(a->v->arena, const char *, 2 * LINE_CHOICES + 1);
    const char **environment = arena_array(a->v->arena, const char *, LINE_CHOICES + 1);
    int n = 0, set = 0;
    for (int i = 0; i < count; i++) {
        const struct line_choice *c = &a->choices.items[choices[i]];
        l.choices[i] = choices[i];
        if (c->variable) {
            environment[set++] = arena_printf(a->v->arena, "%s=%s", c->variable, c->value);
            continue;
        }
        if (c->file)
            l.files[l.file_count++] = (struct line_file){c->file, c->content};
        if (is_joined(c)) {
            words[n++] = arena_printf(a->v->arena, "%s%s", c->flag, c->value);
            continue;
        }
        if (c->flag)
            words[n++] = c->flag;
        if (c->value)
            words[n++] = c->value;
    }
    l.words = words;
    l.environment = environment;
    add_named_file(a, &l);
    return l;
}

static bool has_same_files(const struct command_line *x, const struct command_line *y)
{
    for (int i = 0; i < x->file_count && x->file_count == y->file_count; i++)
        if (strcmp(x->files[i].name, y->files[i].name) != 0 ||
            x->files[i].content != y->files[i].content)
            return false;
    return x->file_count == y->file_count;
}

static bool is_same(const char *const *x, const char *const *y)
{
    for (; *x && *y && !strcmp(*x, *y); x++, y++)
        continue;
    return !*x && !*y;
}

static bool is_tried(const command_lines *tried, const struct command_line *l)
{
    for (int i = 0; i < tried->count; i++)
        if (is_same(tried->items[i].words, l->words) &&
            is_same(tried->items[i].environment, l->environment) &&
            has_same_files(&tried->items[i], l))
            return true;
    return false;
}

static void add_other(struct line_search *a, const char *const *words, int count)
{
    const char **kept = arena_array(a->v->arena, const char *, count + 1);
    memcpy(kept, words, (size_t)count * sizeof *words);
    struct command_line l = {.words = kept, .environment = no_words};
    LIST_ADD(a->v->arena, &a->others, l);
}

/* At each of the first places, with something at the others: a program may read them all, and
 * compare one. */
static void add_padded(struct line_search *a, const char *word)
{
    enum { PLACES = 3 };
    for (int place = 0; place < PLACES; place++) {
        const char *words[PLACES] = {"1", "1", "1"};
        words[place] = word;
        add_other(a, words, PLACES);
    }
}

/* A flag or a word by itself; not a number, nor a letter. */
static bool is_word(const struct line_choice *c)
{
    const char *word = c->flag ? c->flag : c->value;
    return !c->flag != !c->value && !c->variable && !c->file && !c->is_hint && strlen(word) > 2 &&
           (c->flag || isalpha((unsigned char)*word));
}

static void add_others(struct line_search *a)
{
    static const char *const ones[] = {"1", "1", "1", "1", "1", "1", "1", "1"};
    static const char *const twos[] = {"2", "2", "2", "2", "2", "2", "2", "2"};
    text_list flags = {0};
    for (int i = 0; i < a->choices.count; i++)
        if (is_word(&a->choices.items[i]))
            LIST_ADD(a->v->arena, &flags,
                     a->choices.items[i].flag ? a->choices.items[i].flag
                                              : a->choices.items[i].value);
    if (flags.count > 1)
        add_other(a, flags.items, flags.count);
    add_other(a, ones, 8);
    add_other(a, twos, 8);
    a->first_padded = a->others.count;
    for (int i = 0; i < a->choices.count; i++) {
        const struct line_choice *c = &a->choices.items[i];
        if (c->value && !c->flag && !c->variable && !c->file && !c->is_hint &&
            strlen(c->value) < PADDED_LENGTH)
            add_padded(a, c->value);
    }
}

struct line_search *line_search_new(struct verifier *v, const struct program *p)
{
    struct line_search *a = arena_one(v->arena, struct line_search);
    *a = (struct line_search){.v = v, .wanted = map_new(v->arena)};
    if (v->in->runner->choices_of(v, p, &a->choices))
        add_others(a);
    if (a->choices.count > CHOICES_MAX)
        a->choices.count = CHOICES_MAX;
    return a;
}

const choice_list *line_search_choices(const struct line_search *a)
{
    return &a->choices;
}

/* ---- which is next ----------------------------------------------------------------------------
 */

static bool is_equal(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* Whether the line says something about the same already. */
static bool is_said(const struct line_search *a, const struct command_line *l,
                    const struct line_choice *c)
{
    for (int i = 0; i < l->choice_count; i++) {
        const struct line_choice *other = &a->choices.items[l->choices[i]];
        if (is_equal(c->flag, other->flag) || is_equal(c->variable, other->variable) ||
            is_equal(c->file, other->file))
            return true;
    }
    return false;
}

struct asking {
    struct line_search *search;
    bool wanted[CHOICES_MAX]; /* each of the choices */
    const command_lines *tried;
    struct command_line *out;
};

static bool is_new(const struct asking *q, struct command_line l)
{
    *q->out = l;
    return !is_tried(q->tried, &l);
}

/* Adds exactly so many known choices to the line, of which `unwanted` need not be wanted. The last
 * choice of a flag comes first: the first one documented is often the default. */
static bool combine(const struct asking *q, const struct command_line *so_far, int below, int more,
                    int unwanted)
{
    struct line_search *a = q->search;
    if (!more)
        return is_new(q, *so_far);
    for (int i = below - 1; i >= 0; i--) {
        const struct line_choice *c = &a->choices.items[i];
        bool wanted = q->wanted[i];
        if (!c->known || c->refused || c->is_hint || is_said(a, so_far, c) ||
            (!wanted && !unwanted))
            continue;
        int choices[LINE_CHOICES] = {i}; /* as the program has them, from first to last */
        memcpy(choices + 1, so_far->choices, (size_t)so_far->choice_count * sizeof *choices);
        struct command_line longer = line_of(a, choices, so_far->choice_count + 1);
        if (combine(q, &longer, i, more - 1, unwanted - !wanted))
            return true;
    }
    return false;
}

enum { KNOWN = 1, WANTED = 2 };

static bool next_single(const struct asking *q, int is, int is_not)
{
    struct line_search *a = q->search;
    for (int i = 0; i < a->choices.count; i++) {
        const struct line_choice *c = &a->choices.items[i];
        int traits = (c->known ? KNOWN : 0) | (q->wanted[i] ? WANTED : 0);
        if (!c->refused && !c->is_hint && (traits & is) == is && !(traits & is_not) &&
            is_new(q, line_of(a, &i, 1)))
            return true;
    }
    return false;
}

static bool is_wanted_word(const struct asking *q, int i)
{
    const struct line_choice *c = &q->search->choices.items[i];
    return q->wanted[i] && !c->flag && !c->variable && !c->file && !c->is_hint;
}

/* Two words without flags, in either order: one may be understood only after another. */
static bool next_words(const struct asking *q)
{
    int count = q->search->choices.count;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count && is_wanted_word(q, i); k++)
            if (i != k && is_wanted_word(q, k) &&
                is_new(q, line_of(q->search, (const int[]){i, k}, 2)))
                return true;
    return false;
}

/* Many choices make very many lines: long ones are limited. */
static bool is_enough(const command_lines *tried, int choices)
{
    int count = 0;
    for (int i = 0; i < tried->count; i++)
        count += tried->items[i].choice_count == choices;
    return choices > 2 && count >= LONG_LINES;
}

bool line_search_next(struct line_search *a, const struct finding *f, const command_lines *tried,
                      struct command_line *out)
{
    struct asking q = {.search = a, .tried = tried, .out = out};
    for (int i = 0; i < a->choices.count; i++)
        q.wanted[i] = is_wanted(a, f, &a->choices.items[i]);
    struct command_line none = line_of(a, NULL, 0);
    if (is_new(&q, none))
        return true;
    for (int n = 1; n <= LINE_CHOICES; n++)
        if (!is_enough(tried, n) && combine(&q, &none, a->choices.count, n, 0))
            return true;
    if (next_single(&q, WANTED, KNOWN) || next_words(&q) || next_single(&q, KNOWN, WANTED) ||
        combine(&q, &none, a->choices.count, 2, 1))
        return true;
    for (int i = 0; i < a->first_padded; i++)
        if (is_new(&q, a->others.items[i]))
            return true;
    if (next_single(&q, 0, KNOWN | WANTED))
        return true;
    for (int i = a->first_padded; i < a->others.count; i++)
        if (is_new(&q, a->others.items[i]))
            return true;
    return false;
}

void line_search_learn(struct line_search *a, const struct command_line *line, bool did)
{
    if (!line->words[0])
        a->plain_did = did;
    if (line->choice_count != 1)
        return;
    struct line_choice *c = &a->choices.items[line->choices[0]];
    c->known |= did;
    c->refused |= !did && a->plain_did;
}
