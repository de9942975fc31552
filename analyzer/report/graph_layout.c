/* Layered layout: edges lead downwards, except for back edges. Within a layer, nodes are ordered by
 * lane and then so that few edges cross, and finally moved towards their neighbours. Connected
 * components are laid out separately (graph_part.c). */
#include "analyzer/report/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 12, PULLS = 10 };

/* A node, or the place where a long edge crosses a layer. */
struct item {
    int node, edge; /* one of them is -1 */
    int layer, order;
    enum graph_lane lane;
    double x, width, wanted;
};

typedef LIST(int) index_list;

struct laying {
    struct graph *g;
    const struct graph_space *space;
    LIST(struct item) items;
    int *item;          /* of each node */
    index_list *layers; /* items, in order */
    int layer_count;
    index_list *above, *below; /* of each item: its neighbours */
};

/* ---- layers --------------------------------------------------------------------------------- */

/* Marks back edges: those that lead to a node on the current depth-first path. */
static void find_back(struct graph *g, int n, char *state)
{
    state[n] = 1;
    for (int k = 0; k < g->edges.count; k++) {
        struct graph_edge *e = &g->edges.items[k];
        if (e->from != n)
            continue;
        e->back = state[e->to] == 1;
        if (!state[e->to])
            find_back(g, e->to, state);
    }
    state[n] = 2;
}

static bool is_fed(const struct graph *g, int n)
{
    for (int k = 0; k < g->edges.count; k++)
        if (g->edges.items[k].to == n && !g->edges.items[k].back)
            return true;
    return false;
}

static void find_layers(struct graph *g)
{
    char *state = arena_array(g->arena, char, g->nodes.count + 1);
    bool changed = true;
    for (int n = 0; n < g->nodes.count; n++)
        if (!state[n])
            find_back(g, n, state);
    for (int n = 0; n < g->nodes.count; n++)
        g->nodes.items[n].layer = 0;
    while (changed) {
        changed = false;
        for (int k = 0; k < g->edges.count; k++) {
            const struct graph_edge *e = &g->edges.items[k];
            struct graph_node *from = &g->nodes.items[e->from], *to = &g->nodes.items[e->to];
            if (e->back || to->layer > from->layer)
                continue;
            to->layer = from->layer + 1;
            changed = true;
        }
    }
    /* Inputs go just above their first use. */
    for (int n = 0; n < g->nodes.count; n++) {
        int first = -1;
        for (int k = 0; k < g->edges.count; k++) {
            const struct graph_edge *e = &g->edges.items[k];
            int to = g->nodes.items[e->to].layer;
            if (e->from == n && !e->back && (first < 0 || to < first))
                first = to;
        }
        if (first > 0 && !is_fed(g, n))
            g->nodes.items[n].layer = first - 1;
    }
}

/* ---- items ---------------------------------------------------------------------------------- */

static int add_item(struct laying *l, struct item i)
{
    LIST_ADD(l->g->arena, &l->items, i);
    LIST_ADD(l->g->arena, &l->layers[i.layer], l->items.count - 1);
    return l->items.count - 1;
}

static void join(struct laying *l, int above, int below)
{
    LIST_ADD(l->g->arena, &l->below[above], below);
    LIST_ADD(l->g->arena, &l->above[below], above);
}

static int places_needed(const struct graph *g)
{
    int count = g->nodes.count;
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *e = &g->edges.items[k];
        count += abs(g->nodes.items[e->to].layer - g->nodes.items[e->from].layer);
    }
    return count;
}

static void add_long_edge(struct laying *l, int k)
{
    const struct graph_edge *e = &l->g->edges.items[k];
    const struct graph_node *from = &l->g->nodes.items[e->from], *to = &l->g->nodes.items[e->to];
    int before = l->item[e->from];
    for (int layer = from->layer + 1; layer < to->layer; layer++) {
        struct item i = {.node = -1,
                         .edge = k,
                         .layer = layer,
                         .lane = l->g->has_lanes ? to->lane : LANE_CPU,
                         .width = l->space->beside / 2};
        int n = add_item(l, i);
        join(l, before, n);
        before = n;
    }
    join(l, before, l->item[e->to]);
}

static void add_items(struct laying *l, int part)
{
    struct graph *g = l->g;
    for (int n = 0; n < g->nodes.count; n++) {
        const struct graph_node *node = &g->nodes.items[n];
        struct item i = {.node = n,
                         .edge = -1,
                         .layer = node->layer,
                         .lane = g->has_lanes ? node->lane : LANE_CPU,
                         .width = node->width};
        if (node->component == part)
            l->item[n] = add_item(l, i);
    }
    for (int k = 0; k < g->edges.count; k++)
        if (g->nodes.items[g->edges.items[k].from].component == part && !g->edges.items[k].back)
            add_long_edge(l, k);
}

/* ---- order ---------------------------------------------------------------------------------- */

static void number(struct laying *l, int layer)
{
    for (int k = 0; k < l->layers[layer].count; k++)
        l->items.items[l->layers[layer].items[k]].order = k;
}

static double middle_of(const struct laying *l, const index_list *neighbours, double otherwise)
{
    double sum = 0;
    for (int k = 0; k < neighbours->count; k++)
        sum += l->items.items[neighbours->items[k]].order;
    return neighbours->count ? sum / neighbours->count : otherwise;
}

/* Sorts by lane, then by the position of neighbours; an insertion sort, stable and for few items.
 */
static void sort_layer(struct laying *l, int layer, bool down)
{
    index_list *y = &l->layers[layer];
    for (int k = 0; k < y->count; k++) {
        struct item *i = &l->items.items[y->items[k]];
        i->wanted = middle_of(l, down ? &l->above[y->items[k]] : &l->below[y->items[k]], k);
    }
    for (int k = 1; k < y->count; k++)
        for (int j = k; j > 0; j--) {
            const struct item *a = &l->items.items[y->items[j - 1]];
            const struct item *b = &l->items.items[y->items[j]];
            if (a->lane < b->lane || (a->lane == b->lane && a->wanted <= b->wanted))
                break;
            int moved = y->items[j];
            y->items[j] = y->items[j - 1];
            y->items[j - 1] = moved;
        }
    number(l, layer);
}

static int crossings(const struct laying *l)
{
    int count = 0;
    for (int layer = 0; layer + 1 < l->layer_count; layer++)
        for (int a = 0; a < l->layers[layer].count; a++)
            for (int b = a + 1; b < l->layers[layer].count; b++) {
                const index_list *x = &l->below[l->layers[layer].items[a]];
                const index_list *y = &l->below[l->layers[layer].items[b]];
                for (int i = 0; i < x->count; i++)
                    for (int j = 0; j < y->count; j++)
                        count +=
                            l->items.items[x->items[i]].order > l->items.items[y->items[j]].order;
            }
    return count;
}

static void copy_order(const struct laying *l, int *to, const int *from)
{
    for (int layer = 0, at = 0; layer < l->layer_count; layer++)
        for (int k = 0; k < l->layers[layer].count; k++, at++) {
            if (to)
                to[at] = l->layers[layer].items[k];
            else
                l->layers[layer].items[k] = from[at];
        }
}

static void find_order(struct laying *l)
{
    int *best = arena_array(l->g->arena, int, l->items.count + 1), fewest = -1;
    for (int layer = 0; layer < l->layer_count; layer++)
        number(l, layer);
    for (int sweep = 0; sweep < SWEEPS && fewest; sweep++) {
        bool down = sweep % 2 == 0;
        for (int k = 0; k < l->layer_count; k++)
            sort_layer(l, down ? k : l->layer_count - 1 - k, down);
        int now = crossings(l);
        if (fewest >= 0 && now >= fewest)
            continue;
        fewest = now;
        copy_order(l, best, NULL);
    }
    copy_order(l, NULL, best);
    for (int layer = 0; layer < l->layer_count; layer++)
        number(l, layer);
}

/* ---- places --------------------------------------------------------------------------------- */

static double gap_between(const struct laying *l, const struct item *a, const struct item *b)
{
    bool passes = a->node < 0 || b->node < 0;
    return (a->width + b->width) / 2 + (passes ? l->space->beside / 2 : l->space->beside);
}

/* The average position of neighbours in the same lane, on one side. */
static void want(struct laying *l, struct item *i, const index_list *neighbours)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < neighbours->count; k++) {
        const struct item *o = &l->items.items[neighbours->items[k]];
        if (o->lane != i->lane)
            continue;
        sum += o->x;
        count++;
    }
    i->wanted = count ? sum / count : i->x;
}

/* Places the items of one lane in a layer as close to their desired positions as possible. */
static void place(struct laying *l, const index_list *y, int from, int to)
{
    struct item *items = l->items.items;
    double least = 0;
    for (int k = from; k < to; k++) {
        struct item *i = &items[y->items[k]];
        if (k > from)
            least = items[y->items[k - 1]].x + gap_between(l, &items[y->items[k - 1]], i);
        i->x = k == from || i->wanted > least ? i->wanted : least;
    }
    /* Displacement is shared among the items that touch. */
    for (int k = to - 1; k >= from; k--) {
        double pushed = 0;
        int j = k;
        for (; j >= from; j--) {
            const struct item *i = &items[y->items[j]];
            pushed += i->x - i->wanted;
            if (j == from ||
                i->x - items[y->items[j - 1]].x > gap_between(l, &items[y->items[j - 1]], i) + 1e-6)
                break;
        }
        j = j < from ? from : j;
        double room = pushed / (k - j + 1);
        if (j > from) {
            double free = items[y->items[j]].x - items[y->items[j - 1]].x -
                          gap_between(l, &items[y->items[j - 1]], &items[y->items[j]]);
            room = room < free ? room : free;
        }
        for (int m = j; m <= k && room > 0; m++)
            items[y->items[m]].x -= room;
        k = j;
    }
}

static void place_layer(struct laying *l, int layer, bool down)
{
    const index_list *y = &l->layers[layer];
    for (int k = 0; k < y->count; k++)
        want(l, &l->items.items[y->items[k]],
             down ? &l->above[y->items[k]] : &l->below[y->items[k]]);
    for (int from = 0, to; from < y->count; from = to) {
        enum graph_lane lane = l->items.items[y->items[from]].lane;
        for (to = from; to < y->count && l->items.items[y->items[to]].lane == lane;)
            to++;
        place(l, y, from, to);
    }
}

static void pack_left(struct laying *l)
{
    for (int layer = 0; layer < l->layer_count; layer++) {
        const index_list *y = &l->layers[layer];
        for (int k = 0; k < y->count; k++) {
            struct item *i = &l->items.items[y->items[k]];
            const struct item *b = k ? &l->items.items[y->items[k - 1]] : NULL;
            i->x = b && b->lane == i->lane ? b->x + gap_between(l, b, i) : i->width / 2;
        }
    }
}

/* Lanes side by side, all as high as the component; returns their width. */
static double set_lanes(struct laying *l, int part, double height)
{
    double at = 0;
    for (enum graph_lane lane = 0; lane < LANE_COUNT; lane++) {
        double left = INFINITY, right = -INFINITY;
        for (int k = 0; k < l->items.count; k++) {
            const struct item *i = &l->items.items[k];
            if (i->lane != lane)
                continue;
            left = fmin(left, i->x - i->width / 2);
            right = fmax(right, i->x + i->width / 2);
        }
        if (left > right)
            continue;
        for (int k = 0; k < l->items.count; k++)
            if (l->items.items[k].lane == lane)
                l->items.items[k].x += at - left;
        graph_box(l->g, (struct graph_box){lane, part, at, 0, at + right - left, height});
        at += right - left + l->space->between;
    }
    return at - l->space->between;
}

static void find_places(struct laying *l)
{
    pack_left(l);
    for (int pull = 0; pull < PULLS; pull++)
        for (int k = 0; k < l->layer_count; k++)
            place_layer(l, pull % 2 ? l->layer_count - 1 - k : k, pull % 2 == 0);
}

/* ---- curves --------------------------------------------------------------------------------- */

static void add_point(struct graph *g, struct graph_edge *e, double x, double y)
{
    LIST_ADD(g->arena, &e->path, ((struct graph_point){x, y}));
}

/* Down, with the horizontal movement in the middle. */
static void add_curve(struct graph *g, struct graph_edge *e, double x, double y)
{
    struct graph_point from = e->path.items[e->path.count - 1];
    double bend = (y - from.y) / 2;
    add_point(g, e, from.x, from.y + bend);
    add_point(g, e, x, y - bend);
    add_point(g, e, x, y);
}

/* The ends of edges are spread over the upper side of a node, by where they come from. */
static double port_of(const struct laying *l, int edge, bool at_end)
{
    const struct graph *g = l->g;
    const struct graph_edge *e = &g->edges.items[edge];
    const struct graph_node *n = &g->nodes.items[at_end ? e->to : e->from];
    double own = g->nodes.items[at_end ? e->from : e->to].x;
    int count = 0, place = 0;
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *o = &g->edges.items[k];
        if ((at_end ? o->to : o->from) != (at_end ? e->to : e->from) || o->back)
            continue;
        double x = g->nodes.items[at_end ? o->from : o->to].x;
        place += x < own || (x <= own && k < edge);
        count++;
    }
    double step = count > 1 ? fmin(n->width * 0.7 / (count - 1), l->space->beside * 2) : 0;
    return n->x + (place - (count - 1) / 2.0) * (at_end ? step : step / 2);
}

static void draw_edges(struct laying *l, int part, const double *top, const double *height)
{
    struct graph *g = l->g;
    for (int k = 0; k < g->edges.count; k++) {
        struct graph_edge *e = &g->edges.items[k];
        const struct graph_node *from = &g->nodes.items[e->from], *to = &g->nodes.items[e->to];
        e->path.count = from->component == part ? 0 : e->path.count;
        if (from->component != part)
            continue;
        if (e->back) { /* past both nodes, and up */
            double x = fmax(from->x + from->width / 2, to->x + to->width / 2) + l->space->beside;
            add_point(g, e, from->x + from->width / 2, from->y + from->height / 4);
            add_point(g, e, x, from->y + from->height / 4);
            add_point(g, e, x, to->y - to->height / 4);
            add_point(g, e, to->x + to->width / 2, to->y - to->height / 4);
            continue;
        }
        add_point(g, e, port_of(l, k, false), from->y + from->height / 2);
        for (int i = 0; i < l->items.count; i++)
            if (l->items.items[i].edge == k) {
                const struct item *at = &l->items.items[i];
                add_curve(g, e, at->x, top[at->layer]);
                add_curve(g, e, at->x, top[at->layer] + height[at->layer]);
            }
        add_curve(g, e, port_of(l, k, true), to->y - to->height / 2);
    }
}

/* ---- a part, and all of them ---------------------------------------------------------------- */

static struct graph_point lay_part(struct graph *g, int part, const struct graph_space *space)
{
    struct graph_point size;
    struct laying l = {.g = g, .space = space};
    for (int n = 0; n < g->nodes.count; n++)
        if (g->nodes.items[n].component == part && g->nodes.items[n].layer >= l.layer_count)
            l.layer_count = g->nodes.items[n].layer + 1;
    int room = places_needed(g) + 1;
    l.item = arena_array(g->arena, int, g->nodes.count + 1);
    l.layers = arena_array(g->arena, index_list, l.layer_count);
    l.above = arena_array(g->arena, index_list, room);
    l.below = arena_array(g->arena, index_list, room);
    add_items(&l, part);
    find_order(&l);
    find_places(&l);
    double *top = arena_array(g->arena, double, l.layer_count);
    double *height = arena_array(g->arena, double, l.layer_count);
    for (int k = 0; k < l.items.count; k++) {
        const struct item *i = &l.items.items[k];
        if (i->node >= 0)
            height[i->layer] = fmax(height[i->layer], g->nodes.items[i->node].height);
    }
    for (int layer = 1; layer < l.layer_count; layer++)
        top[layer] = top[layer - 1] + height[layer - 1] + space->below;
    size.y = top[l.layer_count - 1] + height[l.layer_count - 1];
    size.x = set_lanes(&l, part, size.y);
    for (int k = 0; k < l.items.count; k++) {
        const struct item *i = &l.items.items[k];
        if (i->node < 0)
            continue;
        g->nodes.items[i->node].x = i->x;
        g->nodes.items[i->node].y = top[i->layer] + height[i->layer] / 2;
    }
    draw_edges(&l, part, top, height);
    for (int k = 0; k < g->edges.count; k++) /* back edges go past the nodes */
        for (int i = 0; g->edges.items[k].back && i < g->edges.items[k].path.count; i++)
            if (g->nodes.items[g->edges.items[k].from].component == part)
                size.x = fmax(size.x, g->edges.items[k].path.items[i].x);
    return size;
}

void graph_layout(struct graph *g, const struct graph_space *space)
{
    int parts = graph_parts(g);
    struct graph_point *sizes = arena_array(g->arena, struct graph_point, parts + 1);
    find_layers(g);
    g->boxes.count = 0;
    for (int part = 0; part < parts; part++)
        sizes[part] = lay_part(g, part, space);
    graph_pack(g, parts, sizes, space);
}
