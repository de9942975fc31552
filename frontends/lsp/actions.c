/* Code actions: fixes of findings, one by one, all of one rule, or all safe ones; suppression
 * comments; and commands (commands.c) for what is more than an edit. */
#include "frontends/lsp/lsp.h"

#include <inttypes.h>
#include <string.h>

static const char quick_fix[] = "quickfix", fix_all[] = "source.fixAll.miscast";

struct asking {
    struct server *s;
    struct run *r;
    const struct document *d;
    const struct source *source;
    int first, last; /* lines, from 1 */
    const json_t *only;
    json_t *actions;
};

/* "source.fixAll" includes source.fixAll.miscast. */
static bool is_asked(const struct asking *q, const char *kind)
{
    for (size_t i = 0; i < json_array_size(q->only); i++) {
        const char *word = json_string_value(json_array_get(q->only, i));
        size_t n = word ? strlen(word) : 0;
        if (word && !strncmp(kind, word, n) && (!kind[n] || kind[n] == '.' || !n))
            return true;
    }
    return !json_array_size(q->only);
}

/* ---- edits ---------------------------------------------------------------------------------- */

static json_t *edits_json(struct asking *q, const char *path, const edit_list *edits)
{
    const struct source *source = looked_source(q->r->last, path);
    json_t *list = json_array();
    for (int i = 0; i < edits->count; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "range",
                                              range_of(q->s, source, &edits->items[i].span),
                                              "newText", text_json(edits->items[i].text)));
    return list;
}

/* With the version that the edits apply to, if the client supports that. */
static void add_file_edits(struct asking *q, json_t *edit, const char *path, json_t *list)
{
    const struct document *d = strcmp(path, q->d->path) ? document_at(q->s, path) : q->d;
    json_t *uri = d ? json_string(d->uri) : document_uri(q->s, q->s->scratch, path);
    if (!q->s->client.document_changes) {
        json_object_set_new(json_object_get(edit, "changes"), json_string_value(uri), list);
        json_decref(uri);
        return;
    }
    json_array_append_new(json_object_get(edit, "documentChanges"),
                          json_pack("{s:{s:o, s:o}, s:o}", "textDocument", "uri", uri, "version",
                                    d && d->has_version ? json_integer(d->version) : json_null(),
                                    "edits", list));
}

static json_t *edit_new(const struct asking *q)
{
    return q->s->client.document_changes ? json_pack("{s:[]}", "documentChanges")
                                         : json_pack("{s:{}}", "changes");
}

static json_t *edit_of(struct asking *q, const file_edits_list *files)
{
    json_t *edit = edit_new(q);
    for (int i = 0; i < files->count; i++) {
        const char *path = project_real(&q->r->last->check.project, files->items[i].file);
        add_file_edits(q, edit, path, edits_json(q, path, &files->items[i].edits));
    }
    return edit;
}

/* ---- actions -------------------------------------------------------------------------------- */

static json_t *action_new(const char *title, const char *kind, json_t *diagnostic)
{
    json_t *action = json_pack("{s:o, s:s}", "title", shown_json(title), "kind", kind);
    if (diagnostic)
        json_object_set_new(action, "diagnostics", json_pack("[o]", diagnostic));
    return action;
}

static void add_edit_action(struct asking *q, const char *title, const char *kind,
                            const struct finding *f, json_t *edit, bool preferred)
{
    json_t *action = action_new(title, kind, f ? diagnostic_of(q->s, q->r, f) : NULL);
    json_object_set_new(action, "edit", edit);
    if (preferred)
        json_object_set_new(action, "isPreferred", json_true());
    json_array_append_new(q->actions, action);
}

static void add_command_action(struct asking *q, const char *title, const char *command,
                               const struct finding *f)
{
    char identity[17];
    snprintf(identity, sizeof identity, "%016" PRIx64, f->identity);
    json_t *action = action_new(title, quick_fix, diagnostic_of(q->s, q->r, f));
    json_object_set_new(action, "command",
                        json_pack("{s:o, s:s, s:[s,s]}", "title", shown_json(title), "command",
                                  command, "arguments", q->d->uri, identity));
    json_array_append_new(q->actions, action);
}

static void add_fix(struct asking *q, struct finding *f)
{
    finding_list one = {0};
    file_edits_list files = {0};
    LIST_ADD(q->s->scratch, &one, f);
    if (!edits_collect(q->s->scratch, &one, true, &files))
        return;
    const char *title = arena_printf(q->s->scratch, "miscast: %s%s", f->fix.what,
                                     f->fix.safe ? "" : " (may change what the program means)");
    add_edit_action(q, title, quick_fix, f, edit_of(q, &files), f->fix.safe);
}

/* The findings of a rule in the file (NULL: of all rules) that have a fix. */
static int fixes_in(struct asking *q, const char *rule, bool unsafe_too, file_edits_list *files)
{
    finding_list some = {0};
    const finding_list *all = &q->r->last->check.findings;
    for (int i = 0; i < all->count; i++)
        if ((!rule || !strcmp(all->items[i]->rule, rule)) &&
            !strcmp(finding_path(q->r, all->items[i]), q->d->path))
            LIST_ADD(q->s->scratch, &some, all->items[i]);
    return edits_collect(q->s->scratch, &some, unsafe_too, files);
}

static void add_all_of_kind(struct asking *q, const struct finding *f)
{
    file_edits_list files = {0};
    int count = fixes_in(q, f->rule, !f->fix.safe, &files);
    if (count > 1)
        add_edit_action(
            q, arena_printf(q->s->scratch, "miscast: fix all %d of %s here", count, f->rule),
            quick_fix, f, edit_of(q, &files), false);
}

static void add_fix_all(struct asking *q)
{
    file_edits_list files = {0};
    int count = fixes_in(q, NULL, false, &files);
    if (count)
        add_edit_action(q, arena_printf(q->s->scratch, "miscast: fix all that is safe (%d)", count),
                        fix_all, NULL, edit_of(q, &files), false);
}

/* ---- suppressing ---------------------------------------------------------------------------- */

/* A comment on its own line above, with the same indentation. Not possible inside a macro that
 * continues on the next line. */
static void add_ignore(struct asking *q, const struct finding *f)
{
    size_t length, above = 0, indent = 0;
    const char *line = source_line(q->source, f->span.line, &length);
    const char *before = f->span.line > 1 ? source_line(q->source, f->span.line - 1, &above) : "";
    while (above && (before[above - 1] == '\r' || before[above - 1] == ' '))
        above--;
    if (above && before[above - 1] == '\\')
        return;
    while (indent < length && (line[indent] == ' ' || line[indent] == '\t'))
        indent++;
    size_t behind = source_offset(q->source, f->span.line, 1) + length;
    bool is_dos = behind < q->source->length && q->source->text[behind] == '\r';
    const char *comment = comment_text(q->s->scratch, q->source->language,
                                       arena_printf(q->s->scratch, "miscast: ignore[%s]", f->rule));
    struct edit e = {.span = {f->span.file, f->span.line, 1, f->span.line, 1},
                     .text = arena_printf(q->s->scratch, "%.*s%s%s", (int)indent, line, comment,
                                          is_dos ? "\r\n" : "\n")};
    edit_list edits = {0};
    json_t *edit = edit_new(q);
    LIST_ADD(q->s->scratch, &edits, e);
    add_file_edits(q, edit, q->d->path, edits_json(q, q->d->path, &edits));
    add_edit_action(q, arena_printf(q->s->scratch, "miscast: ignore this %s here", f->rule),
                    quick_fix, f, edit, false);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool is_upkeep(const struct finding *f)
{
    return rule_find(f->code)->group == GROUP_UPKEEP;
}

static void add_for(struct asking *q, struct finding *f)
{
    if (f->fix.edits.count) {
        add_fix(q, f);
        add_all_of_kind(q, f);
    }
    if (is_upkeep(f))
        return;
    add_ignore(q, f);
    add_command_action(q, "miscast: add this finding to the baseline", "miscast.addToBaseline", f);
    if (!q->s->settings.trusted)
        return;
    add_command_action(q, "miscast: verify this finding by running it", "miscast.verify", f);
    add_command_action(q, "miscast: show the program that reproduces it", "miscast.showReproducer",
                       f);
}

static bool find_range(const json_t *params, int64_t lines[2])
{
    int64_t character;
    const json_t *range = json_object_get(params, "range");
    return read_position(json_object_get(range, "start"), &lines[0], &character) &&
           read_position(json_object_get(range, "end"), &lines[1], &character);
}

/* The line in our numbering; beyond the end, the one after the last. */
static int line_of(const struct asking *q, int64_t line)
{
    int ours, column;
    return place_at(q->source, line, 0, true, &ours, &column) ? ours : source_lines(q->source) + 1;
}

void on_actions(struct server *s, const json_t *params)
{
    struct asking q = {.s = s, .d = document_of(s, params)};
    int64_t lines[2];
    if (!find_range(params, lines)) {
        server_fail(s, LSP_INVALID_PARAMS, "there is no range");
        return;
    }
    q.r = q.d ? run_of(s, q.d) : NULL;
    q.only = json_at(params, "context.only");
    q.actions = json_array();
    q.source = q.r ? looked_source(q.r->last, q.d->path) : NULL;
    finding_list told = q.source ? looked_told(q.r->last) : (finding_list){0};
    q.first = q.source ? line_of(&q, lines[0]) : 0;
    q.last = q.source ? line_of(&q, lines[1]) : 0;
    for (int i = 0; i < told.count && is_asked(&q, quick_fix); i++) {
        struct finding *f = told.items[i];
        if (f->span.line <= q.last && f->span.end_line >= q.first &&
            !strcmp(finding_path(q.r, f), q.d->path))
            add_for(&q, f);
    }
    if (q.source && is_asked(&q, fix_all))
        add_fix_all(&q);
    server_reply(s, q.actions);
}
