/* Notebooks (.ipynb, JSON) as programs: the code of all cells, in order. Each begins with a comment
 * that has its number, from which places in a cell are found again. Lines that are no Python, such
 * as "%matplotlib inline", become statements that do nothing, so that all other lines stay where
 * they are. */
#include "analyzer/base/base.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "# %% cell ";

bool is_notebook(const char *path)
{
    return path_ends_in(path, ".ipynb");
}

/* ---- what is no Python ----------------------------------------------------------------------- */

/* Where the scan of a cell is: lines in brackets and in long strings are Python, whatever they
 * begin with. */
struct scan {
    int depth;
    char quote; /* of a string that spans lines; 0: in none */
    bool joined;
    bool is_command; /* the line before was one, and goes on in this */
};

static bool opens_long(const char *at, const char *end)
{
    return end - at >= 3 && at[0] == at[1] && at[1] == at[2];
}

/* Behind the short string that begins there. */
static const char *skip_string(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

static void scan_line(struct scan *s, const char *at, const char *end)
{
    while (at < end) {
        bool is_quote = *at == '"' || *at == '\'';
        if (s->quote) {
            bool ends = *at == s->quote && opens_long(at, end);
            at += ends ? 3 : *at == '\\' && at + 1 < end ? 2 : 1;
            s->quote = ends ? 0 : s->quote;
        } else if (is_quote && opens_long(at, end)) {
            s->quote = *at;
            at += 3;
        } else if (is_quote) {
            at = skip_string(at, end);
        } else if (*at == '#') {
            break;
        } else {
            s->depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
            at++;
        }
    }
    s->joined = !s->quote && end[-1] == '\\';
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "files = !ls": how much of it is before the command; 0: it is something else. */
static size_t assigned_from(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && (is_name_part(*at) || strchr(" \t,", *at)))
        at++;
    if (at == from || at >= end || *at != '=')
        return 0;
    const char *value = at + 1;
    while (value < end && *value == ' ')
        value++;
    return value < end && (*value == '!' || *value == '%') ? (size_t)(at + 1 - from) : 0;
}

static bool begins(const char *at, const char *end, const char *with)
{
    return (size_t)(end - at) >= strlen(with) && !strncmp(at, with, strlen(with));
}

static bool is_simple_statement(const char *at, const char *end)
{
    static const char *const others[] = {"-", "for ", "while ", "if ", "with ", "try:", "def "};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(at, end, others[i]))
            return false;
    return at < end;
}

/* "%time y = f(x)", which runs what is behind it: how much of it is before that; 0: it is something
 * else, or has options. */
static size_t timed_from(const char *at, const char *end)
{
    size_t length = begins(at, end, "%time ") ? strlen("%time ") : 0;
    return length && is_simple_statement(at + length, end) ? length : 0;
}

/* In place of a command: what is behind it keeps its column. */
static void add_command(struct text *out, const char *at, const char *end)
{
    size_t timed = timed_from(at, end);
    if (timed) {
        text_printf(out, "%-*s", (int)timed, "pass;");
        text_add_range(out, at + timed, (size_t)(end - at) - timed);
    } else {
        text_add(out, "pass  # ");
        text_add_range(out, at, (size_t)(end - at));
    }
}

/* Writes the line as Python, if it is none; else as it is. */
static void add_line(struct text *out, struct scan *s, const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t before = (size_t)(at - line);
    bool is_first = !s->depth && !s->quote && !s->joined && at < end;
    bool goes_on = s->is_command;
    s->is_command = false;
    if (goes_on || (is_first && (strchr("%!?", *at) || end[-1] == '?'))) {
        text_add_range(out, line, goes_on ? 0 : before);
        if (goes_on)
            text_add(out, "# ");
        else
            add_command(out, at, end);
        s->is_command = at < end && end[-1] == '\\';
        return;
    }
    size_t name = is_first ? assigned_from(at, end) : 0;
    if (name) {
        text_add_range(out, line, before + name);
        text_add(out, " get_ipython()");
        s->is_command = end[-1] == '\\';
        return;
    }
    text_add_range(out, line, length);
    if (length)
        scan_line(s, line, end);
}

/* A cell in another language, as its first line says: "%%bash". */
static bool is_foreign(const char *code)
{
    static const char *const python[] = {"time", "timeit", "capture", "prun", "python", "python3"};
    while (strchr(" \t\n", *code) && *code)
        code++;
    if (strncmp(code, "%%", 2) != 0)
        return false;
    size_t n = strcspn(code + 2, " \t\r\n");
    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        if (strlen(python[i]) == n && !strncmp(code + 2, python[i], n))
            return false;
    return true;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A text, or a list of lines. */
static void add_source(struct text *out, const json_t *source)
{
    if (json_is_string(source))
        text_add_range(out, json_string_value(source), json_string_length(source));
    for (size_t i = 0; json_is_array(source) && i < json_array_size(source); i++) {
        const json_t *line = json_array_get(source, i);
        if (json_is_string(line))
            text_add_range(out, json_string_value(line), json_string_length(line));
    }
}

static void add_cell(struct text *out, const char *code, int number)
{
    struct scan s = {0};
    bool foreign = is_foreign(code);
    text_printf(out, "%s%d\n", mark, number);
    while (*code) {
        size_t length = strcspn(code, "\n");
        bool forged = !strncmp(code, mark, strlen(mark));
        if (!foreign && !forged)
            add_line(out, &s, code, length);
        text_add(out, "\n");
        code += length + (code[length] == '\n');
    }
}

static void add_cells(struct text *out, const json_t *cells, const char *key)
{
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        const char *kind = json_string_value(json_object_get(cell, "cell_type"));
        struct text code = {0};
        if (!kind || strcmp(kind, "code") != 0)
            continue;
        add_source(&code, json_object_get(cell, key));
        if (code.length && !memchr(code.data, '\0', code.length))
            add_cell(out, code.data, (int)i + 1);
        text_free(&code);
    }
}

/* NULL: it does not say. */
static const char *language_of(const json_t *notebook)
{
    const json_t *about = json_object_get(notebook, "metadata");
    const char *name =
        json_string_value(json_object_get(json_object_get(about, "language_info"), "name"));
    return name ? name
                : json_string_value(
                      json_object_get(json_object_get(about, "kernelspec"), "language"));
}

const char *notebook_code(struct arena *a, const char *path, const char *json, size_t *length,
                          struct error *e)
{
    json_error_t wrong;
    struct text out = {0};
    json_t *notebook = json_loadb(json, *length, JSON_ALLOW_NUL, &wrong);
    if (!notebook) {
        error_at(e, path, wrong.line, wrong.column + !wrong.column, "not a notebook: %s",
                 wrong.text);
        return NULL;
    }
    const char *language = language_of(notebook);
    const json_t *cells = json_object_get(notebook, "cells"); /* since version 4 of the format */
    const json_t *sheet = json_array_get(json_object_get(notebook, "worksheets"), 0);
    bool is_python = !language || !strcmp(language, "python") || !strcmp(language, "ipython");
    bool ok = json_is_array(cells) || json_is_object(sheet);
    if (!ok)
        error_at(e, path, 0, 0, "not a notebook: it has no cells");
    if (is_python && json_is_array(cells))
        add_cells(&out, cells, "source");
    else if (is_python)
        add_cells(&out, json_object_get(sheet, "cells"), "input");
    json_decref(notebook);
    char *text = ok ? arena_text(a, out.data ? out.data : "", out.length) : NULL;
    *length = out.length;
    text_free(&out);
    return text;
}

int notebook_cell(const char *line, size_t length)
{
    size_t n = strlen(mark);
    return length > n && !strncmp(line, mark, n) ? atoi(line + n) : 0;
}
