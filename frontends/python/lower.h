/* Lowering of one Python file, shared by the files of frontends/python. Only syntax is lowered, and
 * scopes resolved: which class, method or dtype a name stands for is found by the analysis.
 *
 *   python_frontend.c  the interface of all frontends; absent.c, without a grammar
 *   encoding.c       whether its bytes are the text
 *   parse.c          text becomes a tree; repair.c, of a file that is being written
 *   tree.c           nodes by kind
 *   module.c         the unit; where lowering begins
 *   scope.c          names: local, captured, of the class, of the module
 *   bindings.c       which names a function or class binds
 *   emit.c           instructions and blocks
 *   stmt.c           statements; loop.c, exception.c, import.c, match.c, the larger ones
 *   definition.c     functions, lambdas, classes
 *   expr.c           expressions; literal.c, operator.c, argument.c, comprehension.c
 *   target.c         what is assigned to */
#ifndef FRONTENDS_PYTHON_LOWER_H
#define FRONTENDS_PYTHON_LOWER_H

#include "analyzer/ir/ir.h"
#include "frontends/python/parse.h"
#include "frontends/python/tree.h"

/* ---- state ----------------------------------------------------------------------------------- */

/* What has to be run on the way out of a statement. */
struct cleanup {
    struct cleanup *outer;
    TSNode at;        /* the block behind "finally", or the item of "with" */
    ir_value manager; /* of "with"; 0: "finally" */
    int catch;        /* where what it raises is handled */
};

struct loop {
    struct loop *outer;
    int again, done;
    struct cleanup *cleanup; /* the innermost around the loop */
};

/* A function being built. */
struct body {
    struct ir_function *function;
    int block; /* where the next instruction goes; -1: what follows cannot be reached */
    int catch; /* of new blocks */
    struct loop *loop;
    struct cleanup *cleanup;
    ir_value caught;       /* inside a handler: what it handles */
    bool is_interruptible; /* inside a try that handles KeyboardInterrupt, and in no loop of it */
    LIST(int) placed;      /* blocks in the order of the source */
};

enum scope_kind { SCOPE_MODULE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_COMPREHENSION };

enum binding { BOUND_LOCAL, BOUND_GLOBAL, BOUND_OUTER, BOUND_CLASS };
struct variable {
    enum binding binding;
    int local;   /* -1: no local yet */
    bool is_set; /* BOUND_CLASS: a statement above binds it */
};

struct scope {
    struct scope *outer;
    enum scope_kind kind;
    struct body *body; /* the function whose instructions it becomes; a class and a comprehension
                          are lowered in place */
    struct map *variables; /* by interned name */
    const char *path;      /* "GPT.forward"; "": the module */
    ir_value class;        /* SCOPE_CLASS */
    int class_cell; /* SCOPE_CLASS: a local with the class, which methods capture for super() */
};

struct lower {
    struct ir_unit *unit;
    struct arena *arena; /* until the unit is complete */
    const struct grammar *grammar;
    const struct parsed *parsed;
    const struct type *dyn, *boolean;
    struct scope *scope;
    struct map *paths; /* of functions: how many have it */
    int depth;
};

/* Of expressions, patterns and targets inside each other; CPython allows about 100 levels of blocks
 * and 200 of brackets, but chains of operators are as long as they like. */
enum { MAX_DEPTH = 2000 };

/* ---- nodes ----------------------------------------------------------------------------------- */

static inline enum node_kind py_kind_of(const struct lower *l, TSNode n)
{
    return node_kind(l->grammar, n);
}

static inline TSNode py_field_of(const struct lower *l, TSNode n, enum node_field f)
{
    return node_field(l->grammar, n, f);
}

const char *node_text(struct lower *l, TSNode n, size_t *length); /* in the source */
const char *node_name(struct lower *l, TSNode n);                 /* interned */
struct span node_span(struct lower *l, TSNode n);
bool py_is_text(struct lower *l, TSNode n, const char *text);

/* ---- emit.c ---------------------------------------------------------------------------------- */

/* Operands of a call or a new value, and their labels. */
struct operands {
    LIST(ir_value) values;
    LIST(const char *) labels;
};
void py_operand_add(struct lower *l, struct operands *o, ir_value v, const char *label);

ir_value py_emit(struct lower *l, TSNode at, struct ir_inst inst);
ir_value py_emit_int(struct lower *l, TSNode at, int64_t n);
ir_value py_emit_none(struct lower *l, TSNode at);
ir_value py_emit_text(struct lower *l, TSNode at, const char *text);
ir_value py_emit_bool(struct lower *l, TSNode at, bool value);
/* Not modelled, and noted; the operands are evaluated before. */
ir_value py_emit_anything(struct lower *l, TSNode at, const char *why);
ir_value py_emit_apply(struct lower *l, TSNode at, enum ir_protocol p, ir_value x, ir_value y,
                       ir_value z); /* 0: no operand */
ir_value py_emit_make(struct lower *l, TSNode at, enum ir_kind kind, const struct operands *of);
ir_value py_emit_attr(struct lower *l, TSNode at, ir_value of, const char *name);
void py_emit_setattr(struct lower *l, TSNode at, ir_value of, const char *name, ir_value v);
ir_value py_emit_name(struct lower *l, TSNode at, const char *name);
ir_value py_emit_get(struct lower *l, TSNode at, int local);
void py_emit_set(struct lower *l, TSNode at, int local, ir_value v);
ir_value py_emit_call(struct lower *l, TSNode at, ir_value callee, const struct operands *o);
void py_emit_return(struct lower *l, TSNode at, ir_value v); /* 0: nothing */
void py_emit_raise(struct lower *l, TSNode at, ir_value v);

int py_new_temporary(struct lower *l);
int py_new_block(struct lower *l);
void py_begin_block(struct lower *l, int block);
bool py_is_reachable(const struct lower *l);
void py_emit_jump(struct lower *l, TSNode at, int block);
void py_emit_branch(struct lower *l, TSNode at, ir_value v, int yes, int no);

/* ---- scope.c --------------------------------------------------------------------------------- */

struct scope *scope_new(struct lower *l, enum scope_kind kind, struct body *body, const char *path);
struct variable *scope_bind(struct lower *l, struct scope *s, const char *name, enum binding b);
/* A local of the scope's function, which a name of the scope stands for. */
int scope_local(struct lower *l, struct scope *s, TSNode at, const char *name);
/* The scope that assignments bind names in: not a comprehension's. */
struct scope *py_binding_scope(struct scope *s);
ir_value py_read_name(struct lower *l, TSNode at, const char *name);
void py_write_name(struct lower *l, TSNode at, struct scope *s, const char *name, ir_value v);
/* The class around a method, for super() without arguments; 0: there is none. */
ir_value py_read_class(struct lower *l, TSNode at);

/* ---- bindings.c ------------------------------------------------------------------------------ */

/* Binds the names that the statements below a node bind. */
void py_bind_names(struct lower *l, struct scope *s, TSNode body);
void py_bind_target(struct lower *l, struct scope *s, TSNode target);
TSNode py_alias_of(struct lower *l, TSNode n); /* what is behind "as" */

/* ---- expressions ----------------------------------------------------------------------------- */

ir_value py_lower_expr(struct lower *l, TSNode n);
/* To one of two blocks, by the truth of it. */
void py_lower_condition(struct lower *l, TSNode n, int yes, int no);
ir_value py_lower_literal(struct lower *l, TSNode n);
ir_value py_lower_string(struct lower *l, TSNode n);
ir_value py_lower_operator(struct lower *l, TSNode n);
ir_value py_lower_augmented(struct lower *l, TSNode n);
ir_value py_lower_call(struct lower *l, TSNode n);
/* Arguments, or elements of a display, which may be spread out. */
void py_lower_arguments(struct lower *l, TSNode list, struct operands *o);
void py_lower_elements(struct lower *l, struct nodes list, struct operands *o);
ir_value py_lower_comprehension(struct lower *l, TSNode n);
ir_value py_lower_index(struct lower *l, TSNode subscript);
ir_value py_lower_annotation(struct lower *l, TSNode type);

/* ---- statements ------------------------------------------------------------------------------ */

void py_lower_statements(struct lower *l, TSNode block);
void py_lower_stmt(struct lower *l, TSNode n);
void py_lower_loop(struct lower *l, TSNode n);
/* Leaves what is between here and `down_to`, innermost first. */
void py_leave_cleanups(struct lower *l, const struct cleanup *down_to);
void py_lower_try(struct lower *l, TSNode n);
void py_lower_with(struct lower *l, TSNode n);
void py_lower_import(struct lower *l, TSNode n);
void py_lower_match(struct lower *l, TSNode n);

/* Assigns to names, attributes, elements, and lists of these. */
void py_lower_assign(struct lower *l, TSNode target, ir_value v);
ir_value py_lower_assignment(struct lower *l, TSNode n);
void py_lower_delete(struct lower *l, TSNode target);

ir_value py_lower_lambda(struct lower *l, TSNode n);
void py_lower_definition(struct lower *l, TSNode n); /* of a function or class, decorated or not */

#endif
