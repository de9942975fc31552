/* Command lines worth trying: what a program may understand comes in with a finding, and the next
 * line to try goes out. First an empty one, then choices that conditions of the finding name, then
 * known ones that it mentions, in all combinations and the shortest first, then guesses, one by
 * one. What a run did not understand is not tried again. */
#include "analyzer/verify/command_line.h"

#include "analyzer/verify/runner.h"
#include "analyzer/verify/wish.h"

#include <ctype.h>
#include <string.h>

enum { LONG_LINES = 6, PADDED_LENGTH = 8 };

struct line_search {
    struct verifier *v;
    choice_list choices;
    bool plain_did;        /* without arguments it does something */
    command_lines others;  /* that are not choices: many words, many numbers */
    int first_padded;      /* of them: the rest has one word among others, and is tried last */
    struct wishes *wishes; /* of findings */
};

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
    *a = (struct line_search){.v = v, .wishes = wishes_new(v)};
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
    bool asked[CHOICES_MAX], exactly[CHOICES_MAX];
    const command_lines *tried;
    struct command_line *out;
};

static void note_wish(struct asking *q, const struct finding *f, int i)
{
    enum wish w = wish_for(q->search->wishes, f, &q->search->choices.items[i]);
    q->wanted[i] = w != WISH_NONE;
    q->asked[i] = w >= WISH_ASKED;
    q->exactly[i] = w == WISH_EXACTLY;
}

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

/* ---- what conditions of the finding name ---- */

static bool can_be_asked(const struct asking *q, int i, bool has_value)
{
    const struct line_choice *c = &q->search->choices.items[i];
    return q->asked[i] && c->known && !c->refused && !c->is_hint && !c->value == !has_value;
}

/* As the program has them, from first to last. */
static struct command_line with_choice(const struct asking *q, const struct command_line *l, int i)
{
    int choices[LINE_CHOICES], at = l->choice_count;
    memcpy(choices, l->choices, sizeof choices);
    for (; at && choices[at - 1] > i; at--)
        choices[at] = choices[at - 1];
    choices[at] = i;
    return line_of(q->search, choices, l->choice_count + 1);
}

/* All of them together, of several values of one the first, or first one that a condition names. */
static struct command_line all_asked(const struct asking *q)
{
    struct command_line all = line_of(q->search, NULL, 0);
    for (int exactly = 1; exactly >= 0; exactly--)
        for (int i = 0; i < q->search->choices.count && all.choice_count < LINE_CHOICES; i++)
            if (q->exactly[i] == exactly &&
                (can_be_asked(q, i, false) || can_be_asked(q, i, true)) &&
                !is_said(q->search, &all, &q->search->choices.items[i]))
                all = with_choice(q, &all, i);
    return all;
}

/* Each alone, those without a value first; then together. */
static bool next_asked(const struct asking *q)
{
    for (int has_value = 0; has_value < 2; has_value++)
        for (int i = 0; i < q->search->choices.count; i++)
            if (can_be_asked(q, i, has_value) && is_new(q, line_of(q->search, &i, 1)))
                return true;
    struct command_line all = all_asked(q);
    return all.choice_count > 1 && is_new(q, all);
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
        note_wish(&q, f, i);
    struct command_line none = line_of(a, NULL, 0);
    if (is_new(&q, none) || next_asked(&q))
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
