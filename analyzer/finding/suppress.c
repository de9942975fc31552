/* Comments that suppress findings. After "miscast" and a colon (not spelled out here, so that this
 * comment is not one):
 *
 *   ignore[rule, rule] why          its own line; the next line of code, if it stands alone
 *   ignore-next-line[rule] why
 *   ignore-begin[rule] why … ignore-end[rule]
 *   ignore-file[rule] why
 *
 * or in the words of another linter of the language, with "miscast-" before the rule's name.
 * Without a list of rules, all rules are suppressed. */
#include "analyzer/finding/finding.h"

#include <limits.h>
#include <string.h>

/* Of two words with a common prefix, the longer one comes first. */
static const struct linter_word our_words[] = {
    {"ignore-next-line", REACH_NEXT}, {"ignore-begin", REACH_BEGIN}, {"ignore-end", REACH_END},
    {"ignore-file", REACH_FILE},      {"ignore", REACH_LINE},        {0},
};

struct reader {
    struct arena *arena;
    const struct source *source;
    const comment_list *comments;
    suppression_list *out;
    int *next_code;                         /* by line; NULL: not asked for yet */
    const char *fill;                       /* may precede the text of a comment's lines */
    const struct linter_word *linter_words; /* of another linter */
};

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

static const char *skip_blanks(const struct reader *r, const char *at, const char *end)
{
    while (at < end && *at && (strchr(" \t\r\n", *at) || strchr(r->fill, *at)))
        at++;
    return at;
}

/* The word that begins there, if it is not part of a longer one. */
static const struct linter_word *word_at(const struct linter_word *words, const char *at,
                                         const char *end)
{
    for (; words->text; words++) {
        size_t n = strlen(words->text);
        if ((size_t)(end - at) >= n && *at == *words->text && !memcmp(at, words->text, n) &&
            (at + n == end || !is_letter(at[n])))
            return words;
    }
    return NULL;
}

/* Reads "[a, b]" or "(a, b)" into rules; returns the place after it. NULL: it is not closed. */
static const char *read_list(struct reader *r, const char *at, const char *end, char close,
                             text_list *rules)
{
    const char *stop = memchr(at, close, (size_t)(end - at));
    if (!stop)
        return NULL;
    for (at++; at < stop;) {
        const char *comma = memchr(at, ',', (size_t)(stop - at)), *to = comma ? comma : stop;
        const char *from = skip_blanks(r, at, to), *last = to;
        while (last > from && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (last > from)
            LIST_ADD(r->arena, rules, arena_text(r->arena, from, (size_t)(last - from)));
        at = to + 1;
    }
    return stop + 1;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool is_blank(const struct source *s, int line)
{
    size_t length;
    const char *text = source_line(s, line, &length);
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\f\v", text[i]))
            return false;
    return true;
}

/* For each line the next one with code, found once: a file may be full of comments. */
static void find_code_lines(struct reader *r)
{
    int last = source_lines(r->source);
    bool *is_comment = arena_array(r->arena, bool, last + 2);
    r->next_code = arena_array(r->arena, int, last + 2);
    for (int i = 0; i < r->comments->count; i++) {
        const struct comment *c = &r->comments->items[i];
        for (int line = c->line; c->alone && line <= c->end_line && line <= last; line++)
            is_comment[line] = true;
    }
    r->next_code[last + 1] = r->next_code[last] = last + 1;
    for (int line = last - 1; line >= 0; line--) {
        bool is_code = !is_comment[line + 1] && !is_blank(r->source, line + 1);
        r->next_code[line] = is_code ? line + 1 : r->next_code[line + 1];
    }
}

static int next_code_line(struct reader *r, int line)
{
    if (!r->next_code)
        find_code_lines(r);
    return line <= source_lines(r->source) ? r->next_code[line] : line + 1;
}

static bool is_same_list(const text_list *a, const text_list *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = !strcmp(a->items[i], b->items[i]);
    return same;
}

/* Ends the last open region with these rules. */
static void close(struct reader *r, struct suppression *s)
{
    for (int i = r->out->count - 1; i >= 0; i--) {
        struct suppression *open = &r->out->items[i];
        if (open->last == INT_MAX && open->first != 1 && is_same_list(&open->rules, &s->rules)) {
            open->last = s->line;
            return;
        }
    }
    s->wrong = "ends a region that was not begun";
    s->first = s->last = 0;
    LIST_ADD(r->arena, r->out, *s);
}

static void add(struct reader *r, const struct comment *c, enum reach reach, struct suppression s)
{
    s.file = r->source->path;
    s.comment = c->whole;
    s.comment_length = c->whole_length;
    s.line = c->line;
    s.column = c->column;
    s.first = c->line;
    s.last = c->end_line;
    s.is_within = r->source->language->ends_with_line;
    switch (reach) {
    case REACH_LINE:
        if (!c->alone)
            break;
        /* fall through */
    case REACH_NEXT:
        s.first = next_code_line(r, c->end_line);
        s.last = statement_last_line(r->source, s.first);
        break;
    case REACH_BEGIN:
        s.first = c->line + 1;
        s.last = INT_MAX;
        break;
    case REACH_END:
        close(r, &s);
        return;
    case REACH_FILE:
        s.first = 1;
        s.last = INT_MAX;
        break;
    }
    LIST_ADD(r->arena, r->out, s);
}

/* ---- comments ------------------------------------------------------------------------------- */

static void read_ours(struct reader *r, const struct comment *c, const char *at, const char *end)
{
    const struct linter_word *w = word_at(our_words, at, end);
    struct suppression s = {0};
    const char *behind = w ? at + strlen(w->text) : at, *stop = behind;
    if (!w)
        s.wrong = "expected ignore, ignore-next-line, ignore-begin, ignore-end or ignore-file";
    else if (behind < end && *behind == '[' && !(stop = read_list(r, behind, end, ']', &s.rules)))
        s.wrong = "']' is missing";
    if (stop > behind) {
        s.list = behind + 1;
        s.list_length = (size_t)(stop - 1 - s.list);
    }
    s.whole = w && w->reach != REACH_BEGIN && w->reach != REACH_END;
    add(r, c, w ? w->reach : REACH_LINE, s);
}

/* Keeps our own rules among the checks it names; if there are none, the comment is not for us. */
static void read_foreign(struct reader *r, const struct comment *c, const char *at, const char *end)
{
    static const char ours[] = "miscast-";
    const struct linter_word *w = word_at(r->linter_words, at, end);
    struct suppression s = {.foreign = true};
    text_list names = {0};
    const char *behind = at + strlen(w->text);
    bool listed = behind < end && *behind == '(' && read_list(r, behind, end, ')', &names);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        bool all = !strcmp(name, "*") || !strcmp(name, "miscast-*") || !strcmp(name, "miscast*");
        if (all || strncmp(name, ours, sizeof ours - 1))
            listed &= !all;
        else
            LIST_ADD(r->arena, &s.rules, name + sizeof ours - 1);
    }
    if (listed && !s.rules.count)
        return;
    s.foreign = !s.rules.count;
    add(r, c, w->reach, s);
}

/* "F401": letters, then digits. Behind a blank, anything else is why: "noqa: F401 - re-exported".
 */
static bool is_code(const char *at, const char *end)
{
    const char *digits = at;
    while (digits < end && *digits >= 'A' && *digits <= 'Z')
        digits++;
    return digits > at && digits < end && *digits >= '0' && *digits <= '9';
}

/* "noqa" alone suppresses everything on its line, as for other linters; with codes, those that are
 * ours, by code or name. A comment on a line of its own is about that line, or, after the name of
 * another linter, about its findings in the file. */
static void read_codes(struct reader *r, const struct comment *c, const char *at, const char *end)
{
    const struct linter_word *w = word_at(r->linter_words, at, end);
    const char *behind = skip_blanks(r, at + strlen(w->text), end);
    struct suppression s = {.foreign = true};
    bool is_of_file = at > c->text && skip_blanks(r, c->text, end) < at && at[-1] == ' ' &&
                      at - c->text > 1 && at[-2] == ':';
    bool listed = behind < end && *behind == ':';
    for (behind += listed; listed; behind++) {
        behind = skip_blanks(r, behind, end);
        size_t n = 0;
        while (behind + n < end && is_letter(behind[n]))
            n++;
        const char *name = arena_text(r->arena, behind, n);
        const char *dash = strchr(name, '-');
        if (!strncmp(name, "MC", 2) || (dash && dash > name && dash[1]))
            LIST_ADD(r->arena, &s.rules, name);
        behind = skip_blanks(r, behind + n, end);
        if (!n || behind >= end || (*behind != ',' && !is_code(behind, end)))
            break;
        behind -= *behind != ',';
    }
    if (c->alone || is_of_file || (listed && !s.rules.count))
        return;
    s.foreign = !s.rules.count;
    s.is_borrowed = true;
    add(r, c, w->reach, s);
}

static void read_comment(struct reader *r, const struct comment *c)
{
    static const char mark[] = "miscast:";
    const char *end = c->text + c->length, *at = skip_blanks(r, c->text, end);
    if ((size_t)(end - at) >= sizeof mark - 1 && !memcmp(at, mark, sizeof mark - 1)) {
        read_ours(r, c, skip_blanks(r, at + sizeof mark - 1, end), end);
        return;
    }
    for (at = c->text; at < end; at++)
        if ((at == c->text || !is_letter(at[-1])) && word_at(r->linter_words, at, end)) {
            (r->source->language->lists_codes ? read_codes : read_foreign)(r, c, at, end);
            return;
        }
}

void suppressions_find(struct arena *a, const struct source *s, suppression_list *out)
{
    comment_list comments = {0};
    comments_find(a, s, &comments);
    struct reader r = {.arena = a,
                       .source = s,
                       .comments = &comments,
                       .out = out,
                       .fill = s->language->comment_fill,
                       .linter_words = s->language->linter_words};
    int first = out->count;
    for (int i = 0; i < comments.count; i++)
        read_comment(&r, &comments.items[i]);
    for (int i = first; i < out->count; i++) {
        struct suppression *open = &out->items[i];
        if (open->last == INT_MAX && open->first != 1 && !open->foreign)
            open->wrong = "has no end";
    }
}

/* ---- findings ------------------------------------------------------------------------------- */

static bool is_here(const struct suppression *s, const struct finding *f)
{
    bool first = f->span.line >= s->first && f->span.line <= s->last;
    bool last = f->span.end_line >= s->first && f->span.end_line <= s->last;
    bool around = s->is_within && f->span.line <= s->first && f->span.end_line >= s->last;
    return (first || last || around) && (!s->wrong || s->last == INT_MAX) &&
           !strcmp(s->file, f->span.file);
}

static bool covers(struct suppression *s, const struct finding *f,
                   bool (*matches)(const char *word, const struct finding *f))
{
    bool covered = !s->rules.count;
    if (!is_here(s, f))
        return false;
    for (int i = 0; i < s->rules.count; i++)
        if (matches(s->rules.items[i], f)) {
            covered = true;
            s->used_rules |= (uint64_t)1 << (i & 63);
        }
    s->used |= covered;
    return covered;
}

bool suppressions_cover(suppression_list *l, const struct finding *f,
                        bool (*matches)(const char *word, const struct finding *f))
{
    bool covered = false;
    for (int i = 0; i < l->count; i++)
        covered |= covers(&l->items[i], f, matches);
    return covered;
}
