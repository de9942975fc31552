/* Connected components of a graph: each is laid out alone, then they are placed in rows, so that a
 * picture is not wider than necessary. Lanes of devices are shared by all components, or, if that
 * would be too wide, each has its own. */
#include "analyzer/report/graph.h"

#include <math.h>

/* ---- parts ---------------------------------------------------------------------------------- */

static int part_of(int *parent, int n)
{
    while (parent[n] != n)
        n = parent[n] = parent[parent[n]];
    return n;
}

/* Numbers the components by their first node; with shared lanes, all are one. */
int graph_parts(struct graph *g)
{
    int *parent = arena_array(g->arena, int, g->nodes.count + 1), count = 0;
    for (int n = 0; n < g->nodes.count; n++)
        parent[n] = g->has_lanes && !g->apart ? 0 : n;
    for (int k = 0; k < g->edges.count; k++) {
        int a = part_of(parent, g->edges.items[k].from), b = part_of(parent, g->edges.items[k].to);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int n = 0; n < g->nodes.count; n++) {
        int root = part_of(parent, n);
        g->nodes.items[n].component = root == n ? count++ : g->nodes.items[root].component;
    }
    return count;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

void graph_move(struct graph *g, int part, double x, double y)
{
    for (int n = 0; n < g->nodes.count; n++)
        if (g->nodes.items[n].component == part) {
            g->nodes.items[n].x += x;
            g->nodes.items[n].y += y;
        }
    for (int k = 0; k < g->edges.count; k++) {
        struct graph_edge *e = &g->edges.items[k];
        for (int i = 0; i < e->path.count && g->nodes.items[e->from].component == part; i++) {
            e->path.items[i].x += x;
            e->path.items[i].y += y;
        }
    }
    for (int k = 0; k < g->boxes.count; k++) {
        struct graph_box *b = &g->boxes.items[k];
        double moved = b->component == part;
        b->left += moved * x;
        b->right += moved * x;
        b->top += moved * y;
        b->bottom += moved * y;
    }
}

void graph_box(struct graph *g, struct graph_box b)
{
    if (g->has_lanes)
        LIST_ADD(g->arena, &g->boxes, b);
}

void graph_pack(struct graph *g, int parts, const struct graph_point *sizes,
                const struct graph_space *space)
{
    double side = g->has_lanes ? space->around : 0, head = g->has_lanes ? space->head : 0;
    double x = 0, y = 0, tallest = 0;
    g->width = 0;
    for (int part = 0; part < parts; part++) {
        double width = sizes[part].x + 2 * side, height = sizes[part].y + head + side;
        if (x > 0 && x + width > space->widest) {
            y += tallest + space->below;
            x = tallest = 0;
        }
        graph_move(g, part, x + side, y + head);
        g->width = fmax(g->width, x + width);
        x += width + 2 * space->beside;
        tallest = fmax(tallest, height);
    }
    g->height = y + tallest;
}

bool graph_split(struct graph *g, const struct graph_space *space)
{
    if (!g->has_lanes || g->apart || g->width <= space->widest)
        return false;
    g->apart = true;
    if (graph_parts(g) > 1)
        return true;
    g->apart = false;
    graph_parts(g);
    return false;
}
