/* A graph as SVG: shapes, positions and classes; the style is in page/flow.css. Colour is never the
 * only cue: every node shows its dtype, every kind has its own shape, errors have a cross. */
#include "analyzer/report/graph.h"
#include "analyzer/report/private.h"

#include <math.h>
#include <string.h>

/* The advance width of common monospaced fonts at 12 pixels. */
#define LETTER 7.25
enum {
    LINE = 16,
    PAD = 9,
    SWATCH = 8,
    MARGIN = 14,
    LANE_PAD = 12,
    LANE_HEAD = 24,
    SWATCHES = 4,
    DOT_MOST = 250
};

static const struct graph_space space = {.beside = 22,
                                         .below = 40,
                                         .between = 64,
                                         .around = LANE_PAD,
                                         .head = LANE_HEAD,
                                         .widest = 1040};

static const char *const kind_classes[GRAPH_KINDS] = {
    [GRAPH_VALUE] = "value", [GRAPH_OP] = "op",     [GRAPH_CAST] = "cast",
    [GRAPH_CALL] = "call",   [GRAPH_SINK] = "sink",
};
static const char *const kind_words[GRAPH_KINDS] = {
    [GRAPH_VALUE] = "from outside", [GRAPH_OP] = "operation",      [GRAPH_CAST] = "cast",
    [GRAPH_CALL] = "function",      [GRAPH_SINK] = "goes outside",
};

const char *graph_dtype_class(enum dtype d)
{
    static const char *const classes[DTYPE_COUNT] = {
        [DTYPE_NONE] = "any",   [DTYPE_BOOL] = "bool", [DTYPE_U8] = "int",  [DTYPE_I8] = "int",
        [DTYPE_I16] = "int",    [DTYPE_I32] = "int",   [DTYPE_I64] = "int", [DTYPE_F16] = "f16",
        [DTYPE_BF16] = "bf16",  [DTYPE_F32] = "f32",   [DTYPE_F64] = "f64", [DTYPE_F8_E4M3] = "f8",
        [DTYPE_F8_E5M2] = "f8", [DTYPE_U16] = "int",   [DTYPE_U32] = "int", [DTYPE_U64] = "int",
        [DTYPE_C64] = "any",    [DTYPE_C128] = "any",
    };
    return d < DTYPE_COUNT ? classes[d] : "own";
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static int classes_of(dtype_set dtypes, const char *out[SWATCHES])
{
    int count = 0;
    for (int d = 0; d < dtype_end() && !dtypes_are_any(dtypes); d++) {
        const char *class = graph_dtype_class((enum dtype)d);
        bool known = !(dtypes >> d & 1);
        for (int k = 0; k < count; k++)
            known |= !strcmp(out[k], class);
        if (!known && count < SWATCHES)
            out[count++] = class;
    }
    return count;
}

static double swatches_of(const struct graph_node *n)
{
    const char *classes[SWATCHES];
    int count = classes_of(n->dtypes, classes);
    return count ? count * (SWATCH + 2) + 3 : 0;
}

static void measure(struct graph *g)
{
    for (int k = 0; k < g->nodes.count; k++) {
        struct graph_node *n = &g->nodes.items[k];
        double label = text_width(n->label) * LETTER;
        double fact = n->fact ? text_width(n->fact) * LETTER + swatches_of(n) : 0;
        double mark = n->mark ? (text_width(n->mark) + 2) * LETTER : 0;
        int lines = 1 + (n->fact != NULL) + (n->mark != NULL);
        bool slanted = n->kind == GRAPH_CAST || n->kind == GRAPH_VALUE || n->kind == GRAPH_SINK;
        n->width = ceil(fmax(fmax(label, fact), mark)) + 2 * PAD + (slanted ? PAD : 2);
        n->height = lines * LINE + 10;
    }
}

/* With many edges dot takes seconds, and the picture would be unreadable. */
static bool is_for_dot(const struct graph *g)
{
    return g->edges.count <= DOT_MOST;
}

static void place_all(struct graph *const *graphs, int count, bool by_dot)
{
    LIST(struct graph *) simple = {0};
    for (int i = 0; i < count && by_dot; i++)
        if (is_for_dot(graphs[i]))
            LIST_ADD(graphs[i]->arena, &simple, graphs[i]);
    bool placed = by_dot && graph_layout_dot(simple.items, simple.count, &space);
    for (int i = 0; i < count; i++)
        if (!placed || !is_for_dot(graphs[i]))
            graph_layout(graphs[i], &space);
}

void graph_place(struct graph *const *graphs, int count, bool by_dot)
{
    LIST(struct graph *) wide = {0};
    for (int i = 0; i < count; i++)
        measure(graphs[i]);
    place_all(graphs, count, by_dot);
    for (int i = 0; i < count; i++)
        if (graph_split(graphs[i], &space))
            LIST_ADD(graphs[i]->arena, &wide, graphs[i]);
    if (wide.count)
        place_all(wide.items, wide.count, by_dot);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static void add_shape(const struct graph_node *n, struct text *out)
{
    double x = n->x - n->width / 2, y = n->y - n->height / 2, w = n->width, h = n->height;
    double slant = PAD;
    switch (n->kind) {
    case GRAPH_CAST:
        text_printf(
            out, "<path class=\"box\" d=\"M%.1f %.1fH%.1fL%.1f %.1fL%.1f %.1fH%.1fL%.1f %.1fZ\"/>",
            x + slant, y, x + w - slant, x + w, y + h / 2, x + w - slant, y + h, x + slant, x,
            y + h / 2);
        return;
    case GRAPH_VALUE:
    case GRAPH_SINK:
        text_printf(out,
                    "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                    "rx=\"%.1f\"/>",
                    x, y, w, h, fmin(h / 2, 18));
        return;
    case GRAPH_OP:
    case GRAPH_CALL:
    case GRAPH_KINDS:
        break;
    }
    text_printf(
        out, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>",
        x, y, w, h);
    if (n->kind == GRAPH_CALL)
        text_printf(out, "<path class=\"bars\" d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1f\"/>", x + 4, y,
                    y + h, x + w - 4, y, y + h);
}

static void add_text(struct text *out, const char *class, double x, double y, const char *text)
{
    text_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    markup_line(out, text);
    text_add(out, "</text>");
}

static void add_fact(const struct graph_node *n, double y, struct text *out)
{
    const char *classes[SWATCHES];
    int count = classes_of(n->dtypes, classes);
    double wide = text_width(n->fact) * LETTER + swatches_of(n), x = n->x - wide / 2;
    for (int k = 0; k < count; k++)
        text_printf(
            out, "<rect class=\"swatch d-%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>",
            classes[k], x + k * (SWATCH + 2), y - SWATCH, SWATCH, SWATCH);
    add_text(out, "fact", n->x + swatches_of(n) / 2, y, n->fact);
}

static void add_lines(const struct graph_node *n, struct text *out)
{
    double y = n->y - n->height / 2 + LINE + 1;
    add_text(out, "label", n->x, y, n->label);
    if (n->fact)
        add_fact(n, y += LINE, out);
    if (n->mark) {
        struct text mark = {0};
        text_printf(&mark, "✕ %s", n->mark);
        add_text(out, "mark", n->x, y + LINE, mark.data);
        text_free(&mark);
    }
}

/* "h = linear(), operation: f16 cpu; wrong: matmul-dtype" */
static void add_spoken(const struct graph_node *n, struct text *out)
{
    markup_line(out, n->label);
    text_printf(out, ", %s", kind_words[n->kind]);
    text_add(out, n->fact ? ": " : "");
    markup_line(out, n->fact ? n->fact : "");
    text_add(out, n->wrong ? "; wrong: " : "");
    markup_line(out, n->wrong ? n->wrong->message : "");
}

static void add_node(const struct graph *g, const struct graph_node *n, graph_link link,
                     void *context, struct text *out)
{
    const char *classes[SWATCHES];
    const char *to = link ? link(context, g, n) : NULL;
    int count = classes_of(n->dtypes, classes);
    bool note = n->wrong && n->wrong->severity == SEVERITY_NOTE;
    if (to) {
        text_add(out, "<a");
        markup_attribute(out, "href", to);
        text_add(out, ">");
    }
    text_printf(out, "<g class=\"node k-%s d-%s%s\"><title>", kind_classes[n->kind],
                count == 1 ? classes[0] : "any",
                !n->mark ? ""
                : note   ? " noted"
                         : " wrong");
    add_spoken(n, out);
    text_add(out, "</title>");
    add_shape(n, out);
    add_lines(n, out);
    text_add(out, to ? "</g></a>\n" : "</g>\n");
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void add_head(const struct graph_edge *e, struct text *out)
{
    const struct graph_point *p = e->path.items;
    int n = e->path.count;
    double dx = p[n - 1].x - p[n - 2].x, dy = p[n - 1].y - p[n - 2].y, length = hypot(dx, dy);
    if (length < 0.01) {
        dx = p[n - 1].x - p[n - 3].x;
        dy = p[n - 1].y - p[n - 3].y;
        length = fmax(hypot(dx, dy), 0.01);
    }
    dx *= 7 / length;
    dy *= 7 / length;
    text_printf(out, "<path class=\"head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", p[n - 1].x,
                p[n - 1].y, p[n - 1].x - dx - dy / 2, p[n - 1].y - dy + dx / 2,
                p[n - 1].x - dx + dy / 2, p[n - 1].y - dy - dx / 2);
}

/* A point at t on the last segment of the curve. */
static struct graph_point point_on(const struct graph_edge *e, double t)
{
    const struct graph_point *p = &e->path.items[e->path.count - 4];
    double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return (struct graph_point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                                a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static void add_edge(const struct graph_edge *e, struct text *out)
{
    const struct graph_point *p = e->path.items;
    if (e->path.count < 4)
        return;
    text_printf(out, "<g class=\"edge%s%s%s\"><path d=\"M%.1f %.1f", e->bad ? " bad" : "",
                e->converts ? " converts" : "", e->back ? " back" : "", p[0].x, p[0].y);
    for (int i = 1; i + 2 < e->path.count; i += 3)
        text_printf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", p[i].x, p[i].y, p[i + 1].x, p[i + 1].y,
                    p[i + 2].x, p[i + 2].y);
    text_add(out, "\"/>");
    add_head(e, out);
    if (e->label) {
        struct graph_point at = point_on(e, 0.5);
        add_text(out, "on", at.x, at.y + 4, e->label);
    }
    text_add(out, "</g>\n");
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_lanes(const struct graph *g, struct text *out)
{
    for (int k = 0; k < g->boxes.count; k++) {
        const struct graph_box *b = &g->boxes.items[k];
        double left = b->left - LANE_PAD, top = b->top - LANE_HEAD;
        text_printf(out,
                    "<g class=\"lane l-%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                    "height=\"%.1f\" rx=\"8\"/>",
                    (int)b->lane, left, top, b->right + LANE_PAD - left,
                    b->bottom + LANE_PAD - top);
        add_text(out, "device", left + 10, top + 16, graph_lane_names[b->lane]);
        text_add(out, "</g>\n");
    }
}

extern const char report_page_flow[];

static const char alone_style[] =
    "svg.flow{color:#1f2328;background:#fff;--flow-bg:#fff;font-family:ui-monospace,SFMono-Regular,"
    "Menlo,Consolas,\"DejaVu Sans Mono\",monospace}\n"
    "@media "
    "(prefers-color-scheme:dark){svg.flow{color:#e6e9ee;background:#14171c;--flow-bg:#14171c;"
    "--bad:#ff7b7b}}\n";

void graph_svg(const struct graph *g, bool alone, graph_link link, void *context, struct text *out)
{
    double width = g->width + 2 * MARGIN, height = g->height + 2 * MARGIN;
    text_printf(out,
                "<svg%s class=\"flow\" role=\"group\" viewBox=\"%d %d %.1f %.1f\" "
                "width=\"%.0f\" height=\"%.0f\"",
                alone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", -MARGIN, -MARGIN, width,
                height, ceil(width), ceil(height));
    text_add(out, " aria-label=\"dtype flow of ");
    markup_line(out, g->function->name);
    text_add(out, "\">\n");
    if (alone)
        text_printf(out, "<style>\n%s%s</style>\n", alone_style, report_page_flow);
    add_lanes(g, out);
    for (int worse = 0; worse < 2; worse++)
        for (int k = 0; k < g->edges.count; k++)
            if (g->edges.items[k].bad == worse)
                add_edge(&g->edges.items[k], out);
    for (int n = 0; n < g->nodes.count; n++)
        add_node(g, &g->nodes.items[n], link, context, out);
    text_add(out, "</svg>\n");
}
