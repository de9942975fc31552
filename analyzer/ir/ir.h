/* analyzer/ir: the program as the analysis sees it. It is independent of the source language: a
 * frontend lowers to it, and nothing of a language's syntax or of its parser shows through.
 *
 * A unit has types, globals and functions. A function has locals (variables with an address) and
 * blocks; a block is a list of instructions, of which the last, and only the last, is a terminator.
 * An instruction that yields a value is named by its index in the function: %7. Values are scalars
 * and pointers; anything larger (records, arrays) is in memory and handled through its address.
 *
 * In dynamic languages, values are of type dyn, variables are read and written as a whole, and
 * members are found by name. Labels of arguments: "dtype" for dtype=%3, "*" and "**" for what is
 * spread out, "x:" for an annotation of a closure's parameter, ":" for a key of a new dict, before
 * its value.
 *
 * Text form: printing, parsing and printing again gives the same bytes.
 *
 *   op.def, arith.def  the instructions, and the operations of IR_UNARY and IR_BINARY
 *   protocol.def       the operations of IR_APPLY
 *   types.c            types of a unit, interned
 *   build.c            units, functions and instructions are built
 *   order.c            the blocks of a function in the order of the source
 *   verify.c           whether a unit is well-formed; dominate.c, dominators for that
 *   print.c            a unit as text; form.c, the grammar of that
 *   parse.c            text becomes a unit; parse_body.c, the functions; scan.c, the tokens
 *   words.c            units of dynamic languages that are built into the program
 *   digest.c           digests of functions, wherever they are in a file
 *   move.c             lines that were inserted or deleted
 *   naming.c           units with other names for files
 *   access.c           what an instruction reads and writes
 *   access_path.c      names of places in memory
 *   place.c            the part of a local that an address points to
 *   handler.c          handlers of exceptions
 *
 * private.h, parse.h and scan.h are for these files alone. */
#ifndef ANALYZER_IR_H
#define ANALYZER_IR_H

#include "analyzer/base/base.h"

/* ---- places ---------------------------------------------------------------------------------- */

/* A range of source, 1-based, end exclusive; line 0: none (made by the frontend). In a macro, it
 * is what the user wrote. */
struct span {
    const char *file; /* interned path, as the user would write it */
    int line, column, end_line, end_column;
};
/* The largest line or column, so that a sum of some cannot overflow. */
#define SPAN_MOST (1 << 30)
/* Whether it is a range in a file: not line 0, not beyond SPAN_MOST, and not ending before it
 * begins. */
bool span_is_good(const struct span *s);

/* ---- types ----------------------------------------------------------------------------------- */

enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_POINTER,  /* of */
    TYPE_ARRAY,    /* of, count (-1: unknown) */
    TYPE_RECORD,   /* name, fields; no fields known: opaque */
    TYPE_FUNCTION, /* of: the result; params */
    TYPE_DYN,    /* a value whose kind is only known when the program runs, in a dynamic language */
    TYPE_UNKNOWN /* anything */
};

enum field_flag {
    FIELD_FIXED = 1,    /* set once, when its object is made: a reference of C++ */
    FIELD_TO_CONST = 2, /* in C++: what it points to is not changed through it */
};

struct field {
    const char *name; /* interned; "" if it has none */
    const struct type *type;
    unsigned flags; /* enum field_flag */
    /* Of an enumeration: what its constants are called, and their numbers, "OFF 0, ON 1"; interned.
     * NULL: it is none. */
    const char *constants;
};

/* Interned within a unit: equal types are the same pointer. Records are equal by name. Parameter
 * names are not part of a type; they are those of the function's first locals. A type nested
 * deeper than TYPE_DEPTH, not counting records, is TYPE_UNKNOWN, with a note in the unit; in a
 * function type this applies to its parameters and result. */
#define TYPE_DEPTH 64
struct type {
    enum type_kind kind;
    int bits; /* of ints and floats; 16 with is_brain is bf16 */
    bool is_signed;
    bool is_brain;
    bool is_union;
    bool variadic; /* functions */
    int64_t count;
    const char *name;
    const char *spelled; /* of a record: how the program spells it, if not by its name; NULL */
    const struct type *of;
    const struct field *fields; /* of a record; parameters of a function, whose names are all "" */
    int field_count;
};

/* ---- instructions ---------------------------------------------------------------------------- */

enum ir_op {
#define IR_OP(name, text, ...) IR_##name,
#include "analyzer/ir/op.def"
#undef IR_OP
    IR_OP_COUNT
};

enum ir_arith { /* of IR_BINARY and IR_UNARY */
#define IR_ARITH(name, text, operands) ARITH_##name,
#include "analyzer/ir/arith.def"
#undef IR_ARITH
                ARITH_COUNT
};

enum ir_protocol { /* of IR_APPLY */
#define IR_PROTOCOL(name, text, fewest, most, yields) PROTOCOL_##name,
#include "analyzer/ir/protocol.def"
#undef IR_PROTOCOL
                   PROTOCOL_COUNT
};

/* What IR_MAKE makes. */
enum ir_kind {
    KIND_LIST,
    KIND_TUPLE,
    KIND_SET,
    KIND_DICT,
    KIND_SLICE,    /* three operands */
    KIND_TEXT,     /* of parts */
    KIND_BYTES,    /* of a text */
    KIND_COMPLEX,  /* imaginary, with a number */
    KIND_ELLIPSIS, /* no operand */
    KIND_COUNT
};

#define LABEL_CONST "const"

typedef int ir_value; /* index of the instruction that yields it, from 1; 0: none */

struct ir_case {
    int64_t low, high; /* inclusive */
    int block;
};

struct ir_inst {
    enum ir_op op;
    enum ir_arith arith;
    const struct type *type; /* of the value it yields; NULL: none (a call of a void function) */
    struct span span;
    /* IR_INT; IR_FIELD: index of the field; IR_LOCAL, IR_GET, IR_SET: index of the local; IR_APPLY:
     * enum ir_protocol; IR_MAKE: enum ir_kind */
    int64_t integer;
    double real; /* IR_REAL */
    /* IR_GLOBAL, IR_FUNCTION, IR_FIELD, IR_CALL (direct), IR_TEXT, IR_ANYTHING (why), and those of
     * dynamic languages that work by name */
    const char *name;
    ir_value *args; /* operands */
    /* Of each operand, NULL: it has none; NULL: none has one. In C++, LABEL_CONST: the callee does
     * not write to what it points to. */
    const char **labels;
    struct ir_case *cases;
    int arg_count, case_count;
    int target[2]; /* IR_JUMP: [0]; IR_BRANCH: then, else; IR_SWITCH: [0] is the default */
};

/* ---- functions and units --------------------------------------------------------------------- */

/* How a parameter is filled by a call with labels, and whose a variable is. */
enum ir_mode {
    MODE_PLAIN,
    MODE_POSITION, /* a parameter that no label names */
    MODE_KEYWORD,  /* a parameter that only its label fills */
    MODE_REST,     /* takes the arguments by position that are left */
    MODE_KEYWORDS, /* takes the labelled arguments that are left */
    MODE_CAPTURED, /* no parameter: it is `outer`, of the function that makes the closure */
    MODE_COUNT
};

struct ir_local {
    const char *name; /* interned; "" for temporaries */
    const struct type *type;
    struct span span;
    bool is_static;   /* lives as long as the program: its initialiser is a global's */
    bool has_default; /* of a parameter: a closure has a value for it */
    enum ir_mode mode;
    int outer; /* MODE_CAPTURED: the index of a local of that function */
};

struct ir_block {
    int *insts; /* indices into the function's instructions */
    int count, room;
    int catch; /* the block where whatever is raised here is handled; 0, the entry: none */
};

struct ir_function {
    const char *name;
    const char *language; /* its unit's */
    const struct type *type;
    struct span span;
    bool is_internal; /* not visible to other units */
    bool is_partial;  /* the compiler found errors in it: parts are missing */
    bool has_body;
    int param_count; /* the first locals are the parameters, in order */
    LIST(struct ir_local) locals;
    LIST(struct ir_inst) insts;   /* [0] is unused */
    LIST(struct ir_block) blocks; /* [0] is the entry */
};

struct ir_global {
    const char *name;
    const struct type *type;
    struct span span;
    bool is_internal, is_extern, is_const;
};

/* Why something was lowered to "anything", or not at all. */
struct ir_note {
    struct span span;
    const char *text;
};

struct ir_unit {
    struct arena *arena;
    struct arena *code; /* instructions only, so that they can grow in place */
    struct names *names;
    struct type_table *types;
    struct map *function_map, *global_map; /* for ir_function_find and ir_global_find */
    const char *file;
    const char *language; /* in which names are written for people: "c" */
    bool is_dynamic;      /* it has instructions of a dynamic language */
    bool is_imported;     /* of a dynamic language: it is run when another unit imports it, only */
    const char *module; /* of a file that stands for a library, and is not shown: the dotted name of
                           what it describes; NULL: a file of the program */
    LIST(const struct type *) records; /* every record with fields, as they were defined */
    LIST(struct ir_global *) globals;
    /* The first, named "(init)", sets the globals; ir_unit_new makes it, without a body. */
    LIST(struct ir_function *) functions;
    LIST(struct ir_note) notes;
    int errors;              /* the compiler's errors in this unit */
    const char *first_error; /* "file:line:col: text", NULL if none */
};

/* Functions that are run before and after main: "(start)", or with a priority "(start 101)", of
 * which lower ones are earlier; "(end)", where lower ones are later. Nobody wrote them: they call
 * those that were. */
#define IR_START "(start"
#define IR_END   "(end"
enum { IR_LAST_PRIORITY = 65535 }; /* of one without */

/* The language of a unit that does not name one. */
#define IR_LANGUAGE "c"
struct ir_unit *ir_unit_new(const char *file);
/* Of the unit and all its functions, including those added later. */
void ir_unit_set_language(struct ir_unit *u, const char *language);
void ir_unit_free(struct ir_unit *u);
/* A unit that shares everything with `base`, except one of its functions, by its number, which
 * is to be built again; -1: none. The base must outlive it; new types and names are added to it. */
struct ir_unit *ir_unit_with(const struct ir_unit *base, int function);
/* In the unit's file, what was after this line is so many lines further down. */
struct ir_move {
    int behind, more;
};
/* Moves what such a unit has in common with its base by each of these, in order. bent, by
 * function: lines were inserted or deleted inside it; it does not move as a whole. */
void ir_unit_move(struct ir_unit *u, const struct ir_move *moves, int count, bool *bent);

/* Types. Simple ones: void, bool, dyn, unknown. */
const struct type *type_simple(struct ir_unit *u, enum type_kind kind);
const struct type *type_int(struct ir_unit *u, int bits, bool is_signed);
const struct type *type_float(struct ir_unit *u, int bits, bool is_brain);
const struct type *type_pointer(struct ir_unit *u, const struct type *of);
const struct type *type_array(struct ir_unit *u, const struct type *of, int64_t count);
/* The record of that name; fields are set once, later, by record_define. Without fields it is
 * opaque. */
struct type *type_record(struct ir_unit *u, const char *name);
void record_define(struct ir_unit *u, struct type *record, bool is_union,
                   const struct field *fields, int count);
const struct type *type_function(struct ir_unit *u, const struct type *result,
                                 const struct field *params, int count, bool variadic);

bool type_is_number(const struct type *t); /* an integer, a float or a bool */
bool type_is_string(const struct type *t); /* a pointer to characters, or to other bytes */

/* As in the text form: "ptr array 4 f32". */
void type_print(const struct type *t, struct text *out);

/* Building. Names are interned and arrays copied, so that the caller may keep its own on the
 * stack; the file of a span must be interned already. */
/* A function has no body until it has a block. param_count is that of its type. */
struct ir_function *ir_function_new(struct ir_unit *u, const char *name, const struct type *type);
struct ir_function *ir_function_find(const struct ir_unit *u, const char *name); /* NULL: none */
struct ir_global *ir_global_new(struct ir_unit *u, const char *name, const struct type *type,
                                struct span span);
struct ir_global *ir_global_find(const struct ir_unit *u, const char *name); /* NULL: none */
int ir_local_new(struct ir_unit *u, struct ir_function *f, const char *name,
                 const struct type *type, struct span span);
int ir_block_new(struct ir_unit *u, struct ir_function *f);
/* Appends to the block; returns the value, or the index of an instruction that yields none. The
 * type void becomes NULL. */
ir_value ir_append(struct ir_unit *u, struct ir_function *f, int block, struct ir_inst inst);

/* The last step of building a function: blocks that cannot be reached are removed, those that only
 * jump are skipped, and the others are put in the order in which they were placed in the source, so
 * that only loops jump back. (order.c) */
void ir_order_blocks(struct ir_unit *u, struct ir_function *f, const int *placed, int placed_count,
                     struct arena *scratch);

bool ir_block_ended(const struct ir_function *f, int block); /* it has a terminator */
void ir_note_add(struct ir_unit *u, struct span span, const char *text);

/* What op.def says. */
const char *ir_op_text(enum ir_op op);
int ir_op_operands(enum ir_op op);
bool ir_op_yields(enum ir_op op);
bool ir_op_ends(enum ir_op op);
bool ir_op_reads(enum ir_op op);  /* yields what is at a place */
bool ir_op_writes(enum ir_op op); /* puts a value there */
/* A call of a function, or of what values define for what the language does with them. */
bool ir_op_calls(enum ir_op op);
/* Of a dynamic language: whatever the operands define is run. */
bool ir_op_may_call(enum ir_op op);
bool ir_op_is_dynamic(enum ir_op op);
const char *ir_protocol_text(enum ir_protocol protocol);
bool ir_protocol_yields(enum ir_protocol protocol);
bool ir_protocol_takes(enum ir_protocol protocol, int operands); /* so many */
const char *ir_kind_text(enum ir_kind kind);
bool ir_kind_takes(enum ir_kind kind, int operands);
const char *ir_arith_text(enum ir_arith arith);
int ir_arith_operands(enum ir_arith arith);

/* ---- handlers of exceptions (handler.c) ------------------------------------------------------ */

/* Whether the clauses that begin with the block take what a failing call raises. */
bool ir_handles(const struct ir_function *f, int handler);
/* Whether they do for an instruction of the function. */
bool ir_is_tried(const struct ir_function *f, ir_value inst);

/* ---- reads and writes ------------------------------------------------------------------------ */

/* These are the same for variables with an address and for those of dynamic languages. (access.c)
 */
/* The value that an instruction puts somewhere; 0: it is no write. */
ir_value ir_written(const struct ir_inst *i);
/* The local that it reads or writes as a whole; -1: none. */
int64_t ir_local_accessed(const struct ir_function *f, const struct ir_inst *i);
/* The name of the unit that it reads or binds; NULL: none. */
const char *ir_name_accessed(const struct ir_inst *i);
/* Where the path of an address, or of a read or write, goes on: what has the member or element, or
 * is the address; 0: it begins here, or has no path. */
ir_value ir_path_base(const struct ir_inst *i);
/* Whether it adds a member to the path. */
bool ir_is_member(const struct ir_inst *i);
/* The variable that a path begins with: its index, or IR_ROOT_NAME of the unit or program. */
enum { IR_ROOT_NONE = -1, IR_ROOT_NAME = -2 };
int64_t ir_path_root(const struct ir_function *f, const struct ir_inst *i);
/* The value behind conversions. */
ir_value value_behind(const struct ir_function *f, ir_value v);
/* Of an address, or of a read or write; NULL: it has no name. */
const struct access_path *ir_path_of(struct arena *a, const struct ir_function *f, ir_value v);

/* What a call names: a function, or the path of what is called, with dots: "lib.mix", "ops.run";
 * of a method of what has no name ".mix"; "": nothing. */
const char *ir_callee_name(struct arena *a, const struct ir_function *f, const struct ir_inst *i);

/* ---- access paths ---------------------------------------------------------------------------- */

/* The name of a place in memory: a variable, and from there members, elements and what pointers
 * point to. A path is immutable and independent of the language; analyzer/source writes it in
 * one. (access_path.c) */
enum access_kind { ACCESS_VARIABLE, ACCESS_MEMBER, ACCESS_ELEMENT, ACCESS_POINTEE };
#define ACCESS_ANY INT64_MIN /* an element whose index is not known */
struct access_path {
    enum access_kind kind;
    const struct access_path *of; /* NULL: a variable */
    const char *name;             /* of the variable or member */
    int64_t index;                /* of the element */
    const struct access_path *by; /* where its index is read from; NULL: it is `index` */
};
const struct access_path *access_variable(struct arena *a, const char *name);
const struct access_path *access_member(struct arena *a, const struct access_path *of,
                                        const char *name);
const struct access_path *access_element(struct arena *a, const struct access_path *of,
                                         int64_t index);
/* by NULL: nothing is known about the index. */
const struct access_path *access_element_by(struct arena *a, const struct access_path *of,
                                            const struct access_path *by);
const struct access_path *access_pointee(struct arena *a, const struct access_path *of);
/* The variable it begins with. */
const struct access_path *access_root(const struct access_path *p);
bool access_equal(const struct access_path *p, const struct access_path *q);
/* Equal paths have equal hashes. */
uint64_t access_hash(const struct access_path *p);

/* The part of a local that an address points to: fields and elements, the innermost first.
 * (place.c) */
enum { IR_PLACE_DEPTH = 4 };
#define IR_PLACE_ANY INT64_MIN /* an element whose index is not known, a field of a union */
struct ir_place {
    int64_t local;
    int depth;
    int64_t path[IR_PLACE_DEPTH];
};
enum ir_overlap {
    IR_DISJOINT,
    IR_PARTLY,  /* one contains the other, or may */
    IR_PERHAPS, /* the same, for some indices */
    IR_SAME
};
/* False: it is not known to point into a local of this call. */
bool ir_place_of(const struct ir_function *f, ir_value address, struct ir_place *out);
enum ir_overlap ir_places_overlap(const struct ir_place *a, const struct ir_place *b);
/* Sets, for each local, whether its address, or that of a part, escapes: is used for more than
 * loads and stores. */
void ir_locals_escaping(const struct ir_function *f, bool *escapes);

/* Checks what the comments above require, and that every operand is computed on all paths to its
 * use; false with the reason in e. */
bool ir_verify(const struct ir_unit *u, struct error *e);
/* Text form. A parsed unit is verified; errors have the line and column of the text. */
void ir_print(const struct ir_unit *u, struct text *out);
/* One of its functions, with a body, as in the text form of the unit. False: parts of it are in
 * another file, whose number is known only in the whole. */
bool ir_print_function(const struct ir_unit *u, const struct ir_function *f, struct text *out);
struct ir_unit *ir_parse(const char *text, struct error *e);
/* The text as a source of its own, in that file: the unit is called so, and its places are the
 * lines of the text, whatever places those give. */
struct ir_unit *ir_parse_source(const char *text, const char *file, struct error *e);

/* A unit of a dynamic language, in one file, as words and the texts that these refer to, from which
 * it is made again faster than from its text form. False: it is of another kind, or has notes. */
struct ir_words {
    LIST(uint32_t) words;
    text_list texts;
};
bool ir_to_words(struct arena *a, const struct ir_unit *u, struct ir_words *out);
/* texts: one behind the other, each with a NUL at its end. */
struct ir_unit *ir_from_words(const uint32_t *words, const char *texts, int text_count,
                              const char *file);

/* Digests of functions with a body, with all that they refer to, and of the unit's globals;
 * independent of their lines. */
struct ir_digester;
struct ir_digester *ir_digester_new(struct arena *a, const struct ir_unit *u);
struct digest ir_digest_function(struct ir_digester *d, const struct ir_function *f);
struct digest ir_digest_globals(struct ir_digester *d);

/* The same with other names for files. */
struct ir_naming {
    const char *(*name)(void *context, struct arena *a, const char *file);
    void *context;
};
void ir_print_naming(const struct ir_unit *u, const struct ir_naming *n, struct text *out);
struct ir_unit *ir_parse_naming(const char *text, const struct ir_naming *n, struct error *e);

#endif
