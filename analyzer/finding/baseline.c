/* The baseline: known findings, which are not reported again. A JSON file that is committed with
 * the code, in an order that does not depend on line numbers, so that it changes only where
 * findings do. */
#include "analyzer/finding/finding.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VERSION = 1 };

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_text(struct arena *a, const json_t *object, const char *key, const char **out)
{
    const json_t *value = json_object_get(object, key);
    *out = value && json_is_string(value)
               ? arena_text(a, json_string_value(value), json_string_length(value))
               : NULL;
    return *out;
}

static bool read_entry(struct baseline *b, const json_t *object, int number, struct error *e)
{
    struct baseline_entry n = {0};
    const json_t *occurrence = json_object_get(object, "occurrence");
    bool whole = json_is_object(object) && read_text(b->arena, object, "rule", &n.rule) &&
                 read_text(b->arena, object, "file", &n.file) &&
                 read_text(b->arena, object, "function", &n.function) &&
                 read_text(b->arena, object, "line", &n.line) &&
                 (!occurrence || json_is_integer(occurrence));
    if (!whole)
        return error_at(e, b->path, 0, 0,
                        "entry %d is not an object with rule, file, function, line and occurrence",
                        number);
    read_text(b->arena, object, "message", &n.message);
    n.message = n.message ? n.message : "";
    n.occurrence = occurrence ? (int)json_integer_value(occurrence) : 0;
    n.identity = finding_identity(n.rule, n.file, n.function, n.line, n.occurrence);
    LIST_ADD(b->arena, &b->entries, n);
    return true;
}

static bool read_root(struct baseline *b, const json_t *root, struct error *e)
{
    const json_t *version = json_object_get(root, "version");
    const json_t *findings = json_object_get(root, "findings");
    if (!json_is_integer(version) || json_integer_value(version) != VERSION)
        return error_at(e, b->path, 0, 0, "is not a baseline of version %d", VERSION);
    if (!json_is_array(findings))
        return error_at(e, b->path, 0, 0, "has no list of findings");
    for (size_t i = 0; i < json_array_size(findings); i++)
        if (!read_entry(b, json_array_get(findings, i), (int)i + 1, e))
            return false;
    return true;
}

/* Once all entries are read: the list no longer moves. */
static void index_entries(struct baseline *b)
{
    b->by_identity = map_new(b->arena);
    for (int i = 0; i < b->entries.count; i++)
        map_put(b->by_identity, b->entries.items[i].identity, &b->entries.items[i]);
}

bool baseline_read(struct arena *a, const char *path, struct baseline *b, struct error *e)
{
    size_t length;
    json_error_t wrong;
    struct stat st;
    *b = (struct baseline){.arena = a, .path = path};
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) /* reading it might never end */
        return error_at(e, path, 0, 0, "is not a regular file");
    const char *text = file_read_kind(a, path, FILE_RESULTS, &length, e);
    if (!text)
        return false;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
    if (!root)
        return error_at(e, path, wrong.line, wrong.column, "is not valid JSON: %s", wrong.text);
    bool ok = read_root(b, root, e);
    json_decref(root);
    index_entries(b);
    return ok;
}

/* ---- using ---------------------------------------------------------------------------------- */

bool baseline_holds(struct baseline *b, const struct finding *f)
{
    struct baseline_entry *n = b->by_identity ? map_get(b->by_identity, f->identity) : NULL;
    if (n)
        n->met = true;
    return n;
}

void baseline_add(struct baseline *b, const struct finding *f, const char *file)
{
    struct baseline_entry n = {.rule = f->rule,
                               .file = file,
                               .function = f->function,
                               .line = f->line,
                               .message = f->message,
                               .occurrence = f->occurrence,
                               .identity = f->identity,
                               .met = true};
    LIST_ADD(b->arena, &b->entries, n);
}

/* ---- writing -------------------------------------------------------------------------------- */

static int compare_entries(const void *x, const void *y)
{
    const struct baseline_entry *a = *(const struct baseline_entry *const *)x,
                                *b = *(const struct baseline_entry *const *)y;
    int c = strcmp(a->file, b->file);
    c = c ? c : strcmp(a->function, b->function);
    c = c ? c : strcmp(a->line, b->line);
    c = c ? c : strcmp(a->rule, b->rule);
    return c ? c : (a->occurrence > b->occurrence) - (a->occurrence < b->occurrence);
}

static void add_member(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\": ", key);
    text_add_json(out, value);
    text_add(out, ", ");
}

void baseline_print(const struct baseline *b, struct text *out)
{
    struct arena *a = b->arena;
    const struct baseline_entry **sorted =
        arena_array(a, const struct baseline_entry *, b->entries.count + 1);
    for (int i = 0; i < b->entries.count; i++)
        sorted[i] = &b->entries.items[i];
    if (b->entries.count)
        qsort(sorted, (size_t)b->entries.count, sizeof *sorted, compare_entries);
    text_printf(out, "{\n  \"version\": %d,\n  \"findings\": [", VERSION);
    for (int i = 0; i < b->entries.count; i++) {
        text_add(out, i ? ",\n    {" : "\n    {");
        add_member(out, "rule", sorted[i]->rule);
        add_member(out, "file", sorted[i]->file);
        add_member(out, "function", sorted[i]->function);
        add_member(out, "line", sorted[i]->line);
        add_member(out, "message", sorted[i]->message);
        text_printf(out, "\"occurrence\": %d}", sorted[i]->occurrence);
    }
    text_add(out, b->entries.count ? "\n  ]\n}\n" : "]\n}\n");
}
