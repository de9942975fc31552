/* A small graph for a terminal: boxes connected by straight lines. The graph is laid out again, in
 * columns and rows. */
#include "analyzer/report/graph.h"
#include "analyzer/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 60, LANE_ROWS = 2 };
enum { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };

struct cell {
    uint8_t lines;     /* which way lines leave it */
    bool bad;          /* one of them is part of an error */
    bool taken;        /* by a letter that stands before it */
    const char *glyph; /* NULL: none */
    uint8_t length;
    enum paint paint;
};

struct grid {
    struct graph *g;
    struct cell *cells;
    int columns, rows;
};

static struct cell *at(struct grid *d, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < d->columns && y < d->rows;
    struct cell *nowhere = &d->cells[d->columns * d->rows];
    *nowhere = (struct cell){0};
    return inside ? &d->cells[y * d->columns + x] : nowhere;
}

/* ---- words ---------------------------------------------------------------------------------- */

static void put_glyph(struct grid *d, int x, int y, const char *glyph, size_t length,
                      enum paint paint)
{
    struct cell *c = at(d, x, y);
    c->glyph = glyph;
    c->length = (uint8_t)length;
    c->paint = paint;
}

static int letter_bytes(const char *s)
{
    int n = 1;
    while (((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Adds safe text; returns its width in columns. */
static int put_words(struct grid *d, int x, int y, const char *words, enum paint paint)
{
    struct text clean = {0};
    text_add_line(&clean, words, strlen(words));
    const char *s = text_keep(d->g->arena, &clean);
    int column = x;
    while (*s) {
        int n = letter_bytes(s);
        int wide = text_width(arena_text(d->g->arena, s, (size_t)n));
        put_glyph(d, column, y, s, (size_t)n, paint);
        for (int k = 1; k < wide; k++)
            at(d, column + k, y)->taken = true;
        column += wide > 0 ? wide : 1;
        s += n;
    }
    return column - x;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

struct frame { /* corners from the upper left on, then lines */
    const char *corners[4], *flat, *left, *right;
};
static const struct frame frames[GRAPH_KINDS] = {
    [GRAPH_VALUE] = {{"╭", "╮", "╰", "╯"}, "─", "│", "│"},
    [GRAPH_OP] = {{"┌", "┐", "└", "┘"}, "─", "│", "│"},
    [GRAPH_CAST] = {{"╱", "╲", "╲", "╱"}, "─", "⟨", "⟩"},
    [GRAPH_CALL] = {{"╓", "╖", "╙", "╜"}, "─", "║", "║"},
    [GRAPH_SINK] = {{"╭", "╮", "╰", "╯"}, "╌", "┆", "┆"},
};
static const struct frame wrong_frame = {{"┏", "┓", "┗", "┛"}, "━", "┃", "┃"};

static void put(struct grid *d, int x, int y, const char *glyph, enum paint paint)
{
    put_glyph(d, x, y, glyph, strlen(glyph), paint);
}

static void put_frame(struct grid *d, const struct frame *f, int x, int y, int w, int h,
                      enum paint paint)
{
    for (int k = 1; k < w - 1; k++) {
        put(d, x + k, y, f->flat, paint);
        put(d, x + k, y + h - 1, f->flat, paint);
    }
    for (int k = 1; k < h - 1; k++) {
        put(d, x, y + k, f->left, paint);
        put(d, x + w - 1, y + k, f->right, paint);
        for (int c = 1; c < w - 1; c++)
            put(d, x + c, y + k, " ", PAINT_NONE);
    }
    put(d, x, y, f->corners[0], paint);
    put(d, x + w - 1, y, f->corners[1], paint);
    put(d, x, y + h - 1, f->corners[2], paint);
    put(d, x + w - 1, y + h - 1, f->corners[3], paint);
}

static int left_of(const struct graph_node *n)
{
    return (int)floor(n->x - n->width / 2 + 0.5);
}

static int top_of(const struct graph_node *n)
{
    return (int)floor(n->y - n->height / 2 + 0.5);
}

static void put_centred(struct grid *d, const struct graph_node *n, int row, const char *words,
                        enum paint paint)
{
    int x = left_of(n) + ((int)n->width - text_width(words)) / 2;
    put_words(d, x, top_of(n) + row, words, paint);
}

static void put_node(struct grid *d, const struct graph_node *n)
{
    enum paint paint = n->mark ? PAINT_BAD : PAINT_NONE;
    int row = 1;
    put_frame(d, n->mark ? &wrong_frame : &frames[n->kind], left_of(n), top_of(n), (int)n->width,
              (int)n->height, paint);
    put_centred(d, n, row++, n->label, PAINT_STRONG);
    if (n->fact)
        put_centred(d, n, row++, n->fact, PAINT_FACT);
    if (n->mark)
        put_centred(d, n, row, arena_printf(d->g->arena, "✕ %s", n->mark), PAINT_BAD);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void link(struct grid *d, int x, int y, int lines, bool bad)
{
    struct cell *c = at(d, x, y);
    c->lines |= (uint8_t)lines;
    c->bad |= bad;
}

static void run_down(struct grid *d, int x, int from, int to, bool bad)
{
    for (int y = from; y < to; y++) {
        link(d, x, y, SOUTH, bad);
        link(d, x, y + 1, NORTH, bad);
    }
}

static void run_aside(struct grid *d, int y, int from, int to, bool bad)
{
    for (int x = from < to ? from : to; x < (from < to ? to : from); x++) {
        link(d, x, y, EAST, bad);
        link(d, x + 1, y, WEST, bad);
    }
}

/* A segment of an edge between two layers: down, sideways, down. */
struct piece {
    int edge, x, to_x, top, bottom, track;
};
typedef LIST(struct piece) piece_list;

static int column_of(double x)
{
    return (int)floor(x);
}

static void find_pieces(struct grid *d, piece_list *out)
{
    for (int k = 0; k < d->g->edges.count; k++) {
        const struct graph_edge *e = &d->g->edges.items[k];
        const struct graph_point *p = e->path.items;
        for (int i = 0; !e->back && i + 3 < e->path.count; i += 3) {
            struct piece n = {.edge = k,
                              .x = column_of(p[i].x),
                              .to_x = column_of(p[i + 3].x),
                              .top = (int)floor(p[i].y + 0.5),
                              .bottom = (int)floor(p[i + 3].y + 0.5)};
            LIST_ADD(d->g->arena, out, n);
        }
    }
}

static bool touches(const struct piece *a, const struct piece *b)
{
    int al = a->x < a->to_x ? a->x : a->to_x, ar = a->x < a->to_x ? a->to_x : a->x;
    int bl = b->x < b->to_x ? b->x : b->to_x, br = b->x < b->to_x ? b->to_x : b->x;
    return a->x != a->to_x && b->x != b->to_x && a->bottom == b->bottom && al <= br && bl <= ar &&
           a->to_x != b->to_x;
}

/* Segments that overlap horizontally get separate rows; returns how many. */
static int find_tracks(piece_list *l)
{
    int most = 0;
    for (int i = 0; i < l->count; i++) {
        struct piece *p = &l->items[i];
        bool clear = false;
        for (p->track = 0; !clear;) {
            clear = true;
            for (int j = 0; j < i && clear; j++)
                clear = l->items[j].track != p->track || !touches(&l->items[j], p);
            p->track += !clear;
        }
        most = p->track > most ? p->track : most;
    }
    return most + 1;
}

static bool is_clear(struct grid *d, int x, int y, int width)
{
    for (int k = 0; k < width; k++)
        if (at(d, x + k, y)->lines || at(d, x + k, y)->glyph)
            return false;
    return x >= 0 && x + width <= d->columns;
}

/* Next to the arrow head, if there is room. */
static void put_label(struct grid *d, const struct graph_edge *e, int x, int y)
{
    int width = e->label ? text_width(e->label) : 0;
    enum paint paint = e->bad ? PAINT_BAD : PAINT_DIM;
    if (width && is_clear(d, x + 1, y, width))
        put_words(d, x + 1, y, e->label, paint);
    else if (width && is_clear(d, x - width, y, width))
        put_words(d, x - width, y, e->label, paint);
}

static bool is_last(const piece_list *l, int i)
{
    return i + 1 == l->count || l->items[i + 1].edge != l->items[i].edge;
}

static void put_lines(struct grid *d, const piece_list *l)
{
    for (int i = 0; i < l->count; i++) {
        const struct piece *p = &l->items[i];
        bool bad = d->g->edges.items[p->edge].bad;
        int row = p->bottom - 2 - p->track, from = p->top;
        row = row < from ? from : row;
        run_down(d, p->x, from, row, bad);
        run_aside(d, row, p->x, p->to_x, bad);
        run_down(d, p->to_x, row, p->bottom - 1, bad);
        if (!is_last(l, i))
            link(d, p->to_x, p->bottom - 1, SOUTH, bad);
        if (p->top < p->bottom && i && l->items[i - 1].edge == p->edge)
            link(d, p->x, from, NORTH, bad);
    }
    for (int i = 0; i < l->count; i++) {
        const struct piece *p = &l->items[i];
        const struct graph_edge *e = &d->g->edges.items[p->edge];
        if (!is_last(l, i))
            continue;
        put(d, p->to_x, p->bottom - 1, "▼", e->bad ? PAINT_BAD : PAINT_NONE);
        put_label(d, e, p->to_x, p->bottom - 1);
    }
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* The boundary between two lanes of a component. */
static void put_boundary(struct grid *d, const struct graph_box *a, const struct graph_box *b)
{
    int x = (int)(a->right + b->left) / 2;
    for (int y = (int)b->top - LANE_ROWS; y < (int)b->bottom; y++)
        if (!at(d, x, y)->lines && !at(d, x, y)->glyph)
            put(d, x, y, "┊", PAINT_DIM);
}

static void put_lanes(struct grid *d)
{
    for (int k = 0; k < d->g->boxes.count; k++) {
        const struct graph_box *b = &d->g->boxes.items[k];
        put_words(d, (int)b->left, (int)b->top - LANE_ROWS, graph_lane_names[b->lane], PAINT_DIM);
        if (k && b[-1].component == b->component)
            put_boundary(d, &b[-1], b);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void measure(struct graph *g)
{
    for (int k = 0; k < g->nodes.count; k++) {
        struct graph_node *n = &g->nodes.items[k];
        int wide = text_width(n->label);
        if (n->fact && text_width(n->fact) > wide)
            wide = text_width(n->fact);
        if (n->mark && text_width(n->mark) + 2 > wide)
            wide = text_width(n->mark) + 2;
        n->width = wide + 4 + (wide % 2 == 0); /* with a middle */
        n->height = 3 + (n->fact != NULL) + (n->mark != NULL);
    }
}

static const char *const turns[16] = {
    [0] = " ",
    [NORTH] = "│",
    [SOUTH] = "│",
    [NORTH | SOUTH] = "│",
    [EAST] = "─",
    [WEST] = "─",
    [EAST | WEST] = "─",
    [NORTH | EAST] = "╰",
    [NORTH | WEST] = "╯",
    [SOUTH | EAST] = "╭",
    [SOUTH | WEST] = "╮",
    [NORTH | SOUTH | EAST] = "├",
    [NORTH | SOUTH | WEST] = "┤",
    [EAST | WEST | SOUTH] = "┬",
    [EAST | WEST | NORTH] = "┴",
    [NORTH | SOUTH | EAST | WEST] = "┼",
};

static void print(struct grid *d, bool colours, struct text *out)
{
    for (int y = 0; y < d->rows; y++) {
        int last = d->columns;
        while (last > 0 && !at(d, last - 1, y)->glyph && !at(d, last - 1, y)->lines)
            last--;
        for (int x = 0; x < last; x++) {
            const struct cell *c = at(d, x, y);
            if (c->taken)
                continue;
            const char *glyph =
                c->glyph ? arena_text(d->g->arena, c->glyph, c->length) : turns[c->lines];
            paint_add(out, colours, c->glyph ? c->paint : c->bad ? PAINT_BAD : PAINT_NONE, glyph);
        }
        text_add(out, "\n");
    }
}

static void add_loops(const struct graph *g, struct text *out)
{
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *e = &g->edges.items[k];
        if (!e->back)
            continue;
        text_add(out, "around the loop: ");
        const char *ends[2] = {g->nodes.items[e->from].label, g->nodes.items[e->to].label};
        text_add_line(out, ends[0], strlen(ends[0]));
        text_add(out, " goes to ");
        text_add_line(out, ends[1], strlen(ends[1]));
        text_add(out, "\n");
    }
}

/* In columns and rows; false: it is too wide. */
static bool lay_out(struct grid *d, int columns)
{
    struct graph_space space = {
        .beside = 2, .below = 3, .between = 5, .head = LANE_ROWS, .widest = columns};
    piece_list pieces = {0};
    graph_layout(d->g, &space);
    find_pieces(d, &pieces);
    space.below = find_tracks(&pieces) + 2;
    graph_layout(d->g, &space);
    if (graph_split(d->g, &space))
        graph_layout(d->g, &space);
    return d->g->width <= columns;
}

bool graph_text(struct graph *g, int columns, bool colours, struct text *out)
{
    struct grid d = {.g = g};
    piece_list pieces = {0};
    bool lanes = g->has_lanes;
    if (g->nodes.count > MOST_NODES)
        return false;
    measure(g);
    bool fits = lay_out(&d, columns);
    if (!fits && lanes) { /* better without boundaries than not at all */
        g->has_lanes = false;
        fits = lay_out(&d, columns);
    }
    if (fits) {
        d.columns = (int)g->width + 20;
        d.rows = (int)g->height;
        d.cells = arena_array(g->arena, struct cell, d.columns * d.rows + 1);
        for (int n = 0; n < g->nodes.count; n++)
            put_node(&d, &g->nodes.items[n]);
        find_pieces(&d, &pieces);
        find_tracks(&pieces);
        put_lines(&d, &pieces);
        put_lanes(&d);
        print(&d, colours, out);
        add_loops(g, out);
    }
    g->has_lanes = lanes;
    g->apart = false;
    return fits;
}
