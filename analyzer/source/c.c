/* The description of C: the only file that knows its syntax, besides frontends/clang and the runner
 * in analyzer/verify/c. */
#include "analyzer/source/source.h"

#include <ctype.h>
#include <string.h>

/* ---- conditions ----------------------------------------------------------------------------- */

/* A call of strcmp and its like, and nothing else. */
static bool is_comparison(const char *text)
{
    size_t name = strcspn(text, "( ");
    int open = 0;
    if (name < 3 || strncmp(text + name - 3, "cmp", 3) || text[name] != '(')
        return false;
    for (const char *at = text + name; *at; at++) {
        open += (*at == '(') - (*at == ')');
        if (!open)
            return !at[1];
    }
    return true; /* the end was cut off */
}

static size_t without_blanks(const char *text, size_t at)
{
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    return at;
}

/* Whether the word ends there. */
static bool is_word_before(const char *text, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at >= n && !memcmp(text + at - n, word, n) &&
           (at == n || !(isalnum((unsigned char)text[at - n - 1]) || text[at - n - 1] == '_'));
}

/* Outward from one pair of brackets around the place to the next, to the word before one of them.
 * Of those of a for, the test is the second part. */
static bool is_loop_test(const struct source *s, size_t i)
{
    int open = 0, ends = 0;
    while (i && ends < 3) {
        char c = s->text[--i];
        open += (c == ')') - (c == '(');
        ends += c == ';' && !open;
        if (c == '{' || c == '}')
            return false;
        if (open >= 0)
            continue;
        i = without_blanks(s->text, i);
        if (is_word_before(s->text, i, "while") || is_word_before(s->text, i, "for"))
            return ends == (s->text[i - 1] == 'r');
        if (is_word_before(s->text, i, "if"))
            return false;
        open = ends = 0;
    }
    return false;
}

/* ---- conditional compilation ---------------------------------------------------------------- */

/* The branches are found in the text alone; the frontend knows which of them were compiled. */
struct scan {
    struct arena *arena;
    branch_list *out;
    LIST(int) open; /* branches that have not ended, the innermost last */
};

/* A line end that a backslash or comment removes; it still counts as a line. */
enum { JOINED = '\1' };

static char *without_comments(struct arena *a, const struct source *s)
{
    comment_list comments = {0};
    char *text = arena_text(a, s->text, s->length);
    comments_find(a, s, &comments);
    for (int i = 0; i < comments.count; i++) {
        size_t from = (size_t)(comments.items[i].whole - s->text);
        for (size_t k = from; k < from + comments.items[i].whole_length; k++)
            text[k] = text[k] == '\n' ? JOINED : ' ';
    }
    for (size_t k = 0; k + 1 < s->length; k++) {
        size_t end = k + 1 + (text[k + 1] == '\r' && k + 2 < s->length);
        if (text[k] == '\\' && text[end] == '\n') {
            text[k] = ' ';
            text[end] = JOINED;
        }
    }
    return text;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (strchr(" \t\f\v\r", *at) || *at == JOINED))
        at++;
    return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && !memcmp(at, word, n);
}

static void open_branch(struct scan *s, int line)
{
    LIST_ADD(s->arena, &s->open, s->out->count);
    LIST_ADD(s->arena, s->out, ((struct branch){line, line}));
}

static void close_branch(struct scan *s, int line)
{
    if (s->open.count)
        s->out->items[s->open.items[--s->open.count]].last = line;
}

/* "#ifdef", "#elif", …; other directives do not matter. */
static void see_line(struct scan *s, const char *at, const char *end, int line)
{
    at = skip_blanks(at, end);
    if (at == end || (*at != '#' && !is_word(at, end, "%:")))
        return;
    at = skip_blanks(at + (*at == '#' ? 1 : 2), end);
    if (is_word(at, end, "if")) {
        open_branch(s, line);
    } else if (is_word(at, end, "el") && s->open.count) {
        close_branch(s, line);
        open_branch(s, line);
    } else if (is_word(at, end, "endif")) {
        close_branch(s, line);
    }
}

static void find_branches(struct arena *a, const struct source *source, branch_list *out)
{
    struct scan s = {.arena = a, .out = out};
    const char *text = without_comments(a, source), *end = text + source->length;
    int line = 1;
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        see_line(&s, at, stop, line);
        for (; at < stop; at++)
            line += *at == JOINED;
        at++;
        line++;
    }
    while (s.open.count)
        close_branch(&s, line);
}

/* ---- the description ------------------------------------------------------------------------ */

static bool is_operand(const char *text)
{
    int depth = 0;
    bool plain = isalpha((unsigned char)*text) || *text == '_';
    for (; plain && *text; text++) {
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
        plain = depth > 0 || isalnum((unsigned char)*text) || strchr("_.->)]", *text);
    }
    return plain;
}

static const char *const clauses[] = {"if",     "else", "for",     "while", "do",
                                      "switch", "case", "default", NULL};

/* clang-format off */
/* C++ differs in nothing that matters here, as far as it is read. */
#define C_FAMILY                                                                                   \
    .comments = (const struct comment_form[]){{"//", NULL}, {"/*", "*/"}, {0}}, \
    .strings = (const struct string_form[]){{"\"", false}, {"'", false}, {0}}, \
    .joins_comments = true, \
    .comment_fill = "*", \
    .linter_words = (const struct linter_word[]){{"NOLINTNEXTLINE", REACH_NEXT}, \
                                                 {"NOLINTBEGIN", REACH_BEGIN}, \
                                                 {"NOLINTEND", REACH_END}, \
                                                 {"NOLINT", REACH_LINE}, \
                                                 {0}}, \
    \
    .open = "([", \
    .close = ")]", \
    .bounds = ";{}", \
    .before = ";{})", \
    .behind = ";", \
    .discard = "(void)", \
    .clauses = clauses, \
    .block_end = "}", \
    .is_operand = is_operand, \
    .is_loop_test = is_loop_test, \
    .is_comparison = is_comparison, \
    .find_branches = find_branches, \
    \
    .member = ".", \
    .pointer_member = "->", \
    .dereference = "*", \
    .element = {"[", "]"}, \
    .arguments = {"(", ")"}, \
    .assign = " = ", \
    .option = {".", ""}, \
    .null = "NULL", \
    .size_of = "sizeof"

/* clang-format on */
const struct language language_c = {.name = "c", .suffixes = ".c .h", C_FAMILY};
const struct language language_cpp = {.name = "c++",
                                      .hides_unnamed = true,
                                      .suffixes = ".cpp .cc .cxx .c++ .cp .C .hpp .hh .hxx .h++",
                                      C_FAMILY};
