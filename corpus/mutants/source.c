/* Reading C as far as planting needs it: names, parentheses, commas, semicolons. */
#include "corpus/mutants/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "plant: no memory\n");
        exit(2);
    }
    return p;
}

static void blank(char *from, char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Behind a literal that begins here. */
static char *literal_end(char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Behind a directive, with the lines that it goes on in. */
static char *directive_end(char *at)
{
    while (*at && (*at != '\n' || at[-1] == '\\'))
        at++;
    return at;
}

static void blank_what_is_no_code(char *code)
{
    bool fresh = true; /* nothing on this line yet */
    for (char *at = code; *at;) {
        char *end = at;
        if (at[0] == '/' && at[1] == '*')
            end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
        else if (at[0] == '/' && at[1] == '/')
            end = at + strcspn(at, "\n");
        else if (*at == '"' || *at == '\'')
            end = literal_end(at);
        else if (*at == '#' && fresh)
            end = directive_end(at);
        if (end > at) {
            blank(at, end);
            at = end;
            continue;
        }
        fresh = *at == '\n' || (fresh && isspace((unsigned char)*at));
        at++;
    }
}

struct source source_read(const char *path)
{
    struct source s = {0};
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 20;
    if (!file) {
        perror(path);
        exit(2);
    }
    s.path = need(strdup(path));
    s.text = need(malloc(room + 1));
    s.size = fread(s.text, 1, room, file);
    s.text[s.size] = 0;
    fclose(file);
    s.code = need(strdup(s.text));
    blank_what_is_no_code(s.code);
    return s;
}

void source_free(struct source *s)
{
    free(s->path);
    free(s->text);
    free(s->code);
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static struct range trimmed(const struct source *s, size_t start, size_t end)
{
    while (start < end && isspace((unsigned char)s->code[start]) &&
           isspace((unsigned char)s->text[start]))
        start++;
    while (end > start && isspace((unsigned char)s->text[end - 1]))
        end--;
    return (struct range){start, end};
}

/* The arguments from behind the opening parenthesis. False: too many, or it is not closed. */
static bool read_arguments(const struct source *s, size_t at, struct call *c)
{
    int depth = 0;
    size_t start = at;
    c->count = 0;
    for (; at < s->size; at++) {
        char now = s->code[at];
        if ((now == ',' && !depth) || (now == ')' && !depth)) {
            if (c->count == MAX_CALL_ARGS)
                return false;
            c->args[c->count++] = trimmed(s, start, at);
            start = at + 1;
        }
        if (now == ')' && !depth) {
            c->all.end = at + 1;
            return true;
        }
        depth += now == '(' || now == '[' || now == '{';
        depth -= now == ')' || now == ']' || now == '}';
    }
    return false;
}

static bool is_keyword(const char *name)
{
    static const char *const words[] = {"if", "for", "while", "switch", "return", "sizeof"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

/* `type name(...)` declares or defines; `return name(...)` and `= name(...)` call. */
static bool is_declared(const struct source *s, const struct call *c)
{
    size_t at = c->all.start;
    while (at && isspace((unsigned char)s->code[at - 1]))
        at--;
    if (!at || !(is_name(s->code[at - 1]) || s->code[at - 1] == '*'))
        return false;
    size_t line = at;
    while (line && s->code[line - 1] != '\n')
        line--;
    return !isspace((unsigned char)s->code[line]); /* in the first column: outside of functions */
}

bool source_next_call(const struct source *s, size_t from, struct call *c)
{
    for (size_t at = from; at < s->size; at++) {
        if (!is_name(s->code[at]) || (at && is_name(s->code[at - 1])))
            continue;
        size_t end = at;
        while (is_name(s->code[end]))
            end++;
        size_t length = end - at;
        if (s->code[end] != '(' || length >= MAX_NAME)
            continue;
        memcpy(c->name, s->code + at, length);
        c->name[length] = 0;
        c->all.start = at;
        if (!is_keyword(c->name) && read_arguments(s, end + 1, c) && !is_declared(s, c))
            return true;
    }
    return false;
}

struct range source_statement(const struct source *s, size_t at)
{
    size_t start = at, end = at;
    while (start && !strchr(";{}", s->code[start - 1]))
        start--;
    while (end < s->size && s->code[end] != ';')
        end++;
    while (start < at && isspace((unsigned char)s->code[start]))
        start++;
    return (struct range){start, end < s->size ? end + 1 : end};
}

bool source_is_statement(const struct source *s, const struct call *c)
{
    size_t before = c->all.start;
    bool lines = false;
    while (before && isspace((unsigned char)s->code[before - 1]))
        lines |= s->code[--before] == '\n';
    bool begins = before && (strchr(";{}", s->code[before - 1]) ||
                             (lines && s->code[before - 1] == ')')); /* of a loop or a condition */
    return begins && c->all.end < s->size && s->code[c->all.end] == ';';
}

int source_line(const struct source *s, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at && i < s->size; i++)
        line += s->text[i] == '\n';
    return line;
}
