/* Graphs in the dot language, and layout by dot if it is installed. For layout, dot gets only node
 * numbers and sizes, never their names. */
#include "analyzer/report/graph.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POINTS = 72, PATIENCE_MS = 300000 };

/* ---- for dot to lay out --------------------------------------------------------------------- */

static void add_cluster(const struct graph *g, int part, int lane, struct text *out)
{
    if (g->has_lanes)
        text_printf(out, "subgraph cluster_%d {\nmargin=22;\n", lane);
    for (int n = 0; n < g->nodes.count; n++) {
        const struct graph_node *node = &g->nodes.items[n];
        if (node->component == part && (!g->has_lanes || (int)node->lane == lane))
            text_printf(out, "n%d [width=%.4f, height=%.4f];\n", n, node->width / POINTS,
                        node->height / POINTS);
    }
    text_add(out, g->has_lanes ? "}\n" : "");
}

static void add_part(const struct graph *g, int part, const struct graph_space *s, struct text *out)
{
    text_printf(out,
                "digraph {\nnodesep=%.4f; ranksep=%.4f;\nnode [shape=box, fixedsize=true, "
                "label=\"\"];\nedge [arrowhead=none];\n",
                s->beside / POINTS, s->below / POINTS);
    for (int lane = 0; lane < (g->has_lanes ? LANE_COUNT : 1); lane++)
        add_cluster(g, part, lane, out);
    for (int k = 0; k < g->edges.count; k++)
        if (g->nodes.items[g->edges.items[k].from].component == part)
            text_printf(out, "n%d -> n%d;\n", g->edges.items[k].from, g->edges.items[k].to);
    text_add(out, "}\n");
}

/* ---- running it ----------------------------------------------------------------------------- */

static bool await(pid_t dot)
{
    int status;
    for (int waited = 0; waited < PATIENCE_MS; waited += 2) {
        pid_t done = waitpid(dot, &status, WNOHANG);
        if (done)
            return done == dot && WIFEXITED(status) && !WEXITSTATUS(status);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    kill(dot, SIGKILL);
    waitpid(dot, &status, 0);
    return false;
}

/* From one open file to another. */
static bool run_dot(struct arena *a, FILE *in, FILE *out)
{
    const char *const words[] = {"dot", "-Tplain", NULL};
    const struct program_start how = {.program = program_find(a, "dot"),
                                      .words = words,
                                      .variables = (const char *const *)environ,
                                      .streams = {fileno(in), fileno(out), -1}};
    pid_t dot;
    return how.program && program_start(&how, &dot) && await(dot);
}

/* NULL: dot is missing or failed. */
static char *ask_dot(struct arena *a, const struct text *given)
{
    FILE *in = tmpfile(), *out = tmpfile();
    char *answer = NULL;
    bool ok = in && out && fwrite(given->data, 1, given->length, in) == given->length &&
              !fflush(in) && !fseek(in, 0, SEEK_SET) && run_dot(a, in, out);
    if (ok && !fseek(out, 0, SEEK_END)) {
        long length = ftell(out);
        rewind(out);
        answer = length > 0 ? arena_alloc(a, (size_t)length + 1) : NULL;
        if (answer && fread(answer, 1, (size_t)length, out) != (size_t)length)
            answer = NULL;
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return answer;
}

/* ---- what it says --------------------------------------------------------------------------- */

struct answer {
    char *at;
    bool wrong;
};

static char *next_word(struct answer *r)
{
    r->at += strspn(r->at, " \n");
    char *word = r->at;
    r->at += strcspn(r->at, " \n");
    if (*r->at)
        *r->at++ = '\0';
    r->wrong |= !*word;
    return word;
}

static double next_number(struct answer *r)
{
    return strtod(next_word(r), NULL) * POINTS;
}

/* "n12"; fails if there is no such node. */
static int next_node(struct answer *r, const struct graph *g)
{
    const char *word = next_word(r);
    long n = *word == 'n' ? strtol(word + 1, NULL, 10) : -1;
    bool there = n >= 0 && n < g->nodes.count;
    r->wrong |= !there;
    return there ? (int)n : 0;
}

static void read_edge(struct answer *r, struct graph *g, double height)
{
    int from = next_node(r, g), to = next_node(r, g), count = atoi(next_word(r));
    struct graph_edge *e = NULL;
    for (int k = 0; k < g->edges.count && !e; k++)
        if (g->edges.items[k].from == from && g->edges.items[k].to == to)
            e = &g->edges.items[k];
    if (e)
        e->path.count = 0;
    for (int i = 0; i < count && !r->wrong; i++) {
        double x = next_number(r), y = next_number(r);
        if (e)
            LIST_ADD(g->arena, &e->path, ((struct graph_point){x, height - y}));
    }
}

static void widen(struct graph_point *least, struct graph_point *most, double x, double y)
{
    least->x = fmin(least->x, x);
    least->y = fmin(least->y, y);
    most->x = fmax(most->x, x);
    most->y = fmax(most->y, y);
}

static void widen_by(struct graph_point *least, struct graph_point *most,
                     const struct graph_node *n)
{
    widen(least, most, n->x - n->width / 2, n->y - n->height / 2);
    widen(least, most, n->x + n->width / 2, n->y + n->height / 2);
}

/* dot leaves margins around empty lanes: the component is cropped to its contents. */
static struct graph_point trim_part(struct graph *g, int part)
{
    struct graph_point least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
    for (int n = 0; n < g->nodes.count; n++) {
        if (g->nodes.items[n].component == part)
            widen_by(&least, &most, &g->nodes.items[n]);
    }
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *e = &g->edges.items[k];
        for (int i = 0; g->nodes.items[e->from].component == part && i < e->path.count; i++)
            widen(&least, &most, e->path.items[i].x, e->path.items[i].y);
    }
    graph_move(g, part, -least.x, -least.y);
    return (struct graph_point){most.x - least.x, most.y - least.y};
}

/* Reads one component, up to "stop". */
static struct graph_point read_part(struct answer *r, struct graph *g, int part)
{
    struct graph_point size = {0};
    while (!r->wrong) {
        const char *word = next_word(r);
        if (!strcmp(word, "stop"))
            break;
        if (!strcmp(word, "graph")) {
            next_word(r);
            size.x = next_number(r);
            size.y = next_number(r);
        } else if (!strcmp(word, "node")) {
            struct graph_node *n = &g->nodes.items[next_node(r, g)];
            n->x = next_number(r);
            n->y = size.y - next_number(r);
        } else if (!strcmp(word, "edge"))
            read_edge(r, g, size.y);
    }
    return trim_part(g, part);
}

/* With dot, no node of another lane is within this box. */
static void box_lanes(struct graph *g, int part)
{
    for (enum graph_lane lane = 0; lane < LANE_COUNT; lane++) {
        struct graph_point least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
        for (int n = 0; n < g->nodes.count; n++)
            if (g->nodes.items[n].component == part && g->nodes.items[n].lane == lane)
                widen_by(&least, &most, &g->nodes.items[n]);
        if (least.x < most.x)
            graph_box(g, (struct graph_box){lane, part, least.x, least.y, most.x, most.y});
    }
}

static void read_graph(struct answer *r, struct graph *g, const struct graph_space *space,
                       int parts)
{
    struct graph_point *sizes = arena_array(g->arena, struct graph_point, parts + 1);
    g->boxes.count = 0;
    for (int part = 0; part < parts; part++) {
        sizes[part] = read_part(r, g, part);
        box_lanes(g, part);
    }
    graph_pack(g, parts, sizes, space);
}

bool graph_layout_dot(struct graph *const *graphs, int count, const struct graph_space *space)
{
    struct text given = {0};
    if (!count)
        return true;
    int *parts = arena_array(graphs[0]->arena, int, count);
    for (int i = 0; i < count; i++) {
        parts[i] = graph_parts(graphs[i]);
        for (int part = 0; part < parts[i]; part++)
            add_part(graphs[i], part, space, &given);
    }
    struct answer r = {.at = ask_dot(graphs[0]->arena, &given)};
    text_free(&given);
    for (int i = 0; i < count && r.at && !r.wrong; i++)
        read_graph(&r, graphs[i], space, parts[i]);
    return r.at && !r.wrong;
}

/* ---- for people who have dot ---------------------------------------------------------------- */

/* Within quotes. dot also interprets HTML entities. */
static void add_plain(struct text *out, const char *s)
{
    struct text line = {0};
    text_add_line(&line, s, strlen(s));
    for (const char *c = line.data ? line.data : ""; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_add(out, "\\");
        text_add_range(out, c, 1);
        text_add(out, *c == '&' ? "amp;" : "");
    }
    text_free(&line);
}

static void add_quoted(struct text *out, const char *s)
{
    text_add(out, "\"");
    add_plain(out, s);
    text_add(out, "\"");
}

static const char *const shapes[GRAPH_KINDS] = {
    [GRAPH_VALUE] = "ellipse", [GRAPH_OP] = "box",   [GRAPH_CAST] = "hexagon",
    [GRAPH_CALL] = "box3d",    [GRAPH_SINK] = "cds",
};

static void add_dot_node(const struct graph *g, int n, struct text *out)
{
    const struct graph_node *node = &g->nodes.items[n];
    text_printf(out, "    n%d [shape=%s, label=\"", n, shapes[node->kind]);
    add_plain(out, node->label);
    text_add(out, node->fact ? "\\n" : ""); /* a line break in dot */
    add_plain(out, node->fact ? node->fact : "");
    text_add(out, node->mark ? "\\n✕ " : "");
    add_plain(out, node->mark ? node->mark : "");
    text_add(out, "\"");
    text_add(out, node->mark ? ", color=red, penwidth=2];\n" : "];\n");
}

static void add_edge_style(const struct graph_edge *e, struct text *out)
{
    text_add(out, " [label=");
    add_quoted(out, e->label ? e->label : "");
    text_add(out, e->bad ? ", color=red, fontcolor=red, penwidth=2]" : ", style=dashed]");
}

void graph_dot(const struct graph *g, struct text *out)
{
    text_add(out, "digraph ");
    add_quoted(out, g->function->name);
    text_add(out, " {\n    node [fontname=monospace, fontsize=10];\n"
                  "    edge [fontname=monospace, fontsize=9];\n");
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        if (g->has_lanes)
            text_printf(out, "    subgraph cluster_%d {\n    label=\"%s\"; style=dashed;\n", lane,
                        graph_lane_names[lane]);
        for (int n = 0; n < g->nodes.count; n++)
            if ((int)g->nodes.items[n].lane == lane)
                add_dot_node(g, n, out);
        text_add(out, g->has_lanes ? "    }\n" : "");
    }
    for (int k = 0; k < g->edges.count; k++) {
        const struct graph_edge *e = &g->edges.items[k];
        text_printf(out, "    n%d -> n%d", e->from, e->to);
        if (e->label || e->bad)
            add_edge_style(e, out);
        text_add(out, ";\n");
    }
    text_add(out, "}\n");
}
