/* Reports of a difference: JSON has all of it; other formats have what was introduced, as in a
 * check; text lists what was fixed after that. */
#include "frontends/driver/check/report_files.h"
#include "frontends/driver/process/terminal.h"
#include "frontends/diff/diff.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

static void print(struct side *s, const finding_list *findings, const char *format, bool colours,
                  struct text *out)
{
    struct report r;
    output_begin(&s->check, &r);
    r.findings = findings;
    r.colours = colours;
    r.columns = colours ? terminal_columns(stdout) : 0;
    report_format_named(format)->print(&r, out);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* As in a report. */
static json_t *findings_of(struct side *s, const finding_list *findings)
{
    struct text out = {0};
    print(s, findings, "json", false, &out);
    json_t *all = json_loadb(out.data, out.length, 0, NULL);
    json_t *list = json_incref(json_object_get(all, "findings"));
    json_decref(all);
    text_free(&out);
    return list;
}

static json_t *side_of(const struct side *s)
{
    return json_pack("{s:s?, s:s?}", "name", s->name, "commit", s->commit);
}

/* Bidirectional controls and C1 are escaped with everything that is not ASCII; of ASCII, the
 * library does not escape DEL. */
static void add_ascii(struct text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == 0x7f)
            text_add(out, "\\u007f");
        else
            text_add_range(out, text, 1);
    }
}

static void print_json(struct difference *d, struct text *out)
{
    json_t *all = json_pack(
        "{s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "version", 1, "miscast", MISCAST_VERSION, "from",
        side_of(&d->a), "to", side_of(&d->b), "introduced", findings_of(&d->b, &d->introduced),
        "fixed", findings_of(&d->a, &d->fixed), "before", findings_of(&d->b, &d->before));
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    if (text) {
        add_ascii(out, text);
        text_add(out, "\n");
    }
    free(text);
    json_decref(all);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_text(struct difference *d, bool colours, struct text *out)
{
    struct text lines = {0};
    print(&d->b, &d->introduced, "text", colours, out);
    if (!d->fixed.count)
        return;
    print(&d->a, &d->fixed, "concise", false, &lines);
    if (out->length)
        text_add(out, "\n");
    text_add(out, "fixed:\n");
    for (const char *at = lines.data; at && *at;) {
        size_t n = strcspn(at, "\n");
        text_add(out, "  ");
        text_add_range(out, at, n);
        text_add(out, "\n");
        at += n + (at[n] == '\n');
    }
    text_free(&lines);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool tell_one(struct difference *d, struct output *o, struct error *e)
{
    bool colours = !o->path && paint_wanted(stdout);
    struct text out = {0};
    if (!strcmp(o->format, "json"))
        print_json(d, &out);
    else if (!strcmp(o->format, "text"))
        print_text(d, colours, &out);
    else
        print(&d->b, &d->introduced, o->format, colours, &out);
    bool ok = output_put(o, &out, e);
    text_free(&out);
    return ok;
}

bool difference_tell(struct difference *d, struct error *e)
{
    struct outputs all = {.arena = d->b.arena};
    bool ok = true;
    if (!outputs_open(&d->b.check, &all, e))
        return false;
    for (int i = 0; i < all.items.count; i++)
        ok = tell_one(d, &all.items.items[i], e) && ok;
    return ok;
}
