/* What else than its command line a program reads: variables of the environment, files, standard
 * input. A program comes in; choices go out that set them: words and numbers that it compares,
 * alone and in lines of a key and a value, and for headers the numbers as they are in memory. */
#include "analyzer/verify/c/private.h"

#include <string.h>

enum { MOST_NAMES = 8, MOST_VALUES = 10, MOST_CONTENTS = 40, BINARY_NUMBERS = 64 };

static bool is_called(const struct ir_inst *i, const char *const *names, size_t count)
{
    for (size_t k = 0; i->op == IR_CALL && i->name && k < count; k++)
        if (!strcmp(i->name, names[k]))
            return true;
    return false;
}
#define IS_CALLED(i, names) is_called(i, names, sizeof(names) / sizeof *(names))

static const char *text_of(const struct ir_function *f, const struct ir_inst *call, int argument)
{
    if (argument >= call->arg_count)
        return NULL;
    const struct ir_inst *i = &f->insts.items[value_behind(f, call->args[argument])];
    return i->op == IR_TEXT ? i->name : NULL;
}

static void add_once(struct verifier *v, text_list *l, const char *word)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], word))
            return;
    if (*word && l->count < MOST_NAMES)
        LIST_ADD(v->arena, l, word);
}

void reads_add(struct verifier *v, struct reads *out, const struct ir_function *f)
{
    static const char *const variables[] = {"getenv", "secure_getenv"};
    static const char *const opens[] = {"fopen", "open", "fopen64", "open64"};
    static const char *const inputs[] = {"scanf", "getchar", "gets", "getchar_unlocked"};
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const char *first = i->op == IR_CALL ? text_of(f, i, 0) : NULL;
        if (IS_CALLED(i, variables) && first)
            add_once(v, &out->variables, first);
        if (IS_CALLED(i, opens) && first && *first != '/' && !strstr(first, ".."))
            add_once(v, &out->files, first);
        out->opens_argument |= IS_CALLED(i, opens) && !first;
        out->input |=
            IS_CALLED(i, inputs) || (i->op == IR_GLOBAL && i->name && !strcmp(i->name, "stdin"));
    }
}

/* ---- choices ----------------------------------------------------------------------------------
 */

static void add_choice(struct verifier *v, choice_list *out, struct line_choice c)
{
    if (out->count < CHOICES_MAX)
        LIST_ADD(v->arena, out, c);
}

static void add_variables(struct verifier *v, const struct reads *r, const text_list *values,
                          choice_list *out)
{
    for (int i = 0; i < r->variables.count; i++)
        for (int k = -1; k < values->count && k < MOST_VALUES; k++)
            add_choice(v, out,
                       (struct line_choice){.variable = r->variables.items[i],
                                            .value = k < 0 ? "1" : values->items[k],
                                            .known = true});
}

struct contents {
    struct verifier *v;
    struct line_content items[MOST_CONTENTS];
    int count;
};

static void add_content(struct contents *c, struct text *text)
{
    if (c->count < MOST_CONTENTS && text->length) {
        size_t length = text->length;
        c->items[c->count++] =
            (struct line_content){arena_copy(c->v->arena, text->data, length), length};
    }
    text_free(text);
    *text = (struct text){0};
}

/* The value with every word as its key. */
static void add_pairs(struct contents *c, const text_list *words, const char *value,
                      const char *between)
{
    struct text t = {0};
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->items[i], value) != 0)
            text_printf(&t, "%s%s%s\n", words->items[i], between, value);
    add_content(c, &t);
}

/* As a header has it, or an array. */
static void add_binary(struct contents *c, int32_t number)
{
    struct text t = {0};
    for (int i = 0; i < BINARY_NUMBERS; i++)
        text_add_range(&t, (const char *)&number, sizeof number);
    add_content(c, &t);
}

/* A header: letters that it begins with, and numbers behind them. */
static void add_header(struct contents *c, const char *letters, size_t length, int32_t number)
{
    enum { ALIGNED = 4 };
    struct text t = {0};
    text_add_range(&t, letters, length);
    while (t.length % ALIGNED)
        text_add_range(&t, "", 1);
    for (int i = 0; i < BINARY_NUMBERS; i++)
        text_add_range(&t, (const char *)&number, sizeof number);
    add_content(c, &t);
}

/* Words of the length that headers begin with, and letters in the order in which they are compared.
 */
static void add_headers(struct contents *c, const text_list *words, const text_list *letters)
{
    enum { MOST_LETTERS = 8 };
    struct text t = {0};
    for (int i = 0; i < letters->count && i < MOST_LETTERS; i++)
        text_add(&t, letters->items[i]);
    if (t.length > 1)
        add_header(c, t.data, t.length, 1);
    text_free(&t);
    for (int i = 0; i < words->count; i++)
        if (strlen(words->items[i]) == 4 || strlen(words->items[i]) == 8)
            add_header(c, words->items[i], strlen(words->items[i]), 1);
}

/* A word that is compared with the end of its line has one. */
static void end_line(struct text *t)
{
    if (!t->length || t->data[t->length - 1] != '\n')
        text_add(t, "\n");
}

static void add_line(struct contents *c, const char *word, int times)
{
    struct text t = {0};
    for (int i = 0; i < times; i++)
        text_printf(&t, "%s%s", i ? " " : "", word);
    end_line(&t);
    add_content(c, &t);
}

static void fill(struct contents *c, const text_list *words, const text_list *numbers,
                 const text_list *letters)
{
    static const char *const between[] = {"=", " ", ": "};
    struct text all = {0};
    for (int i = 0; i < words->count; i++) {
        text_add(&all, words->items[i]);
        end_line(&all);
    }
    add_content(c, &all);
    for (int i = 0; i < words->count && i < MOST_VALUES; i++)
        add_line(c, words->items[i], 1);
    for (int i = 0; i < letters->count && i < MOST_VALUES; i++)
        add_line(c, letters->items[i], 1);
    add_line(c, "1", 16);
    add_binary(c, 1);
    add_headers(c, words, letters);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < words->count && i < MOST_VALUES / 2; i++)
            add_pairs(c, words, words->items[i], between[k]);
    for (int i = 0; i < numbers->count; i++)
        add_line(c, numbers->items[i], 16);
    for (int i = 0; i < words->count && i < MOST_VALUES / 2; i++)
        for (int k = 0; k < numbers->count && k < 3; k++)
            add_pairs(c, words, numbers->items[k], "=");
}

static void add_contents(struct verifier *v, const struct contents *c, const char *file,
                         bool is_argument, choice_list *out)
{
    for (int i = 0; i < c->count; i++)
        add_choice(v, out,
                   (struct line_choice){
                       .file = file, .value = is_argument ? file : NULL, .content = &c->items[i]});
}

void reads_choices(struct verifier *v, const struct reads *r, const text_list *words,
                   const struct constants *constants, choice_list *out)
{
    struct contents *c = arena_one(v->arena, struct contents);
    c->v = v;
    text_list values = {0};
    for (int i = 0; i < words->count; i++)
        LIST_ADD(v->arena, &values, words->items[i]);
    for (int i = 0; i < constants->numbers.count; i++)
        LIST_ADD(v->arena, &values, constants->numbers.items[i]);
    add_variables(v, r, &values, out);
    fill(c, words, &constants->numbers, &constants->letters);
    for (int i = 0; i < r->files.count; i++)
        add_contents(v, c, r->files.items[i], false, out);
    if (r->input)
        add_contents(v, c, LINE_INPUT, false, out);
    if (r->opens_argument)
        add_contents(v, c, LINE_FILE, true, out);
}
