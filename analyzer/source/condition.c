/* Conditions on the way to a fact, as messages show them. */
#include "analyzer/source/source.h"

#include <string.h>

/* Whether brackets and quotes that begin in it also end in it. */
static bool is_whole(const char *text, size_t length)
{
    int depth = 0;
    char quote = 0;
    for (const char *at = text; at < text + length; at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else if (!quote)
            depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    }
    return !depth && !quote;
}

/* "a == b" negated is "a != b". NULL: it is more than one such comparison. */
static const char *negated(struct arena *a, const char *text)
{
    static const char *const others[] = {" and ", " or ", " if ", "&&",  "||", " & ",
                                         " | ",   " ^ ",  " = ",  ":=",  "<",  ">",
                                         "?",     ",",    " in ", " is "};
    const char *equal = strstr(text, " == "), *unequal = strstr(text, " != ");
    const char *at = equal ? equal : unequal;
    if (!at || (equal && unequal) || strstr(at + 1, equal ? " == " : " != ") ||
        !strncmp(text, "not ", 4) || !is_whole(text, (size_t)(at - text)))
        return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(text, others[i]))
            return NULL;
    return arena_printf(a, "%.*s %s %s", (int)(at - text), text, equal ? "!=" : "==", at + 4);
}

const char *condition_text(struct arena *a, const struct condition *c, const char *text)
{
    const struct language *l = language_of(c->function);
    if (!c->is_case && l->is_comparison && l->is_comparison(text))
        return arena_printf(a, "%s %s 0", text, c->truth ? "!=" : "==");
    const char *opposite = c->is_case || c->truth ? NULL : negated(a, text);
    if (opposite)
        return opposite;
    bool is_compound = strstr(text, " and ") || strstr(text, " or ");
    if (!c->is_case && !c->truth)
        return arena_printf(a, is_compound ? "not (%s)" : "not %s", text);
    if (!c->is_case)
        return text;
    return c->truth ? arena_printf(a, "%s is %lld", text, (long long)c->value)
                    : arena_printf(a, "%s is something else", text);
}

/* A loop meets the same condition again and again. */
static bool is_repeated(const struct condition *list, const struct condition *c)
{
    for (; list && list != c; list = list->before)
        if (list->span.file == c->span.file && list->span.line == c->span.line &&
            list->span.column == c->span.column)
            return true;
    return false;
}

static bool tests_loop(const struct source *s, const struct span *at)
{
    return s && s->language->is_loop_test &&
           s->language->is_loop_test(s, source_offset(s, at->line, at->column));
}

/* Whether the name is an argument of its own: "parse(argc, argv, &o)", but not "argv[1]". */
static bool is_passed(const char *from, const char *end, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = from + 1; at + length < end; at++)
        if (!strncmp(at, name, length) && strchr("(, ", at[-1]) && strchr(",)", at[length]))
            return true;
    return false;
}

/* A call that is given the whole command line says whether that could be read, which holds wherever
 * the program goes on: what was read is the condition. */
static bool reads_command_line(const struct source *s, const struct condition *c)
{
    const struct ir_function *f = c->function;
    if (!s || !f || c->is_case || f->param_count < 2 || strcmp(f->name, "main") != 0)
        return false;
    const char *end = s->text + source_offset(s, c->span.end_line, c->span.end_column);
    const char *from = s->text + source_offset(s, c->span.line, c->span.column);
    return end > from && memchr(from, '(', (size_t)(end - from)) &&
           is_passed(from, end, f->locals.items[1].name);
}

bool condition_is_shown(const struct source *s, const struct condition *list,
                        const struct condition *c)
{
    return !c->is_hidden && !is_repeated(list, c) && (c->is_case || !tests_loop(s, &c->span)) &&
           !reads_command_line(s, c);
}
