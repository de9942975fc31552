/* An input comes in with what a run did with it; inputs go out that differ in one thing each: a
 * word is the one that it was compared with, a number one that the program compares, a variable
 * that it asked for is set, a file that it opened is there; or there is one word, letter or line
 * more. */
#include "analyzer/verify/guide.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Letters that programs seldom compare by themselves. */
#define ANY "ANY"

const char *any_text(struct arena *a, int number)
{
    return arena_printf(a, ANY "%d", number);
}

char *any_in(const char *text)
{
    for (const char *at = text; (at = strstr(at, ANY)); at++)
        if (isdigit((unsigned char)at[strlen(ANY)]))
            return (char *)(uintptr_t)at;
    return NULL;
}

char *any_end(const char *any)
{
    const char *at = any + strlen(ANY);
    return (char *)(uintptr_t)(at + strspn(at, "0123456789"));
}

struct change {
    struct arena *arena;
    const struct input *from;
    struct input made; /* the same, for what is made of it */
    const struct input_hints *hints;
    input_list *out;
};

/* The texts of the input, words first. */
static const char **text_at(struct input *i, int k)
{
    int variable = k - i->word_count, file = variable - i->variable_count;
    return variable < 0 ? &i->words[k] : file < 0 ? &i->values[variable] : &i->contents[file];
}

static int text_count(const struct input *i)
{
    return i->word_count + i->variable_count + i->file_count;
}

/* One that is in no text of the input. */
static const char *another(const struct change *c)
{
    int most = 0;
    struct input i = *c->from;
    for (int k = 0; k < text_count(&i); k++)
        for (const char *at = *text_at(&i, k); (at = any_in(at)); at++)
            if (atoi(at + strlen(ANY)) > most)
                most = atoi(at + strlen(ANY));
    return any_text(c->arena, most + 1);
}

static const char *replaced(const struct change *c, const char *text, const char *part,
                            const char *by)
{
    const char *at = strstr(text, part);
    return arena_printf(c->arena, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
}

/* The inputs in which a text that was read is another. */
static void put(const struct change *c, const char *part, const char *by)
{
    for (int k = 0; k < text_count(&c->made); k++) {
        struct input n = c->made;
        const char **text = text_at(&n, k);
        if (!strstr(*text, part))
            continue;
        *text = replaced(c, *text, part, by);
        LIST_ADD(c->arena, c->out, n);
    }
}

/* ---- what it is compared with ---------------------------------------------------------------- */

static void compare(const struct change *c, const char *part, const char *with, int64_t length)
{
    if (!*part || !with || !*with || !has_any(part))
        return;
    bool begins = length > 0 && (size_t)length <= strlen(with);
    if (begins) {
        const char *start = arena_text(c->arena, with, (size_t)length), *rest = another(c);
        put(c, part, arena_printf(c->arena, "%s=%s", start, rest));
        put(c, part, arena_printf(c->arena, "%s%s", start, rest));
        with = start;
    }
    put(c, part, with);
}

/* A part of a text that stands for anything. */
static const char *any_part(const struct change *c, const char *text)
{
    const char *at = any_in(text);
    return at ? arena_text(c->arena, at, (size_t)(any_end(at) - at)) : NULL;
}

static void contain(const struct change *c, const char *text, const char *part)
{
    const char *any = any_part(c, text);
    if (any && *part)
        put(c, any, part);
}

/* It consists of these letters. */
static void consist(const struct change *c, const char *text, const char *letters)
{
    if (!has_any(text) || !*letters)
        return;
    for (int count = 1; count <= 3; count++)
        put(c, text,
            arena_printf(c->arena, "%.*s", count, (char[]){*letters, *letters, *letters, 0}));
}

/* There are several texts in it. */
static void split(const struct change *c, const char *text, const char *between)
{
    size_t length = strcspn(text, "\n");
    const char *line = arena_text(c->arena, text, length);
    if (*line && *between && (has_any(line) || !strchr(line, *between)) && !isspace(*between)) {
        put(c, line, arena_printf(c->arena, "%s%c%s", line, *between, another(c)));
        put(c, line, arena_printf(c->arena, "%s%c%s", another(c), *between, line));
    }
    if (*line && strchr(line, *between) && !has_any(line))
        put(c, line, arena_printf(c->arena, "%s%c%s", line, *between, another(c)));
}

static void count(const struct change *c, const char *part)
{
    for (int i = 0; has_any(part) && i < c->hints->numbers.count; i++)
        put(c, part, c->hints->numbers.items[i]);
}

/* ---- formats --------------------------------------------------------------------------------- */

enum { FIELDS = 6 };
struct scan_field {
    const char *before; /* the text in front of it */
    size_t length;
    const char *value;
    bool is_number;
};

/* "%31[^=]=%d": two fields, of which the second is a number. */
static int read_format(const struct change *c, const char *format, struct scan_field *fields,
                       const char **after)
{
    int n = 0;
    const char *at = format, *before = at;
    while (n < FIELDS && (at = strchr(at, '%'))) {
        size_t length = (size_t)(at - before);
        at++;
        bool skipped = *at == '*';
        at += skipped + strspn(at + skipped, "0123456789hlLjzt");
        bool number = *at && strchr("diuxoXfgeE", *at);
        if (*at == '%') {
            at++;
            continue;
        }
        if (*at == '[') {
            at += at[1] == '^' ? 2 : 1;
            at += *at == ']';
            at += strcspn(at, "]");
        }
        at += *at != '\0';
        const char *value = number ? "1" : any_text(c->arena, 7 + n);
        fields[n++] = (struct scan_field){before, length, value, number};
        before = at;
    }
    *after = before;
    return n;
}

/* What the text has in these fields now. */
static void read_fields(const struct change *c, const char *text, struct scan_field *fields, int n)
{
    const char *values[FIELDS];
    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < fields[i].length; k++) {
            if (isspace((unsigned char)fields[i].before[k]))
                text += strspn(text, " \t\n");
            else if (*text++ != fields[i].before[k])
                return;
        }
        size_t length = fields[i].is_number ? strspn(text, "-+.0123456789") : 0;
        if (fields[i].is_number && i + 1 < n && *fields[i + 1].before == '.')
            length = strspn(text, "-+0123456789");
        else if (!fields[i].is_number)
            length = i + 1 < n && fields[i + 1].length
                         ? strcspn(text, (char[]){*fields[i + 1].before, '\n', '\0'})
                         : strcspn(text, " \t\n");
        if (!length)
            return;
        values[i] = arena_text(c->arena, text, length);
        text += length;
    }
    for (int i = 0; i < n; i++)
        fields[i].value = values[i];
}

static const char *written(const struct change *c, const struct scan_field *fields, int n,
                           const char *after)
{
    struct text t = {0};
    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < fields[i].length; k++)
            text_add(&t, isspace((unsigned char)fields[i].before[k])
                             ? (k ? "" : " ")
                             : (char[]){fields[i].before[k], '\0'});
        text_add(&t, fields[i].value);
    }
    text_add(&t,
             strcspn(after, "%") == strlen(after) && !isspace((unsigned char)*after) ? after : "");
    const char *kept = arena_printf(c->arena, "%s", t.length ? t.data : "");
    text_free(&t);
    return kept;
}

/* The text becomes one of that form; then its numbers become others. */
static void scan(const struct change *c, const char *text, const char *format)
{
    struct scan_field fields[FIELDS];
    const char *after;
    int n = read_format(c, format, fields, &after);
    size_t length = strcspn(text, "\n");
    const char *line = arena_text(c->arena, text, length);
    if (!n || !*line)
        return;
    read_fields(c, line, fields, n);
    if (has_any(line)) {
        struct change form = *c;
        form.made.is_guess = false;
        put(&form, line, written(c, fields, n, after));
    }
    for (int i = 0; i < n; i++) {
        const char *kept = fields[i].value;
        for (int k = 0; fields[i].is_number && k < c->hints->numbers.count; k++) {
            fields[i].value = c->hints->numbers.items[k];
            put(c, line, written(c, fields, n, after));
        }
        fields[i].value = kept;
    }
}

/* ---- what else it reads ---------------------------------------------------------------------- */

static void set_variable(const struct change *c, const char *name)
{
    struct input n = c->made;
    for (int i = 0; i < n.variable_count; i++)
        if (!strcmp(n.names[i], name))
            return;
    if (n.variable_count == INPUT_PAIRS || !*name || strchr(name, '='))
        return;
    n.names[n.variable_count] = name;
    const char *values[] = {another(c), "1"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct input set = n;
        set.values[set.variable_count++] = values[i];
        LIST_ADD(c->arena, c->out, set);
    }
}

/* Not outside of the folder where it starts. */
static void add_file(const struct change *c, const char *name)
{
    struct input n = c->made;
    bool known = n.file_count == INPUT_FILES || !*name || *name == '/' || strstr(name, "..");
    for (int i = 0; i < n.file_count && !known; i++)
        known = !strcmp(n.files[i], name);
    if (known)
        return;
    n.files[n.file_count] = name;
    n.contents[n.file_count++] = arena_printf(c->arena, "%s\n", another(c));
    LIST_ADD(c->arena, c->out, n);
}

/* ---- more of it ------------------------------------------------------------------------------ */

static void add_words(const struct change *c, const char *first, const char *second)
{
    struct input n = c->made;
    if (n.word_count + 2 > INPUT_WORDS)
        return;
    n.words[n.word_count++] = first;
    if (second)
        n.words[n.word_count++] = second;
    LIST_ADD(c->arena, c->out, n);
}

/* An option with a value: any, and numbers, since what takes it for one may be behind a check. */
static void add_option(const struct change *c, const char *name, bool has_value)
{
    add_words(c, name, has_value ? another(c) : NULL);
}

static bool is_any(const char *text)
{
    return has_any(text) && !strncmp(text, ANY, strlen(ANY));
}

/* What a text can be with a letter: it, if the text stands for anything, or at one of its ends. */
static int with_letter(const struct change *c, const char *text, const char *letter,
                       const char *out[3])
{
    enum { MOST_LENGTH = 6 };
    size_t length = strcspn(text, "\n");
    if (is_any(text)) {
        out[0] = arena_printf(c->arena, "%s%s", letter, any_end(text));
        out[1] = arena_printf(c->arena, "-%s%s", letter, any_end(text));
        bool dashes = false;
        for (int i = 0; i < c->hints->marks.count; i++)
            dashes |= *c->hints->marks.items[i] == '-';
        return dashes ? 2 : 1;
    }
    if (has_any(text) || length > MOST_LENGTH)
        return 0;
    out[0] = arena_printf(c->arena, "%.*s%s%s", (int)length, text, letter, text + length);
    out[1] = arena_printf(c->arena, "%s%s", letter, text);
    return *text == '-' ? 1 : 2;
}

static void add_letters(const struct change *c)
{
    for (int k = 0; k < text_count(c->from); k++)
        for (int i = 0; i < c->hints->letters.count; i++) {
            struct input n = c->made;
            const char *made[3];
            int count = with_letter(c, *text_at(&n, k), c->hints->letters.items[i], made);
            for (int m = 0; m < count; m++) {
                *text_at(&n, k) = made[m];
                LIST_ADD(c->arena, c->out, n);
            }
        }
}

/* A text that stands for anything, behind another character. */
static void add_marks(const struct change *c)
{
    for (int k = 0; k < text_count(c->from); k++)
        for (int i = 0; i < c->hints->marks.count; i++) {
            struct input n = c->made;
            if (!is_any(*text_at(&n, k)))
                continue;
            *text_at(&n, k) =
                arena_printf(c->arena, "%s%s", c->hints->marks.items[i], *text_at(&n, k));
            LIST_ADD(c->arena, c->out, n);
        }
}

static void add_more(const struct change *c)
{
    const char *first = another(c);
    const char *second = any_text(c->arena, atoi(first + strlen(ANY)) + 1);
    add_words(c, first, NULL);
    add_words(c, first, second);
    add_words(c, arena_printf(c->arena, "--%s", first), NULL);
    for (int i = 0; i < c->hints->marks.count && i < 3; i++)
        add_words(c, arena_printf(c->arena, "%s%s", c->hints->marks.items[i], first), NULL);
    for (int k = 0; k < c->from->file_count; k++) {
        struct input n = c->made;
        size_t length = strlen(n.contents[k]);
        bool ends = !length || n.contents[k][length - 1] == '\n';
        n.contents[k] = arena_printf(c->arena, "%s%s%s\n", n.contents[k], ends ? "" : "\n", first);
        if (!has_any(c->from->contents[k]))
            LIST_ADD(c->arena, c->out, n);
    }
}

void input_changes(struct arena *a, const struct input *from, const struct input_hints *h,
                   input_list *out)
{
    struct change c = {a, from, *from, h, out};
    for (int i = 0; i < from->use_count; i++) {
        const struct input_use *u = &from->uses[i];
        if (!strcmp(u->what, "compare")) {
            compare(&c, u->text, u->with, u->length);
            if (u->with)
                compare(&c, u->with, u->text, u->length);
        } else if (!strcmp(u->what, "contain") && u->with) {
            contain(&c, u->text, u->with);
        } else if (!strcmp(u->what, "letters") && u->with) {
            consist(&c, u->text, u->with);
        } else if (!strcmp(u->what, "split") && u->with) {
            split(&c, u->text, u->with);
        } else if (!strcmp(u->what, "variable")) {
            set_variable(&c, u->text);
        } else if (!strcmp(u->what, "file")) {
            add_file(&c, u->text);
        } else if (!strcmp(u->what, "option") && u->with) {
            add_option(&c, u->with, u->length);
        }
    }
    add_more(&c);
    add_marks(&c);
    c.made.is_guess = true;
    for (int i = 0; i < from->use_count; i++) {
        const struct input_use *u = &from->uses[i];
        if (!strcmp(u->what, "number"))
            count(&c, u->text);
        else if (!strcmp(u->what, "scan") && u->with)
            scan(&c, u->text, u->with);
    }
    add_letters(&c);
}
