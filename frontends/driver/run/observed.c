/* The lines that the runtime wrote come in, findings go out. A line of a C program has a source
 * line and no column: the call is searched for in it. Python knows where the expression is. */
#include "frontends/driver/run/run.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct kind {
    const char *name, *begins;
};

static const struct kind kinds[] = {
#define LOSS(name, code, rule, begins, summary) {name, begins},
#include "frontends/driver/run/losses.def"
#undef LOSS
};

const struct rule loss_rules[] = {
#define LOSS(kind, id, rule, begins, text)                                                         \
    {.code = id, .name = rule, .group = GROUP_RANGE, .on = true, .summary = text, .doc = text},
#include "frontends/driver/run/losses.def"
#undef LOSS
};
const int loss_rule_count = sizeof loss_rules / sizeof *loss_rules;

/* ---- values of a line ---------------------------------------------------------------------- */

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static int64_t int_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static double number_of(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static const char *dims_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *dims = json_object_get(o, key);
    struct text out = {0};
    text_add(&out, "[");
    for (size_t i = 0; i < json_array_size(dims); i++)
        text_printf(&out, "%s%lld", i ? ", " : "",
                    (long long)json_integer_value(json_array_get(dims, i)));
    text_add(&out, "]");
    const char *text = arena_text(a, out.data, out.length);
    text_free(&out);
    return text;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Compilers run in a build folder, often one above the program: relative paths start there. */
static const char *file_of(struct observed *o, const char *given)
{
    struct arena *a = o->arena;
    if (access(given, R_OK) == 0 || given[0] == '/')
        return given;
    char *folder = arena_printf(a, "%s", path_resolve(a, o->program));
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        char *path = path_absolute(a, *folder ? folder : "/", given);
        if (access(path, R_OK) == 0)
            return path;
    }
    return given;
}

/* Below the current folder, files are named from there. */
static const char *shown_file(struct observed *o, const char *given)
{
    const char *file = file_of(o, given), *here = path_resolve(o->arena, ".");
    size_t n = here ? strlen(here) : 0;
    return n && !strncmp(file, here, n) && file[n] == '/' ? file + n + 1 : file;
}

/* The call of the op in the line: mc_NAME; else all of the line. */
static void find_call(const char *line, size_t length, const char *op, struct span *s)
{
    size_t from = 0, to = length;
    while (from < length && (line[from] == ' ' || line[from] == '\t'))
        from++;
    for (size_t i = 0; *op && i + 3 + strlen(op) <= length; i++)
        if (!strncmp(line + i, "mc_", 3) && !strncmp(line + i + 3, op, strlen(op)) &&
            (i + 3 + strlen(op) == length || line[i + 3 + strlen(op)] == '(')) {
            from = i;
            to = i + 3 + strlen(op);
            break;
        }
    s->column = (int)from + 1;
    s->end_column = (int)(to > from ? to : from + 1) + 1;
}

/* The columns that the record has, if they are in the line. */
static bool take_columns(const json_t *site, size_t length, struct span *s)
{
    int64_t column = int_of(site, "column"), end = int_of(site, "end_column");
    int64_t end_line = int_of(site, "end_line");
    if (column < 1 || (size_t)column > length || end_line < s->line || end < 1)
        return false;
    s->column = (int)column;
    s->end_line = (int)end_line;
    s->end_column = (int)end;
    return true;
}

static struct span span_of(struct observed *o, const json_t *site)
{
    struct span s = {.file = shown_file(o, arena_printf(o->arena, "%s", text_of(site, "file"))),
                     .line = (int)int_of(site, "line"),
                     .column = 1,
                     .end_column = 1};
    const struct source *source = sources_get(o->sources, s.file);
    s.end_line = s.line;
    if (source && s.line >= 1 && s.line <= source_lines(source)) {
        size_t length;
        const char *line = source_line(source, s.line, &length);
        if (!take_columns(site, length, &s))
            find_call(line, length, text_of(site, "op"), &s);
    }
    return s;
}

/* The line without the white space around it. */
static const char *line_of(struct observed *o, const struct span *s)
{
    const struct source *source = sources_get(o->sources, s->file);
    size_t length;
    if (!source || s->line < 1 || s->line > source_lines(source))
        return "";
    const char *line = source_line(source, s->line, &length);
    while (length && (*line == ' ' || *line == '\t'))
        line++, length--;
    while (length && strchr(" \t\r;", line[length - 1]))
        length--;
    return arena_text(o->arena, line, length);
}

/* ---- a finding ----------------------------------------------------------------------------- */

static int kind_of(const char *name)
{
    for (int i = 0; i < loss_rule_count; i++)
        if (!strcmp(kinds[i].name, name))
            return i;
    return -1;
}

static const char *percent(struct arena *a, double error)
{
    if (error >= 10)
        return "over 1000%";
    return error == 0 || error >= 1e-4 ? arena_printf(a, "%.3g%%", 100 * error)
                                       : arena_printf(a, "%.2g", error);
}

static const char *message_of(struct arena *a, const struct kind *k, const json_t *line)
{
    const json_t *at = json_object_get(line, "at");
    bool backward = json_is_true(json_object_get(at, "backward"));
    return arena_printf(a, "%s: %s%s gave %s instead of %s in %s", k->begins, text_of(at, "op"),
                        backward ? " (backward)" : "", text_of(line, "got"),
                        text_of(line, "expected"), text_of(line, "dtype"));
}

static struct observation *observation_of(struct arena *a, const json_t *line)
{
    struct observation *o = arena_alloc(a, sizeof *o);
    int64_t of = int_of(line, "of"), times = int_of(line, "times");
    struct text out = {0};
    *o = (struct observation){.got = arena_printf(a, "%s", text_of(line, "got")),
                              .expected = arena_printf(a, "%s", text_of(line, "expected")),
                              .introduced = number_of(line, "introduced"),
                              .inherited = number_of(line, "inherited"),
                              .elements = int_of(line, "elements"),
                              .of = of,
                              .times = times};
    if (of > 1)
        text_printf(&out, "element %s of %s, %lld of %lld elements; ", dims_of(a, line, "index"),
                    dims_of(a, line, "shape"), (long long)o->elements, (long long)of);
    if (times > 1)
        text_printf(&out, "%lld times; ", (long long)times);
    text_printf(&out, "error introduced here %s, inherited %s", percent(a, o->introduced),
                percent(a, o->inherited));
    o->text = arena_text(a, out.data, out.length);
    text_free(&out);
    return o;
}

static void add_origin(struct observed *o, struct finding *f, const json_t *site, const char *what)
{
    if (!json_is_object(site))
        return;
    struct origin origin = {.what = what, .span = span_of(o, site)};
    origin.source = line_of(o, &origin.span);
    LIST_ADD(o->arena, &f->origins, origin);
}

static void add_finding(struct observed *o, const json_t *line, int kind)
{
    struct arena *a = o->arena;
    struct finding *f = arena_alloc(a, sizeof *f);
    const json_t *at = json_object_get(line, "at");
    *f = (struct finding){.code = loss_rules[kind].code,
                          .rule = loss_rules[kind].name,
                          .severity = SEVERITY_WARNING,
                          .span = span_of(o, at),
                          .function = arena_printf(a, "%s", text_of(at, "function")),
                          .message = message_of(a, &kinds[kind], line),
                          .observed = observation_of(a, line)};
    add_origin(o, f, json_object_get(line, "since"),
               arena_printf(a, "it became %s", text_of(line, "dtype")));
    add_origin(o, f, json_object_get(line, "from"), "its operand's error came from");
    f->line = line_of(o, &f->span);
    f->identity = finding_identity(f->rule, f->span.file, f->function, f->line, 0);
    LIST_ADD(a, &o->findings, f);
}

/* ---- all lines ----------------------------------------------------------------------------- */

static void add_coverage(struct observed *o, const json_t *c)
{
    const json_t *names = json_object_get(c, "names");
    o->processes++;
    o->ops += int_of(c, "ops");
    o->kernels += int_of(c, "kernels");
    o->uncovered += int_of(c, "uncovered");
    for (size_t i = 0; i < json_array_size(names); i++)
        LIST_ADD(o->arena, &o->names,
                 arena_printf(o->arena, "%s", json_string_value(json_array_get(names, i))));
}

static double weight(const json_t *line)
{
    return number_of(line, "introduced") + number_of(line, "inherited");
}

/* Processes of one program, such as the workers of a loader, lose the same in the same place: one
 * line stands for all, that of the worst. */
static void add_loss(json_t *losses, json_t *line)
{
    json_t *kind = json_object_get(line, "loss"), *at = json_object_get(line, "at");
    for (size_t i = 0; i < json_array_size(losses); i++) {
        json_t *old = json_array_get(losses, i);
        if (!json_equal(json_object_get(old, "loss"), kind) ||
            !json_equal(json_object_get(old, "at"), at))
            continue;
        json_t *times = json_integer(int_of(old, "times") + int_of(line, "times"));
        if (weight(line) > weight(old))
            json_array_set(losses, i, line);
        json_object_set_new(json_array_get(losses, i), "times", times);
        return;
    }
    json_array_append(losses, line);
}

static void take_line(struct observed *o, json_t *losses, const char *text, size_t length)
{
    json_t *line = json_loadb(text, length, 0, NULL);
    const json_t *coverage = json_object_get(line, "coverage");
    if (json_is_object(coverage))
        add_coverage(o, coverage);
    else if (kind_of(text_of(line, "loss")) >= 0)
        add_loss(losses, line);
    json_decref(line);
}

bool observed_read(struct observed *o, const char *file, struct error *e)
{
    size_t length;
    const char *text = file_read_kind(o->arena, file, FILE_RESULTS, &length, e);
    if (!text)
        return false;
    json_t *losses = json_array();
    for (const char *end = text + length; text < end;) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((next ? next : end) - text);
        take_line(o, losses, text, n);
        text += n + 1;
    }
    for (size_t i = 0; i < json_array_size(losses); i++) {
        const json_t *line = json_array_get(losses, i);
        add_finding(o, line, kind_of(text_of(line, "loss")));
    }
    json_decref(losses);
    return true;
}
