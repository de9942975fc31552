/* The dtype flow of a function as a picture: inputs, calls, outputs. Facts become a graph, the
 * graph is laid out, and the result is written as SVG, dot or text.
 *
 *   graph.c         facts to nodes and edges
 *   graph_slot.c    which stores a load can read
 *   graph_mark.c    findings and implicit conversions
 *   graph_layout.c  a layered layout of our own
 *   graph_part.c    placing connected components next to each other
 *   graph_dot.c     the dot language, and layout by dot if it is installed
 *   graph_svg.c     SVG
 *   graph_text.c    boxes and lines for a terminal */
#ifndef ANALYZER_REPORT_GRAPH_H
#define ANALYZER_REPORT_GRAPH_H

#include "rules/rules.h"

/* ---- the graph ----------------------------------------------------------------------------- */

enum graph_kind {
    GRAPH_VALUE, /* comes from outside: a parameter, a field */
    GRAPH_OP,    /* a call of a packed function */
    GRAPH_CAST,  /* one that changes dtype or device */
    GRAPH_CALL,  /* a call of another function of the program */
    GRAPH_SINK,  /* leaves the function: returned, stored in a field */
    GRAPH_KINDS
};

/* By the devices of a value; boundaries are drawn between lanes. */
enum graph_lane { LANE_CPU, LANE_BOTH, LANE_CUDA, LANE_COUNT };

struct graph_node {
    enum graph_kind kind;
    const char *label; /* "h = linear()" */
    const char *fact;  /* "f16 cpu"; NULL: it yields no tensor */
    dtype_set dtypes;  /* 0: not known, or none */
    enum graph_lane lane;
    struct span span;
    const struct finding *wrong; /* the most severe finding about it; NULL */
    const char *mark;            /* in a few words; NULL: nothing is wrong */
    /* Layout: center and size, in the units of the renderer. */
    int layer, component;
    double x, y, width, height;
};

struct graph_point {
    double x, y;
};

struct graph_edge {
    int from, to;
    const char *label; /* "→ f32", "f16"; NULL */
    bool converts;     /* the value is converted implicitly */
    bool bad;          /* it is part of an error */
    bool back;         /* the back edge of a loop */
    /* Layout: a Bézier curve: its start, then three points per segment. */
    LIST(struct graph_point) path;
};

/* Around the nodes of one lane of a component, if there are lanes. */
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
    bool cut;     /* some value has more sources than drawn */
    double width, height;
    bool has_lanes; /* more than one is used */
    bool apart;     /* each component has its own lanes */
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
    double around, head;  /* margins of a lane: sides and bottom, top */
    double widest;        /* components wrap to a new row beyond this width */
};

/* Requires the sizes of the nodes. */
void graph_layout(struct graph *g, const struct graph_space *space);
/* The same by dot, for several graphs at once. False: dot is missing or failed; nothing changed. */
bool graph_layout_dot(struct graph *const *graphs, int count, const struct graph_space *space);

/* ---- pictures ------------------------------------------------------------------------------ */

/* The link target of a node in a page, as an attribute value; NULL: none. */
typedef const char *(*graph_link)(void *context, const struct graph *g, const struct graph_node *n);

/* Sizes, then layout: by dot if wanted and installed. */
void graph_place(struct graph *const *graphs, int count, bool by_dot);
/* Requires a layout. alone: a complete file, with its style. */
void graph_svg(const struct graph *g, bool alone, graph_link link, void *context, struct text *out);
void graph_dot(const struct graph *g, struct text *out);
/* False: it is too large, and nothing was written. columns: of the terminal. */
bool graph_text(struct graph *g, int columns, bool colours, struct text *out);

/* The CSS class of a set of dtypes: "f16"; "any" if unknown. */
const char *graph_dtype_class(enum dtype d);
extern const char *const graph_lane_names[LANE_COUNT];

/* ---- between the files --------------------------------------------------------------------- */

struct graph_slots;
struct graph_slots *slots_find(const struct graph_input *in);
/* What the load can read: instructions that stored there, calls that got its address or changed it
 * in place; 0: its initial contents. */
typedef LIST(ir_value) slot_sources;
void slots_reaching(struct graph_slots *s, ir_value load, slot_sources *out);
/* The same for a whole local whose address a call gets. */
void slots_reaching_local(struct graph_slots *s, int local, ir_value at, slot_sources *out);
/* Whether some load has more sources than reported. */
bool slots_cut(const struct graph_slots *s);
/* The local that the address points into, or that a read or write is part of; -1: none. */
int slots_root(const struct ir_function *f, ir_value address);
int slots_root_of(const struct ir_function *f, ir_value access);
/* What a pack says about the call; NULL: nothing. */
const struct pack_function *slots_callee(const struct graph_input *in, ir_value call);
/* Whether it holds tensors. */
bool slots_holds(const struct graph_input *in, const struct type *t);
/* Whether the picture shows the value. */
bool slots_shows(const struct graph_input *in, ir_value v);
/* Behind conversions and calls that return their argument. */
ir_value slots_within(const struct graph_input *in, ir_value v);

/* Numbers the connected components; places them in rows, once each is laid out from 0, 0. */
int graph_parts(struct graph *g);
void graph_move(struct graph *g, int part, double x, double y);
void graph_pack(struct graph *g, int parts, const struct graph_point *sizes,
                const struct graph_space *space);

/* Adds a box, if there are lanes. */
void graph_box(struct graph *g, struct graph_box b);
/* Whether it is too wide and would be narrower with lanes per component. */
bool graph_split(struct graph *g, const struct graph_space *space);

/* Marks the node of an instruction with findings about it. */
void graph_mark_node(const struct graph_input *in, struct graph_node *n, ir_value inst);
/* Marks the edge for operand `param` of the call; -1: a function of the program. */
void graph_mark_edge(const struct graph_input *in, struct graph_edge *e, ir_value call, int param);

#endif
