/* Reports in all formats that are asked for: one may go to standard output, the others to files. */
#include "frontends/cli/check.h"
#include "frontends/cli/terminal.h"

#include <errno.h>
#include <string.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

static void add_troubles(struct checking *c, struct report *r)
{
    for (int i = 0; i < c->project.inputs.count; i++) {
        const struct input *in = &c->project.inputs.items[i];
        struct report_trouble t = {.file = in->file};
        if (!in->is_parsed)
            t.message = in->error.message;
        else if (in->errors)
            t.message = in->first_error;
        if (t.message)
            LIST_ADD(c->arena, &r->troubles, t);
    }
}

bool output_write(const char *path, const struct text *text, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return error_at(e, path, 0, 0, "%s", strerror(errno));
    terminal_hold();
    bool ok = !text->length || fwrite(text->data, 1, text->length, f) == text->length;
    ok = !fclose(f) && ok;
    terminal_release();
    return ok || error_at(e, path, 0, 0, "%s", strerror(errno));
}

/* "sarif=FILE", "text". */
static bool print_one(struct checking *c, struct report *r, const char *wanted, struct error *e)
{
    size_t length = strcspn(wanted, "=");
    const struct report_format *f = report_format_named(arena_text(c->arena, wanted, length));
    struct text out = {0};
    bool ok = true;
    r->colours = !wanted[length] && paint_wanted(stdout);
    f->print(r, &out);
    if (wanted[length])
        ok = output_write(wanted + length + 1, &out, e);
    else if (out.length)
        fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    return ok;
}

bool output_check(const text_list *formats, struct error *e)
{
    const char *first = NULL;
    for (int i = 0; i < formats->count; i++) {
        const char *to = strchr(formats->items[i], '=');
        if (to && !to[1])
            return error_set(e, "--format %s names no file", formats->items[i]);
        if (!to && first)
            return error_set(e,
                             "both %s and %s would go to standard output; give one a file: "
                             "%s=FILE",
                             first, formats->items[i], formats->items[i]);
        first = to ? first : formats->items[i];
    }
    return true;
}

static void print_statistics(const struct checking *c)
{
    int counts[RULE_COUNT] = {0}, most;
    for (int i = 0; i < c->findings.count; i++)
        counts[rule_find(c->findings.items[i]->code) - rules]++;
    do {
        int best = 0;
        for (int i = 0; i < RULE_COUNT; i++)
            best = counts[i] > counts[best] ? i : best;
        most = counts[best];
        counts[best] = 0;
        if (most)
            printf("%6d  %s  %-24s %s\n", most, rules[best].code, rules[best].name,
                   rules[best].summary);
    } while (most);
}

void output_begin(struct checking *c, struct report *r)
{
    *r = (struct report){.arena = c->arena,
                         .findings = &c->findings,
                         .sources = c->project.sources,
                         .root = c->root,
                         .version = MISCAST_VERSION};
    add_troubles(c, r);
}

bool output_run(struct checking *c, struct error *e)
{
    struct report r;
    text_list formats = c->config.formats;
    if (!output_check(&formats, e))
        return false;
    if (!formats.count)
        LIST_ADD(c->arena, &formats, "text");
    output_begin(c, &r);
    for (int i = 0; i < formats.count; i++) {
        bool to_file = strchr(formats.items[i], '=');
        if ((to_file || !c->options->statistics) && !print_one(c, &r, formats.items[i], e))
            return false;
    }
    if (c->options->statistics)
        print_statistics(c);
    return true;
}
