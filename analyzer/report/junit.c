/* JUnit's XML, which most build servers show: a suite a file, a failed case a finding; one that was
 * refuted passed. Without any, one case that passed, since a suite without cases counts as broken.
 */
#include "analyzer/report/private.h"

#include <string.h>

/* XML 1.0 has no control characters, however they are written. */
static void add_escaped(struct text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            text_add(out, "&lt;");
        else if (*text == '>')
            text_add(out, "&gt;");
        else if (*text == '&')
            text_add(out, "&amp;");
        else if (*text == '"')
            text_add(out, "&quot;");
        else if ((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t')
            text_add(out, "?");
        else
            text_add_range(out, text, 1);
    }
}

static void add_attribute(struct text *out, const char *name, const char *value)
{
    struct text clean = {0};
    text_add_line(&clean, value, strlen(value));
    text_printf(out, " %s=\"", name);
    add_escaped(out, clean.data ? clean.data : "");
    text_add(out, "\"");
    text_free(&clean);
}

static bool fails(const struct finding *f)
{
    return f->verdict.kind != VERDICT_REFUTED;
}

static int count_failures(const finding_list *l, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++)
        count += fails(l->items[i]);
    return count;
}

static void add_case(const struct report *r, const struct finding *f, struct text *out)
{
    struct text body = {0};
    finding_list one = {0};
    struct report alone = *r;
    LIST_ADD(r->arena, &one, (struct finding *)(uintptr_t)f);
    alone.findings = &one;
    alone.colours = false;
    text_add(out, "    <testcase");
    add_attribute(out, "name",
                  arena_printf(r->arena, "%s:%d:%d", f->rule, f->span.line, f->span.column));
    add_attribute(out, "classname", place_path(r, f->span.file));
    const char *element = fails(f) ? "failure" : "system-out";
    text_printf(out, ">\n      <%s", element);
    if (fails(f)) {
        add_attribute(out, "type", f->rule);
        add_attribute(out, "message", f->message);
    }
    text_add(out, ">");
    report_text(&alone, &body);
    add_escaped(out, body.data);
    text_printf(out, "</%s>\n    </testcase>\n", element);
    text_free(&body);
}

void report_junit(const struct report *r, struct text *out)
{
    const finding_list *l = r->findings;
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<testsuites name=\"miscast\" tests=\"%d\" failures=\"%d\">\n",
                l->count ? l->count : 1, count_failures(l, 0, l->count));
    if (!l->count)
        text_add(out, "  <testsuite name=\"miscast\" tests=\"1\" failures=\"0\">\n"
                      "    <testcase name=\"no findings\" classname=\"miscast\"/>\n"
                      "  </testsuite>\n");
    for (int i = 0, next; i < l->count; i = next) {
        const char *file = l->items[i]->span.file;
        for (next = i; next < l->count && !strcmp(l->items[next]->span.file, file);)
            next++;
        text_add(out, "  <testsuite");
        add_attribute(out, "name", place_path(r, file));
        text_printf(out, " tests=\"%d\" failures=\"%d\">\n", next - i, count_failures(l, i, next));
        for (int k = i; k < next; k++)
            add_case(r, l->items[k], out);
        text_add(out, "  </testsuite>\n");
    }
    text_add(out, "</testsuites>\n");
}
