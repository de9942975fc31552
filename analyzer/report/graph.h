/* The dtype flow of a function as a picture: what it is given, what it makes of that, what it gives
 * away. Facts come in, a graph goes out, then places for its nodes, then SVG, dot or text.
 *
 *   graph.c         facts → nodes and edges
 *   graph_slot.c    which stores a load can read
 *   graph_mark.c    what is wrong, what is converted
 *   graph_layout.c  places for nodes, without help
 *   graph_part.c    parts that do not touch, set beside each other
 *   graph_dot.c     dot's text, and places by dot, where it is installed
 *   graph_svg.c     the picture
 *   graph_text.c    the same for a terminal */
#ifndef ANALYZER_REPORT_GRAPH_H
#define ANALYZER_REPORT_GRAPH_H

#include "rules/rules.h"

/* ---- the graph ----------------------------------------------------------------------------- */

enum graph_kind {
    GRAPH_VALUE, /* comes from outside: a parameter, a field */
    GRAPH_OP,    /* a call of a packed function */
    GRAPH_CAST,  /* one that changes dtype or device */
    GRAPH_CALL,  /* of another function of the program */
    GRAPH_SINK,  /* goes outside: returned, put into a field */
    GRAPH_KINDS
};

/* Where the devices of a value put it: boundaries are drawn between lanes. */
enum graph_lane { LANE_CPU, LANE_BOTH, LANE_CUDA, LANE_COUNT };

struct graph_node {
    enum graph_kind kind;
    const char *label; /* "h = linear()" */
    const char *fact;  /* "f16 cpu"; NULL: it gives no tensor */
    uint16_t dtypes;   /* 0: not known, or none */
    enum graph_lane lane;
    struct span span;
    const struct finding *wrong; /* the gravest finding about it; NULL */
    const char *mark;            /* in two words; NULL: nothing is wrong */
    /* Layout: the middle, and the size, in the units of whoever draws. */
    int layer, component;
    double x, y, width, height;
};

struct graph_point {
    double x, y;
};

struct graph_edge {
    int from, to;
    const char *label; /* "→ f32", "f16"; NULL */
    bool converts;     /* the value is converted without being asked to be */
    bool bad;          /* it is what is wrong */
    bool back;         /* around a loop */
    /* Layout: of a curve the beginning, then three points for each piece. */
    LIST(struct graph_point) path;
};

/* Around what is in one lane of a part, if there are lanes. */
struct graph_box {
    enum graph_lane lane;
    int component;
    double left, top, right, bottom;
};

struct graph {
    struct arena *arena;
    const struct ir_function *function;
    const char *file; /* that it is in, as findings name it */
    LIST(struct graph_node) nodes;
    LIST(struct graph_edge) edges;
    int left_out; /* nodes beyond GRAPH_MOST */
    bool cut;     /* some value has more sources than are drawn */
    double width, height;
    bool has_lanes; /* more than one is used */
    bool apart;     /* each part has lanes of its own */
    LIST(struct graph_box) boxes;
};

enum { GRAPH_MOST = 120 };

struct graph_input {
    struct arena *arena;
    const struct flow *flow;
    const struct pack_set *packs;
    const struct ir_function *function;
    const char *file;             /* that it is in, as findings name it */
    const struct source *source;  /* that file; NULL: not readable */
    const finding_list *findings; /* in this function */
};

/* A function without tensors has no nodes. */
struct graph *graph_make(const struct graph_input *in);

/* ---- layout -------------------------------------------------------------------------------- */

struct graph_space {
    double beside, below; /* between nodes */
    double between;       /* lanes */
    double around, head;  /* a lane: beside and below, and above */
    double widest;        /* parts that do not touch go below each other beyond this */
};

/* Nodes have their sizes. */
void graph_layout(struct graph *g, const struct graph_space *space);
/* The same by dot, of several graphs at once. False: dot is not there, or failed; nothing changed.
 */
bool graph_layout_dot(struct graph *const *graphs, int count, const struct graph_space *space);

/* ---- pictures ------------------------------------------------------------------------------ */

/* Where a node leads to in a page, as an attribute's value; NULL: nowhere. */
typedef const char *(*graph_link)(void *context, const struct graph *g, const struct graph_node *n);

/* Sizes, then places: by dot if wanted and there. */
void graph_place(struct graph *const *graphs, int count, bool by_dot);
/* Of a graph that has its places. alone: a file of its own, with its style in it. */
void graph_svg(const struct graph *g, bool alone, graph_link link, void *context, struct text *out);
void graph_dot(const struct graph *g, struct text *out);
/* False: it is too large for that, and nothing was written. columns: of the terminal. */
bool graph_text(struct graph *g, int columns, bool colours, struct text *out);

/* The class that a set of dtypes is drawn by: "f16"; "any" for what is not known. */
const char *graph_dtype_class(enum dtype d);
extern const char *const graph_lane_names[LANE_COUNT];

/* ---- between the files --------------------------------------------------------------------- */

struct graph_slots;
struct graph_slots *slots_find(const struct graph_input *in);
/* What the load can find: instructions that stored there, calls that had its address, or changed it
 * in place; 0: what was there before. */
typedef LIST(ir_value) slot_sources;
void slots_reaching(struct graph_slots *s, ir_value load, slot_sources *out);
/* The same of a whole local, as a call finds it that gets its address. */
void slots_reaching_local(struct graph_slots *s, int local, ir_value at, slot_sources *out);
/* Whether some load has more than were told. */
bool slots_cut(const struct graph_slots *s);
/* The local that the address lies in; -1: in none. */
int slots_root(const struct ir_function *f, ir_value address);
/* Whether tensors are in it. */
bool slots_holds(const struct graph_input *in, const struct type *t);
/* Whether the picture shows the value. */
bool slots_shows(const struct graph_input *in, ir_value v);
/* Behind conversions, and behind calls that hand on what they are given. */
ir_value slots_within(const struct graph_input *in, ir_value v);

/* Numbers the parts that do not touch, and sets them beside and below each other once each of them
 * begins at 0, 0. */
int graph_parts(struct graph *g);
void graph_move(struct graph *g, int part, double x, double y);
void graph_pack(struct graph *g, int parts, const struct graph_point *sizes,
                const struct graph_space *space);

/* Takes up a box, if there are lanes. */
void graph_box(struct graph *g, struct graph_box b);
/* Whether it is too wide, and would be less with lanes in each part: then it is to be laid out so.
 */
bool graph_split(struct graph *g, const struct graph_space *space);

/* The node of an instruction was made: what is wrong with it. */
void graph_mark_node(const struct graph_input *in, struct graph_node *n, ir_value inst);
/* The edge is operand `param` of the call; -1: of a function of the program. */
void graph_mark_edge(const struct graph_input *in, struct graph_edge *e, ir_value call, int param);

#endif
