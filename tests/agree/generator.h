/* The state of the generator while it writes a program.
 *
 * Shapes and NULL are exact, so no program fails because of them. Dtypes and devices are what a
 * variable most likely has: they only guide the generator, so most calls work and some fail. */
#ifndef TESTS_AGREE_GENERATOR_H
#define TESTS_AGREE_GENERATOR_H

#include "tests/agree/agree.h"

enum shape { SHAPE_NONE, SHAPE_VECTOR, SHAPE_MATRIX, SHAPE_COUNT }; /* (), (4), (4, 4) */

enum likely { /* the dtype */
              LIKELY_BOOL,
              LIKELY_U8,
              LIKELY_I32,
              LIKELY_I64,
              LIKELY_F16,
              LIKELY_BF16,
              LIKELY_F32,
              LIKELY_F64,
              LIKELY_CONFIG, /* the configuration's */
              LIKELY_FLOAT,  /* one of the floating ones */
              LIKELY_ANY,
              LIKELY_COUNT
};
enum home { HOME_CPU, HOME_CUDA, HOME_CONFIG, HOME_ANY }; /* the device */

struct kind {
    enum shape shape;
    enum likely likely;
    enum home home;
};

struct var {
    char text[40];  /* what to write: "h3", "m->blocks[0].w" */
    char whole[24]; /* the local that it is a part of, "" if none */
    struct kind kind;
    bool local; /* may be assigned */
    bool used;
};

/* An expression that yields a tensor. */
struct call {
    char text[200];
    struct kind kind;
};

/* MAX_COST: ops that a call of a function should run at most. */
enum { MAX_VARS = 96, MAX_FUNCTIONS = 24, MAX_PARAMS = 6, MAX_COST = 400 };

enum param {
    PARAM_MATRIX,
    PARAM_VECTOR, /* or NULL */
    PARAM_CONFIG,
    PARAM_MODEL,
    PARAM_BLOCK,
    PARAM_OUT,
    PARAM_ACT, /* a function from matrix to matrix */
    PARAM_DTYPE,
    PARAM_COUNT,
    PARAM_LIST,  /* three matrices */
    PARAM_VALUE, /* a block by value */
    PARAM_USER,  /* the configuration behind a void pointer */
    PARAM_KINDS
};

enum returns { RETURNS_MATRIX, RETURNS_SCALAR, RETURNS_NOTHING, RETURNS_PAIR, RETURNS_MAYBE };

/* What a function is in the program; those of the first three kinds are pointed to. */
enum role { ROLE_ACT, ROLE_MIX, ROLE_VISIT, ROLE_LAYER, ROLE_SETUP, ROLE_MAIN };

struct function {
    char name[40];
    enum role role;
    int file;
    enum param params[MAX_PARAMS];
    int param_count;
    enum returns returns;
    struct kind result;
    bool internal;  /* static */
    bool recursive; /* its PARAM_COUNT counts down */
    bool called;
    long cost; /* ops that a call runs, at most */
};

struct generator {
    struct chance chance;
    struct program *p;
    struct function functions[MAX_FUNCTIONS];
    int function_count;
    /* the function being written */
    struct function *fn;
    struct text *out;
    int indent, depth, loops;
    struct var vars[MAX_VARS];
    int var_count;
    int names;        /* for h1, h2, … */
    long times, cost; /* how often the code at hand runs in a call; ops so far */
    int left;         /* ops still to be written */
    bool has[PARAM_KINDS];
    bool used[PARAM_KINDS];
    const char *config; /* "c->", "m->config->", NULL: out of reach */
    bool gpus;          /* the program uses more than one */
};

/* Writing: one line, indented. */
void put(struct generator *g, const char *fmt, ...) PRINTF_LIKE(2, 3);
void block_open(struct generator *g, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Variables from that one on go out of scope. */
void block_close(struct generator *g, int vars, const char *end);
/* Compilers warn of variables that are only ever set: those from that one on are mentioned. */
void discard_unused(struct generator *g, int from);
void op_written(struct generator *g);

/* ---- variables (scope.c)
 * -------------------------------------------------------------------------- */

struct var *var_new(struct generator *g, const char *text, struct kind kind, bool local);
struct var *var_part(struct generator *g, const char *whole, const char *part, struct kind kind);
struct var *var_named(struct generator *g, const char *stem, struct kind kind); /* a local */
/* One of that shape; NULL: there is none. Those not used yet come first. */
struct var *var_pick(struct generator *g, enum shape shape);
struct var *var_pick_local(struct generator *g, enum shape shape);
const char *take(struct var *v); /* its text: it is used */
struct kind kind_join(struct kind a, struct kind b);
/* A line that declares a local as what the call yields. */
struct var *declare(struct generator *g, const char *stem, const struct call *c);
const char *config(struct generator *g);         /* "c->" and so on */
const char *config_pointer(struct generator *g); /* "c" */

/* ---- calls of the API
 * ------------------------------------------------------------------------------ */

/* Lines that the call needs before it are written. */
void operation(struct generator *g, enum shape shape, struct call *c); /* operation.c */
void operation_in_place(struct generator *g);                          /* a whole line */
enum needs { NEEDS_ANY, NEEDS_FLOAT, NEEDS_NUMBER, NEEDS_INT };
struct var *operand(struct generator *g, enum shape shape, enum needs needs);
struct var *beside(struct generator *g, struct var *a, struct var *b, bool same_dtype);

void special(struct generator *g, enum shape shape, struct call *c); /* special.c */
void factory(struct generator *g, enum shape shape, struct call *c);
void cast(struct generator *g, struct var *v, struct call *c);
const char *dtype_text(struct generator *g, enum likely *likely); /* of a dtype argument */

/* ---- statements
 * ------------------------------------------------------------------------------------ */

void statements(struct generator *g, int count);             /* statement.c */
void branch_statement(struct generator *g);                  /* branch.c: if, switch */
void loop_statement(struct generator *g);                    /* for, while, do */
void condition(struct generator *g, char *buf, size_t size); /* on flags, dtypes, devices */
void call_back(struct generator *g, struct function *f);
void idiom_statement(struct generator *g); /* idiom.c */
void train_statement(struct generator *g); /* train.c */
/* What stands around a change in place, so that most of them are allowed. */
enum guard { GUARD_NONE, GUARD_TEST, GUARD_REGION };
/* What to change instead of x, and how it is guarded. */
struct var *train_target(struct generator *g, struct var *x, enum guard *guard);
void train_guarded(struct generator *g, enum guard guard, const char *x, const char *call);
void train_setup(struct generator *g);
void call_statement(struct generator *g); /* invoke.c */
void call_function(struct generator *g, struct function *f);
bool callable(const struct generator *g, const struct function *f);

/* A whole program of that form (everyday.c). */
void everyday_generate(struct generator *g);
/* The text, where @ stands for the program's name. */
void text_add_named(struct text *out, const char *text, const char *name);

#endif
