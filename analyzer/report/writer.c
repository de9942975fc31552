/* Writes JSON with commas and indentation. */
#include "analyzer/report/private.h"

static void begin(struct writer *w, const char *key)
{
    if (w->depth)
        text_add(w->out, w->first ? "\n" : ",\n");
    text_pad(w->out, 2 * w->depth);
    w->first = false;
    if (key) {
        text_add_json(w->out, key);
        text_add(w->out, ": ");
    }
}

void write_open(struct writer *w, const char *key, char bracket)
{
    begin(w, key);
    text_printf(w->out, "%c", bracket);
    w->depth++;
    w->first = true;
}

void write_close(struct writer *w, char bracket)
{
    w->depth--;
    if (!w->first) {
        text_add(w->out, "\n");
        text_pad(w->out, 2 * w->depth);
    }
    text_printf(w->out, "%c%s", bracket, w->depth ? "" : "\n");
    w->first = false;
}

void write_text(struct writer *w, const char *key, const char *value)
{
    begin(w, key);
    text_add_json(w->out, value);
}

void write_int(struct writer *w, const char *key, long long value)
{
    begin(w, key);
    text_printf(w->out, "%lld", value);
}

void write_number(struct writer *w, const char *key, double value)
{
    begin(w, key);
    text_printf(w->out, "%.6g", value);
}

void write_bool(struct writer *w, const char *key, bool value)
{
    begin(w, key);
    text_add(w->out, value ? "true" : "false");
}

void write_verdict(struct writer *w, const struct report *r, const struct verdict *v,
                   const char *contained)
{
    write_text(w, "kind", verdict_name(v->kind));
    write_text(w, "text", verdict_text(r->arena, v));
    if (v->entry)
        write_text(w, "entry", v->entry);
    if (v->device)
        write_text(w, "device", v->device);
    if (v->inputs)
        write_text(w, "inputs", v->inputs);
    if (v->held)
        write_text(w, contained, v->held);
}
