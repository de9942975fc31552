/* Everything that is known about each finding, for programs. Columns count bytes, as compilers do.
 */
#include "analyzer/report/private.h"

#include <inttypes.h>

enum { VERSION = 1 };

static void add_span(struct writer *w, const struct report *r, const struct span *s)
{
    struct span at = *s;
    int cell = place_cell(r, &at);
    write_text(w, "file", place_path(r, s->file));
    if (cell)
        write_int(w, "cell", cell);
    write_int(w, "line", at.line);
    write_int(w, "column", s->column);
    write_int(w, "end_line", at.end_line);
    write_int(w, "end_column", s->end_column);
}

static void add_origin(struct writer *w, const struct report *r, const struct origin *o)
{
    write_open(w, NULL, '{');
    write_text(w, "what", o->what);
    if (o->span.line)
        add_span(w, r, &o->span);
    write_text(w, "source", o->source);
    if (o->when)
        write_text(w, "when", o->when);
    if (o->called.line) {
        write_open(w, "called_from", '{');
        add_span(w, r, &o->called);
        write_close(w, '}');
    }
    write_close(w, '}');
}

static void add_fix(struct writer *w, const struct report *r, const struct fix *fix)
{
    write_open(w, "fix", '{');
    write_text(w, "what", fix->what);
    write_bool(w, "safe", fix->safe);
    write_open(w, "edits", '[');
    for (int i = 0; i < fix->edits.count; i++) {
        write_open(w, NULL, '{');
        add_span(w, r, &fix->edits.items[i].span);
        write_text(w, "text", fix->edits.items[i].text);
        write_close(w, '}');
    }
    write_close(w, ']');
    write_close(w, '}');
}

static void add_verdict(struct writer *w, const struct report *r, const struct verdict *v)
{
    write_open(w, "verdict", '{');
    write_verdict(w, r, v, "contained_by");
    if (v->entry)
        write_int(w, "ns", (int64_t)v->ns);
    write_close(w, '}');
}

static void add_observed(struct writer *w, const struct observation *o)
{
    write_open(w, "observed", '{');
    write_text(w, "got", o->got);
    write_text(w, "expected", o->expected);
    write_int(w, "elements", o->elements);
    write_int(w, "of", o->of);
    write_int(w, "times", o->times);
    write_number(w, "introduced", o->introduced);
    write_number(w, "inherited", o->inherited);
    write_text(w, "text", o->text);
    write_close(w, '}');
}

static void add_finding(struct writer *w, const struct report *r, const struct finding *f)
{
    const struct rule *rule = report_rule(r, f->code);
    write_open(w, NULL, '{');
    write_text(w, "code", f->code);
    write_text(w, "rule", f->rule);
    write_text(w, "group", group_name(rule->group));
    write_text(w, "severity", severity_name(f->severity));
    write_text(w, "message", f->message);
    add_span(w, r, &f->span);
    write_text(w, "function", f->function);
    write_text(w, "fingerprint", arena_printf(r->arena, "%016" PRIx64, f->identity));
    write_open(w, "lineage", '[');
    for (int i = 0; i < f->origins.count; i++)
        add_origin(w, r, &f->origins.items[i]);
    write_close(w, ']');
    if (f->fix.what)
        add_fix(w, r, &f->fix);
    if (f->observed)
        add_observed(w, f->observed);
    if (f->verdict.kind)
        add_verdict(w, r, &f->verdict);
    write_close(w, '}');
}

void report_json(const struct report *r, struct text *out)
{
    struct writer w = {.out = out};
    write_open(&w, NULL, '{');
    write_int(&w, "version", VERSION);
    write_text(&w, "miscast", r->version);
    write_open(&w, "findings", '[');
    for (int i = 0; i < r->findings->count; i++)
        add_finding(&w, r, r->findings->items[i]);
    write_close(&w, ']');
    write_open(&w, "troubles", '[');
    for (int i = 0; i < r->troubles.count; i++) {
        write_open(&w, NULL, '{');
        write_text(&w, "file", place_path(r, r->troubles.items[i].file));
        write_text(&w, "message", r->troubles.items[i].message);
        write_close(&w, '}');
    }
    write_close(&w, ']');
    write_open(&w, "unknown_functions", '[');
    for (int i = 0; i < r->missing.count; i++) {
        write_open(&w, NULL, '{');
        write_text(&w, "name", r->missing.items[i].name);
        write_int(&w, "calls", r->missing.items[i].count);
        write_close(&w, '}');
    }
    write_close(&w, ']');
    write_close(&w, '}');
}
