/* miscast graph: the dtype flow of a function as a graph: SVG or dot in a file, or drawn in the
 * terminal. Findings are marked, as in a report. */
#include "frontends/cli/cli.h"
#include "frontends/driver/queries/function_graphs.h"
#include "frontends/driver/process/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 120, LIST_NAMES = 20 };

static int columns_of(FILE *out)
{
    int columns = terminal_columns(out);
    return columns ? columns : COLUMNS;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_node(const struct graph *g, int n, bool colours, struct text *out)
{
    const struct graph_node *node = &g->nodes.items[n];
    text_add(out, "  ");
    text_add_line(out, node->label, strlen(node->label));
    text_add(out, node->fact ? "  " : "");
    paint_add(out, colours, PAINT_FACT, node->fact ? node->fact : "");
    if (node->mark)
        paint_add(out, colours, PAINT_BAD, arena_printf(g->arena, "  ✕ %s", node->mark));
    bool first = true;
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *e = &g->edges.items[k];
        if (e->to != n)
            continue;
        const char *from = g->nodes.items[e->from].label;
        text_add(out, first ? "  ← " : ", ");
        text_add_line(out, from, strlen(from));
        if (e->label)
            paint_add(out, colours, e->bad ? PAINT_BAD : PAINT_DIM,
                      arena_printf(g->arena, " (%s)", e->label));
        first = false;
    }
    text_add(out, "\n");
}

/* A graph that is too wide: one line per node. */
static void add_list(const struct graph *g, bool colours, struct text *out)
{
    for (int n = 0; n < g->nodes.count; n++)
        if (g->nodes.items[n].kind != GRAPH_VALUE)
            add_node(g, n, colours, out);
}

static void add_text(struct checking *c, struct graph *g, struct text *out)
{
    bool colours = paint_wanted(stdout);
    const struct span *at = &g->function->span;
    text_add(out, out->length ? "\n" : "");
    paint_add(out, colours, PAINT_STRONG, g->function->name);
    text_show(out, "  %s:%d\n\n", project_shown(&c->project, at->file), at->line);
    if (!graph_text(g, columns_of(stdout), colours, out))
        add_list(g, colours, out);
    if (g->left_out)
        text_printf(out, "and %d more\n", g->left_out);
    text_add(out, g->cut ? "not all paths are drawn\n" : "");
}

static void print_all(struct checking *c, const picture_list *pictures)
{
    struct text out = {0};
    for (int i = 0; i < pictures->count; i++)
        add_text(c, pictures->items[i], &out);
    if (out.length)
        fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

static bool write_picture(struct checking *c, struct graph *g, const struct options *o,
                          struct error *e)
{
    struct text out = {0};
    const char *path = o->output;
    if (ends_in(path, ".dot"))
        graph_dot(g, &out);
    else {
        graph_place(&g, 1, !o->layout || !strcmp(o->layout, "dot"));
        graph_svg(g, true, NULL, NULL, &out);
    }
    bool ok = output_allowed(&c->project, path, e) && output_write(path, &out, e);
    text_free(&out);
    return ok;
}

static bool too_many(const picture_list *l, struct error *e)
{
    struct text names = {0};
    for (int i = 0; i < l->count && i < LIST_NAMES; i++)
        text_printf(&names, "%s%s", i ? ", " : "", l->items[i]->function->name);
    error_set(e, "one graph per file: choose a function with --function, of %s%s", names.data,
              l->count > LIST_NAMES ? ", …" : "");
    text_free(&names);
    return false;
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool draw(struct checking *c, const struct options *o, struct error *e)
{
    picture_list pictures = {0};
    pictures_find(c, o->function, &pictures);
    if (!pictures.count)
        return o->function
                   ? error_set(e, "there is no function '%s' with tensors here", o->function)
                   : error_set(e, "no function here has tensors");
    if (!o->output)
        print_all(c, &pictures);
    else if (pictures.count > 1)
        return too_many(&pictures, e);
    return !o->output || write_picture(c, pictures.items[0], o, e);
}

static enum exit_code graph_run(const struct options *o)
{
    struct checking c = {0};
    struct request request = o->request;
    struct error e = {0};
    request.facts = true;
    bool known = !o->output || ends_in(o->output, ".svg") || ends_in(o->output, ".dot");
    bool ok =
        known ? check_begin(&c, &request, &e) && draw(&c, o, &e)
              : error_set(&e, "-o expects a file that ends in .svg or .dot, not '%s'", o->output);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    if (ok)
        skipped_say_adjacent(&c.project, &c.config);
    fflush(stdout);
    enum exit_code closed = c.arena ? check_end(&c) : EXIT_CLEAN;
    return code ? code : closed;
}

const struct command graph_command = {
    .name = "graph",
    .task = TASK_UNDERSTAND,
    .operands = "FILE... [-- FLAG...]",
    .summary = "Draws the dtype flow of a function.",
    .options = PROGRAM_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS | OPT(FUNCTION) | OPT(OUTPUT) |
               OPT(LAYOUT),
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = graph_run,
    .more = "\n"
            "In the terminal, or with -o to a file: .svg, or .dot for Graphviz. Nodes are values "
            "with their dtype\n"
            "and device; inputs, casts, functions and outputs have their own shapes. A dashed line "
            "is an operand that is\n"
            "converted, a red one belongs to a finding.\n",
};
