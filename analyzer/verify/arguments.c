/* Command lines worth a try. A program comes in; out go words that it compares with others, as
 * flags are, and a few numbers: its flags, one by one and all together. Programs are cheap to run,
 * so that nothing has to be known about how it reads them. */
#include "analyzer/verify/private.h"

#include <string.h>

enum { MAX_WORDS = 24, MAX_LINES = 40 };

/* Functions that compare a text with another. */
static const char *const comparers[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp",
                                        "strstr", "strchr",  "memcmp",     "getopt"};

static bool compares(const struct ir_inst *i)
{
    for (size_t k = 0; i->op == IR_CALL && i->name && k < sizeof comparers / sizeof *comparers; k++)
        if (!strcmp(i->name, comparers[k]))
            return true;
    return false;
}

static bool is_known(const text_list *l, const char *word)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], word))
            return true;
    return false;
}

static void add_word(struct verifying *v, text_list *words, const char *word)
{
    if (*word && words->count < MAX_WORDS && !is_known(words, word))
        LIST_ADD(v->arena, words, word);
}

/* "ab:c" is -a, -b with a value, -c. */
static void add_letters(struct verifying *v, text_list *words, const char *letters)
{
    for (; *letters; letters++)
        if (*letters != ':' && *letters != '+' && *letters != '-')
            add_word(v, words, arena_printf(v->arena, "-%c", *letters));
}

static ir_value behind(const struct ir_function *f, ir_value value)
{
    while (value > 0 && f->insts.items[value].op == IR_CONVERT)
        value = f->insts.items[value].args[0];
    return value;
}

static void words_of(struct verifying *v, const struct ir_function *f, text_list *words)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (!compares(i))
            continue;
        for (int k = 0; k < i->arg_count; k++) {
            const struct ir_inst *text = &f->insts.items[behind(f, i->args[k])];
            if (text->op != IR_TEXT)
                continue;
            if (!strcmp(i->name, "getopt"))
                add_letters(v, words, text->name);
            else
                add_word(v, words, text->name);
        }
    }
}

/* Long options stand in a table. */
static void words_of_tables(struct verifying *v, const struct ir_function *init, text_list *words)
{
    for (int n = 1; n < init->insts.count; n++) {
        const struct ir_inst *i = &init->insts.items[n];
        if (i->op == IR_TEXT && i->name && !strpbrk(i->name, " %\n\t/"))
            add_word(v, words, arena_printf(v->arena, "--%s", i->name));
    }
}

static void add_line(struct verifying *v, command_lines *out, const char *const *words, int count)
{
    if (out->count == MAX_LINES)
        return;
    const char **line = arena_array(v->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        line[i] = words[i];
    LIST_ADD(v->arena, out, (const char *const *)line);
}

static bool takes_arguments(const struct program *p)
{
    const struct ir_function *f = function_of(p->entry, "main");
    return f && f->param_count > 0;
}

void arguments_of(struct verifying *v, const struct program *p, command_lines *out)
{
    static const char *const numbers[] = {"1", "1", "1", "1", "1", "1", "1", "1"};
    static const char *const twos[] = {"2", "2", "2", "2", "2", "2", "2", "2"};
    text_list words = {0};
    add_line(v, out, NULL, 0);
    if (!takes_arguments(p))
        return;
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_unit *u = p->units.items[i]->unit;
        for (int k = 1; k < u->functions.count; k++)
            words_of(v, u->functions.items[k], &words);
    }
    for (int i = 0; i < words.count; i++)
        add_line(v, out, &words.items[i], 1);
    if (words.count > 1)
        add_line(v, out, words.items, words.count);
    for (int i = 0; i < words.count; i++) {
        add_line(v, out, (const char *const[]){words.items[i], "1"}, 2);
        for (int k = i + 1; k < words.count; k++)
            add_line(v, out, (const char *const[]){words.items[i], words.items[k]}, 2);
    }
    add_line(v, out, numbers, 8);
    add_line(v, out, twos, 8);
    text_list options = {0};
    for (int i = 0; i < p->units.count; i++)
        words_of_tables(v, p->units.items[i]->unit->functions.items[0], &options);
    for (int i = 0; i < options.count; i++)
        add_line(v, out, &options.items[i], 1);
}
