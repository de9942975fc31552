/* SARIF 2.1.0, as GitHub's code scanning reads it: rules with their whole help, regions with all
 * four numbers in UTF-16 units, a code flow for the lineage of each operand, the one fingerprint it
 * looks at, and URIs relative to the repository. */
#include "analyzer/report/private.h"

#include <inttypes.h>
#include <string.h>

static void add_text(struct writer *w, const char *key, const char *text)
{
    write_open(w, key, '{');
    write_text(w, "text", text);
    write_close(w, '}');
}

/* "[text](target)" is a link, in plain text too: source must not make one. */
static void add_message(struct writer *w, const char *key, const char *text)
{
    struct text safe = {0};
    for (const char *link; (link = strstr(text, "](")); text = link + 1) {
        text_add_range(&safe, text, (size_t)(link + 1 - text));
        text_add(&safe, " ");
    }
    text_add(&safe, text);
    add_text(w, key, safe.data ? safe.data : "");
    text_free(&safe);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* "## What" up to the next heading. */
static const char *what_of(const struct report *r, const struct rule *rule)
{
    const char *from = strstr(rule->doc, "## What\n");
    if (!from)
        return rule->summary;
    from += strlen("## What\n");
    while (*from == '\n')
        from++;
    const char *to = strstr(from, "\n## ");
    size_t length = to ? (size_t)(to - from) : strlen(from);
    while (length && from[length - 1] == '\n')
        length--;
    return arena_text(r->arena, from, length);
}

/* The longest help text of a rule. */
static const char *level_of_group(enum rule_group g)
{
    return g == GROUP_COST ? "note" : g == GROUP_UPKEEP ? "warning" : "error";
}

static void add_rule(struct writer *w, const struct report *r, const struct rule *rule)
{
    write_open(w, NULL, '{');
    write_text(w, "id", rule->code);
    write_text(w, "name", rule->name);
    add_text(w, "shortDescription", rule->summary);
    add_text(w, "fullDescription", what_of(r, rule));
    write_open(w, "help", '{');
    write_text(w, "text", rule->doc);
    write_text(w, "markdown", rule->doc);
    write_close(w, '}');
    write_open(w, "defaultConfiguration", '{');
    write_bool(w, "enabled", rule->on);
    write_text(w, "level", level_of_group(rule->group));
    write_close(w, '}');
    write_open(w, "properties", '{');
    write_open(w, "tags", '[');
    write_text(w, NULL, group_name(rule->group));
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, '}');
}

static void add_tool(struct writer *w, const struct report *r)
{
    int count;
    const struct rule *all = report_rules(r, &count);
    write_open(w, "tool", '{');
    write_open(w, "driver", '{');
    write_text(w, "name", "miscast");
    write_text(w, "version", r->version);
    write_open(w, "rules", '[');
    for (int i = 0; i < count; i++)
        add_rule(w, r, &all[i]);
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, '}');
}

/* ---- places --------------------------------------------------------------------------------- */

static void add_region(struct writer *w, const struct report *r, const char *key,
                       const struct span *s)
{
    struct span at = *s;
    place_cell(r, &at);
    write_open(w, key, '{');
    write_int(w, "startLine", at.line);
    write_int(w, "startColumn", place_column(r, s->file, s->line, s->column));
    write_int(w, "endLine", at.end_line);
    write_int(w, "endColumn", place_column(r, s->file, s->end_line, s->end_column));
    write_close(w, '}');
}

static void add_location(struct writer *w, const struct report *r, const char *key,
                         const struct span *s, const char *function, const char *message)
{
    write_open(w, key, '{');
    write_open(w, "physicalLocation", '{');
    write_open(w, "artifactLocation", '{');
    write_text(w, "uri", place_uri(r, s->file));
    write_close(w, '}');
    add_region(w, r, "region", s);
    write_close(w, '}');
    struct span at = *s;
    int cell = place_cell(r, &at);
    if (cell) { /* lines are those of the cell */
        write_open(w, "logicalLocations", '[');
        write_open(w, NULL, '{');
        write_text(w, "name", arena_printf(r->arena, "cell %d", cell));
        write_text(w, "kind", "element");
        write_close(w, '}');
        write_close(w, ']');
    } else if (function && *function) {
        write_open(w, "logicalLocations", '[');
        write_open(w, NULL, '{');
        write_text(w, "name", function);
        write_text(w, "kind", "function");
        write_close(w, '}');
        write_close(w, ']');
    }
    if (message)
        add_message(w, "message", message);
    write_close(w, '}');
}

/* ---- results -------------------------------------------------------------------------------- */

static void add_step(struct writer *w, const struct report *r, const struct span *s,
                     const char *message)
{
    write_open(w, NULL, '{');
    add_location(w, r, "location", s, NULL, message);
    write_close(w, '}');
}

static const char *origin_text(const struct report *r, const struct origin *o)
{
    return o->when ? arena_printf(r->arena, "%s when %s", o->what, o->when) : o->what;
}

/* From where the operand was decided, through the call, to the failure. */
static void add_flow(struct writer *w, const struct report *r, const struct finding *f,
                     const struct origin *o)
{
    write_open(w, NULL, '{');
    write_open(w, "threadFlows", '[');
    write_open(w, NULL, '{');
    write_open(w, "locations", '[');
    if (o->called.line)
        add_step(w, r, &o->called, "called from here");
    add_step(w, r, &o->span, origin_text(r, o));
    add_step(w, r, &f->span, f->message);
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, ']');
    write_close(w, '}');
}

static void add_flows(struct writer *w, const struct report *r, const struct finding *f)
{
    bool open = false;
    for (int i = 0; i < f->origins.count; i++) {
        if (!f->origins.items[i].span.line)
            continue;
        if (!open)
            write_open(w, "codeFlows", '[');
        open = true;
        add_flow(w, r, f, &f->origins.items[i]);
    }
    if (open)
        write_close(w, ']');
}

static void add_fix(struct writer *w, const struct report *r, const struct fix *fix)
{
    write_open(w, "fixes", '[');
    write_open(w, NULL, '{');
    add_message(w, "description", fix->what);
    write_open(w, "artifactChanges", '[');
    write_open(w, NULL, '{');
    write_open(w, "artifactLocation", '{');
    write_text(w, "uri", place_uri(r, fix->edits.items[0].span.file));
    write_close(w, '}');
    write_open(w, "replacements", '[');
    for (int i = 0; i < fix->edits.count; i++) {
        write_open(w, NULL, '{');
        add_region(w, r, "deletedRegion", &fix->edits.items[i].span);
        add_text(w, "insertedContent", fix->edits.items[i].text);
        write_close(w, '}');
    }
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, ']');
}

/* A fix in several files would need one change per file; GitHub does not show them anyway. */
static bool is_in_one_file(const struct fix *fix)
{
    for (int i = 1; i < fix->edits.count; i++)
        if (strcmp(fix->edits.items[i].span.file, fix->edits.items[0].span.file) != 0)
            return false;
    return fix->what && fix->edits.count;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* The parts of a verdict that SARIF supports: the kind of a result and its rank in a list. Without
 * a verdict neither is written. */
static const struct {
    const char *kind; /* NULL: "fail", the default */
    int rank;
} sarif_verdicts[VERDICT_KINDS] = {
    [VERDICT_CONFIRMED] = {NULL, 100},
    [VERDICT_NOT_REACHED] = {NULL, 50},
    [VERDICT_NOT_RUN] = {NULL, 50},
    [VERDICT_REFUTED] = {"pass", 0},
};

static void add_verdict(struct writer *w, const struct report *r, const struct verdict *v)
{
    write_open(w, "properties", '{');
    write_open(w, "verdict", '{');
    write_verdict(w, r, v, "containedBy");
    write_close(w, '}');
    write_close(w, '}');
}

/* A kind other than "fail" must have no level. */
static void add_kind(struct writer *w, const struct finding *f)
{
    const char *kind = sarif_verdicts[f->verdict.kind].kind;
    if (kind)
        write_text(w, "kind", kind);
    write_text(w, "level", kind ? "none" : severity_name(f->severity));
    if (f->verdict.kind)
        write_int(w, "rank", sarif_verdicts[f->verdict.kind].rank);
}

static const char *message_of(const struct report *r, const struct finding *f)
{
    if (!f->verdict.kind && f->observed)
        return arena_printf(r->arena, "%s\n%s", f->message, f->observed->text);
    if (!f->verdict.kind)
        return f->message;
    return arena_printf(r->arena, "%s\n%s", f->message, verdict_line(r, f));
}

static void add_result(struct writer *w, const struct report *r, const struct finding *f)
{
    const struct rule *rule = report_rule(r, f->code);
    int count;
    write_open(w, NULL, '{');
    write_text(w, "ruleId", f->code);
    write_int(w, "ruleIndex", rule - report_rules(r, &count));
    add_kind(w, f);
    add_message(w, "message", message_of(r, f));
    write_open(w, "locations", '[');
    add_location(w, r, NULL, &f->span, f->function, NULL);
    write_close(w, ']');
    write_open(w, "partialFingerprints", '{');
    write_text(w, "primaryLocationLineHash",
               arena_printf(r->arena, "%016" PRIx64 ":%d", f->identity, f->occurrence + 1));
    write_close(w, '}');
    add_flows(w, r, f);
    if (is_in_one_file(&f->fix))
        add_fix(w, r, &f->fix);
    if (f->verdict.kind)
        add_verdict(w, r, &f->verdict);
    write_close(w, '}');
}

/* ---- the run -------------------------------------------------------------------------------- */

/* An error of a parser has the file, its line and column in it. */
static const char *trouble_text(const struct report *r, const struct report_trouble *t)
{
    const char *file = place_path(r, t->file);
    bool is_in_it = !strncmp(t->message, file, strlen(file));
    return is_in_it ? t->message : arena_printf(r->arena, "%s: %s", file, t->message);
}

static void add_invocation(struct writer *w, const struct report *r)
{
    write_open(w, "invocations", '[');
    write_open(w, NULL, '{');
    write_bool(w, "executionSuccessful", true);
    write_open(w, "toolExecutionNotifications", '[');
    for (int i = 0; i < r->troubles.count; i++) {
        write_open(w, NULL, '{');
        write_text(w, "level", "warning");
        add_message(w, "message", trouble_text(r, &r->troubles.items[i]));
        write_close(w, '}');
    }
    write_close(w, ']');
    write_close(w, '}');
    write_close(w, ']');
}

void report_sarif(const struct report *report, struct text *out)
{
    struct writer w = {.out = out};
    struct report with_lines = *report, *r = &with_lines;
    r->long_lines = map_new(r->arena);
    write_open(&w, NULL, '{');
    write_text(&w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    write_text(&w, "version", "2.1.0");
    write_open(&w, "runs", '[');
    write_open(&w, NULL, '{');
    add_tool(&w, r);
    write_text(&w, "columnKind", "utf16CodeUnits");
    add_invocation(&w, r);
    write_open(&w, "results", '[');
    for (int i = 0; i < r->findings->count; i++)
        add_result(&w, r, r->findings->items[i]);
    write_close(&w, ']');
    write_close(&w, '}');
    write_close(&w, ']');
    write_close(&w, '}');
}
