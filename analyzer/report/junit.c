/* JUnit XML, which most build servers display: one suite per file, one case per finding. A case
 * fails if the finding makes the run fail: not if it was refuted or is less severe than --fail-on.
 * Without findings there is one passing case, since an empty suite counts as broken. */
#include "analyzer/report/private.h"

#include <string.h>

static bool fails(const struct report *r, const struct finding *f)
{
    return f->verdict.kind != VERDICT_REFUTED && f->severity >= r->fail_on;
}

static int count_failures(const struct report *r, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++)
        count += fails(r, r->findings->items[i]);
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
    alone.columns = 0;
    text_add(out, "    <testcase");
    markup_attribute(
        out, "name",
        arena_printf(r->arena, "%s:%d", place_line(r, f->rule, f->span), f->span.column));
    markup_attribute(out, "classname", place_path(r, f->span.file));
    const char *element = fails(r, f) ? "failure" : "system-out";
    text_printf(out, ">\n      <%s", element);
    if (fails(r, f)) {
        markup_attribute(out, "type", f->rule);
        markup_attribute(out, "message", f->message);
    }
    text_add(out, ">");
    report_text(&alone, &body);
    markup_escape(out, body.data);
    text_printf(out, "</%s>\n    </testcase>\n", element);
    text_free(&body);
}

void report_junit(const struct report *r, struct text *out)
{
    const finding_list *l = r->findings;
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<testsuites name=\"miscast\" tests=\"%d\" failures=\"%d\">\n",
                l->count ? l->count : 1, count_failures(r, 0, l->count));
    if (!l->count)
        text_add(out, "  <testsuite name=\"miscast\" tests=\"1\" failures=\"0\">\n"
                      "    <testcase name=\"no findings\" classname=\"miscast\"/>\n"
                      "  </testsuite>\n");
    for (int i = 0, next; i < l->count; i = next) {
        const char *file = l->items[i]->span.file;
        for (next = i; next < l->count && !strcmp(l->items[next]->span.file, file);)
            next++;
        text_add(out, "  <testsuite");
        markup_attribute(out, "name", place_path(r, file));
        text_printf(out, " tests=\"%d\" failures=\"%d\">\n", next - i, count_failures(r, i, next));
        for (int k = i; k < next; k++)
            add_case(r, l->items[k], out);
        text_add(out, "  </testsuite>\n");
    }
    text_add(out, "</testsuites>\n");
}
