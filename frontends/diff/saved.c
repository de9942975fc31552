/* Saved results: the output of 'miscast check --format json' comes in, findings go out, as far as
 * reports need them. */
#include "frontends/diff/diff.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A commit can have any name, but hardly that of a file that starts like JSON. */
bool is_saved(const char *path)
{
    struct error ignored;
    char first = '\0';
    int fd = file_is_regular(path, &ignored) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && read(fd, &first, 1) < 1)
        first = '\0';
    if (fd >= 0)
        close(fd);
    return first == '{';
}

static const char *text_at(struct side *s, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);
    return json_is_string(value)
               ? arena_text(s->arena, json_string_value(value), json_string_length(value))
               : NULL;
}

static int number_at(const json_t *o, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(o, key));
    return n > 0 && n < INT32_MAX ? (int)n : 0;
}

/* Paths are relative to the root there, and to the current folder here. */
static struct span span_at(struct side *s, const json_t *o)
{
    struct checking *c = &s->check;
    const char *file = text_at(s, o, "file");
    if (!file)
        return (struct span){0};
    const char *path = *file == '/' ? file : arena_printf(c->arena, "%s/%s", c->root, file);
    return (struct span){name_of(c->project.names, path_below(s->here, path)), number_at(o, "line"),
                         number_at(o, "column"), number_at(o, "end_line"),
                         number_at(o, "end_column")};
}

static void read_lineage(struct side *s, const json_t *lineage, struct finding *f)
{
    size_t i;
    const json_t *o;
    json_array_foreach(lineage, i, o)
    {
        struct origin origin = {.what = text_at(s, o, "what"),
                                .span = span_at(s, o),
                                .source = text_at(s, o, "source"),
                                .when = text_at(s, o, "when"),
                                .called = span_at(s, json_object_get(o, "called_from"))};
        if (origin.what && origin.source)
            LIST_ADD(s->arena, &f->origins, origin);
    }
}

static bool read_finding(struct side *s, const json_t *o, struct finding *f)
{
    const char *code = text_at(s, o, "code"), *severity = text_at(s, o, "severity");
    const char *print = text_at(s, o, "fingerprint"), *function = text_at(s, o, "function");
    const struct rule *rule = code ? rule_find(code) : NULL;
    char *end = NULL;
    *f = (struct finding){.span = span_at(s, o),
                          .message = text_at(s, o, "message"),
                          .function = function ? function : "",
                          .identity = print ? strtoull(print, &end, 16) : 0};
    if (!rule || !severity || !severity_named(severity, &f->severity) || !f->span.line ||
        !f->message || !print || end != print + 16 || *end)
        return false;
    f->code = rule->code;
    f->rule = rule->name;
    read_lineage(s, json_object_get(o, "lineage"), f);
    return true;
}

static bool read_all(struct side *s, const json_t *all, struct error *e)
{
    const json_t *findings = json_object_get(all, "findings"), *o;
    struct checking *c = &s->check;
    size_t i;
    if (!json_is_array(findings))
        return error_at(e, s->name, 0, 0, "is not what 'check --format json' writes");
    json_array_foreach(findings, i, o)
    {
        struct finding *f = arena_one(c->arena, struct finding);
        if (!read_finding(s, o, f))
            return error_at(e, s->name, 0, 0, "finding %zu is not what this miscast writes", i + 1);
        LIST_ADD(c->arena, &c->findings, f);
    }
    return true;
}

bool saved_read(struct side *s, struct error *e)
{
    const text_list none = {0};
    json_error_t wrong;
    if (!check_configure(&s->check, &s->request, ".", e) ||
        !project_ask(&s->check.project, &s->check.effective, &none, e))
        return false;
    size_t length;
    const char *text = file_read_kind(s->arena, s->name, FILE_RESULTS, &length, e);
    if (!text)
        return false;
    json_t *all = json_loadb(text, length, 0, &wrong);
    bool ok = all ? read_all(s, all, e)
                  : error_at(e, s->name, wrong.line, wrong.column, "%s", wrong.text);
    json_decref(all);
    return ok;
}
