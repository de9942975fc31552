/* [tool.miscast] of a pyproject.toml, as YAML: the text of the file comes in, text with the same
 * lines goes out, which the reader of .miscast.yaml reads. Of TOML, that section may use what our
 * keys need: bare and quoted keys, strings on one line, numbers, arrays, inline tables, and the
 * section [tool.miscast.per-file-ignores]. Everything else in the file is only skipped. */
#include "frontends/driver/config/config.h"

#include <string.h>

struct translation {
    const char *path, *at;
    int line;
    int open;     /* brackets that are not closed */
    bool in_tool; /* in [tool] */
    struct text out;
    struct error *e;
};

static bool refuse(struct translation *t, const char *what)
{
    return error_at(t->e, t->path, t->line, 1, "%s is not read in [tool.miscast]", what);
}

/* The name of the section that the line begins, without blanks and quotes; false: it begins none.
 */
static bool section_at(const char *line, struct text *name)
{
    const char *p = line + strspn(line, " \t");
    if (*p != '[')
        return false;
    for (p++; *p && !strchr("]\n", *p); p++)
        if (!strchr(" \t\"'", *p))
            text_add_range(name, p, 1);
    return *p == ']';
}

static bool is_long_quote(const char *p)
{
    return (*p == '"' || *p == '\'') && p[1] == *p && p[2] == *p;
}

/* A string on one line, with its quotes; 0: it does not end there. */
static size_t string_length(const char *p)
{
    for (size_t n = 1; p[n] && p[n] != '\n'; n++) {
        if (p[n] == '\\' && *p == '"' && p[n + 1])
            n++;
        else if (p[n] == *p)
            return n + 1;
    }
    return 0;
}

static bool add_string(struct translation *t)
{
    size_t n = is_long_quote(t->at) ? 0 : string_length(t->at);
    if (!n)
        return refuse(t, "a string on several lines");
    text_add_range(&t->out, t->at, n);
    t->at += n;
    return true;
}

/* A character outside of strings. */
static void add_character(struct translation *t, char c)
{
    t->open += (c == '[' || c == '{') - (c == ']' || c == '}');
    t->line += c == '\n';
    if (c == '=')
        text_add(&t->out, ": ");
    else if (c == '\t')
        text_add(&t->out, " ");
    else if (c == '\n')
        text_add(&t->out, "\n "); /* within brackets */
    else if (c != '\r')
        text_add_range(&t->out, &c, 1);
    t->at++;
}

/* To the end of the line, or of the value if its brackets are open there. */
static bool add_pair(struct translation *t)
{
    bool has_value = false;
    while (*t->at && (*t->at != '\n' || t->open > 0)) {
        if (!has_value && *t->at == '.')
            return refuse(t, "a key with dots");
        has_value |= *t->at == '=';
        if (*t->at == '#')
            t->at += strcspn(t->at, "\n");
        else if (*t->at != '"' && *t->at != '\'')
            add_character(t, *t->at);
        else if (!add_string(t))
            return false;
    }
    return t->open <= 0 || refuse(t, "a bracket that is not closed");
}

/* A line of another section, with a string that goes on behind it. */
static void skip_line(struct translation *t)
{
    char quote = '\0';
    for (; *t->at && (*t->at != '\n' || quote); t->at++) {
        if (!is_long_quote(t->at) || (quote && quote != *t->at)) {
            t->line += *t->at == '\n';
            text_add(&t->out, *t->at == '\n' ? "\n" : "");
            continue;
        }
        quote = quote ? '\0' : *t->at;
        t->at += 2;
    }
}

enum section { OTHER, OURS, IGNORES, UNKNOWN };

static enum section section_named(const char *name)
{
    static const char ours[] = "tool.miscast";
    if (*name == '[') /* "[[tool.miscast]]": a list of sections */
        return section_named(name + 1) == OTHER ? OTHER : UNKNOWN;
    if (strncmp(name, ours, sizeof ours - 1) != 0)
        return OTHER;
    name += sizeof ours - 1;
    return !*name                               ? OURS
           : !strcmp(name, ".per-file-ignores") ? IGNORES
           : *name == '.'                       ? UNKNOWN
                                                : OTHER;
}

static bool begin_section(struct translation *t, enum section *in)
{
    struct text name = {0};
    bool begins = section_at(t->at, &name);
    const char *first = t->at + strspn(t->at, " \t[");
    if (!begins && name.data && !strchr("\"'", *first) && section_named(name.data) != OTHER)
        *in = UNKNOWN; /* "[tool.miscast": it is not closed */
    if (begins) {
        *in = section_named(name.data ? name.data : "");
        t->in_tool = name.data && !strcmp(name.data, "tool");
        t->at += strcspn(t->at, "\n");
        text_add(&t->out, *in == IGNORES ? "per-file-ignores:" : "");
    }
    text_free(&name);
    return begins;
}

/* "tool.miscast.select = …", or "miscast = {…}" in [tool]. */
static bool is_written_as_key(const struct translation *t)
{
    const char *key = t->in_tool ? "miscast" : "tool.miscast";
    const char *p = t->at + strspn(t->at, " \t");
    return !strncmp(p, key, strlen(key)) && strchr(".= \t", p[strlen(key)]);
}

static bool translate_line(struct translation *t, enum section *in)
{
    bool begins = begin_section(t, in), ok = true;
    if (*in == OTHER && !begins && is_written_as_key(t))
        *in = UNKNOWN;
    if (*in == UNKNOWN)
        return error_at(t->e, t->path, t->line, 1,
                        "unknown section; expected [tool.miscast] or "
                        "[tool.miscast.per-file-ignores]");
    if (*in == OTHER) {
        skip_line(t);
    } else if (!begins) {
        text_add(&t->out, *in == IGNORES ? " " : "");
        ok = add_pair(t);
    }
    text_add(&t->out, "\n");
    t->line++;
    t->at += *t->at == '\n';
    return ok;
}

bool toml_translate(struct arena *a, const char *path, const char *text, const char **out,
                    struct error *e)
{
    struct translation t = {.path = path, .at = text, .line = 1, .e = e};
    enum section in = OTHER;
    bool ok = true, found = false;
    while (*t.at && ok) {
        ok = translate_line(&t, &in);
        found |= in != OTHER;
    }
    *out = found && ok ? arena_text(a, t.out.data ? t.out.data : "", t.out.length) : NULL;
    text_free(&t.out);
    return ok;
}
