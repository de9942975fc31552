/* What the files of the lowering share: our syntax tree, symbols, the function being built. Each
 * group below is one file; clang.h has the map. */
#ifndef FRONTENDS_CLANG_LOWER_H
#define FRONTENDS_CLANG_LOWER_H

#include "frontends/clang/library.h"

/* ---- the tree: a function's syntax, visited once (tree.c) ----------------------------------- */

/* Children of a node are expressions, statements, variables, and the names in designators and
 * gotos; written types and attributes are left out. */
struct node {
    CXCursor cursor;
    struct node *parent, *first, *last, *next;
    const struct type *type; /* cached */
    struct symbol *symbol;   /* of a name, cached */
    struct span span;        /* cached; line 0: not yet known */
    unsigned end; /* the number of the location where it ends; 0: in a macro, or unknown */
    int depth;
    bool is_made;     /* it is inside a macro use, and its span is that use */
    bool has_label;   /* it, or a descendant, is a jump target */
    bool has_cleanup; /* a function is called when the variable goes out of scope */
    bool is_cut;      /* its children were not visited: a long table of numbers */
};

/* A tree is followed down to this depth; below, everything is unknown. */
#define MAX_DEPTH      2000
#define MAX_TYPE_DEPTH 256

/* ---- names ---------------------------------------------------------------------------------- */

enum symbol_kind {
    SYMBOL_LOCAL,    /* name, index */
    SYMBOL_GLOBAL,   /* name, type */
    SYMBOL_FUNCTION, /* name, no_return */
    SYMBOL_CONSTANT, /* name, value */
    SYMBOL_FIELD,    /* name, index, type, record, bits */
    SYMBOL_LABEL,    /* index: from 1, of those whose address is taken; label */
    SYMBOL_OTHER
};

/* A jump target: the block is created by the first jump. 0: no jump yet. */
struct label {
    int block;
    bool is_placed;
};

/* What a declaration refers to. */
struct symbol {
    enum symbol_kind kind;
    int index;
    struct label label;
    int bits; /* of a bit-field; 0: not one */
    int64_t value;
    const char *name;
    const struct type *type;
    const struct type *record; /* the record a field is in */
    CXCursor cursor;
    struct ir_global *global;
    struct ir_function *function;
    bool no_return;
    bool is_reference; /* of a variable or field: what is there is the address of what it names */
    bool is_queued;    /* its body or initialiser is, or was, on the queue */
};

/* ---- files ---------------------------------------------------------------------------------- */

/* One inclusion of a file. In libclang a location in a file is a number, and the numbers of one
 * inclusion are consecutive. */
struct source {
    unsigned base, end; /* 0: unknown, as the file was only seen in macros */
    const char *name;   /* interned, as the user would name it */
    const char *text;
    size_t size;
    unsigned *lines; /* offsets of the lines; built on first use */
    int line_count, last_line;
    bool is_main, is_system, is_compilers; /* the compiler's own: intrinsics */
};

#define IN_MACRO 0x80000000u /* this bit of a location's number: in a macro, not in a file */

/* Where a macro was used, and where the use ends. */
struct macro_use {
    const struct source *source; /* NULL: none */
    unsigned begin, end;
};

/* ---- a unit on its way ---------------------------------------------------------------------- */

/* Where break and continue go. */
struct target {
    struct label *on_break, *on_continue;
    int break_alive, continue_alive; /* so many variables with destructors are alive there */
};

/* A variable whose destructor runs at the end of its scope. */
struct scoped {
    int local;
    const struct type *type;
    struct node *at;
};

struct switch_cases {
    LIST(struct ir_case) cases;
    struct label fallback; /* default */
    bool has_default;
};

typedef LIST(int) block_list;

/* overlay.c: overlaid files as libclang takes them. */
typedef LIST(struct CXUnsavedFile) unsaved_list;
struct lower;
void overlay_names(struct lower *l, const char *const *flags, int count, unsaved_list *out);

/* A header that was read, and does not change. */
struct header_known {
    const char *text;
    size_t size;
    bool is_system;
};

/* A header that a unit was made from, where libclang does not list it. */
struct file_known {
    const char *path; /* absolute, as found */
    struct digest digest;
    bool is_searched; /* its folder, too, is looked in */
    bool asks;        /* for files that may come and go */
};

/* Declarations of the unit in headers, before anything of the file itself: recorded in one parse,
 * and looked up by location in the next, where libclang does not list them. */
struct ahead {
    struct arena *arena;
    LIST(struct file_known)
    files; /* of a beginning that is shared; otherwise libclang's preamble */
    LIST(struct ahead_place {
        const char *file;
        unsigned offset;
        enum CXCursorKind kind;
    })
    places;
    struct map *headers; /* by hash of the path: struct header_known */
    bool is_noting;
    bool has_begun; /* what follows is after the beginning of the file */
    bool is_lost;   /* one of them cannot be found by its location */
};

/* The body of a function as written in the file. */
struct body {
    const char *name;    /* of the function */
    unsigned begin, end; /* from { to after } */
    /* How many of each the unit had before: those come from elsewhere in any case. */
    int functions, globals, records;
    int notes, notes_end; /* its own are those in between */
};
typedef LIST(struct body) body_list;

/* What came up when one function was lowered into a unit that has the others. */
struct piecewise {
    LIST(const char *) met;     /* functions and globals by name, in order of first reference, */
    LIST(const char *) records; /* and records whose fields were needed */
    bool differs;               /* more than its body changed */
};

#define NOWHERE (-1) /* an unreachable block */

struct error_spot {
    CXSourceLocation place;
    CXFile file;
    unsigned offset;
    bool is_in_function;
};

struct lower {
    const struct clang *c;
    CXTranslationUnit tu;
    struct ir_unit *unit;
    struct arena *scratch;
    const char *directory, *main_path, *main_name;
    const struct overlay *overlay; /* NULL: everything is as on disk */
    const char *const *flags;
    int flag_count;

    LIST(struct error_spot) spots; /* where the compiler found errors */
    LIST(const char *) doubtful;   /* names at file scope, interned (doubtful.c) */
    struct map *symbols;           /* by declaration: struct symbol */
    struct map *types;             /* by libclang's address: struct type */
    struct map *records;           /* by declaration: struct record */
    struct map *record_info;       /* by struct type: struct record */
    struct map *record_names;      /* by interned name: struct record */
    int type_depth;                /* nesting depth of the type being built */
    struct map *files;             /* by libclang's address: struct source, the first inclusion */
    LIST(struct source *) sources;
    struct source *last_source;
    struct macro_use last_use;
    bool misses;                     /* an include could not be found */
    CXSourceLocation missing;        /* the first such */
    struct conditional *conditional; /* what depends on it; NULL: nothing is missing */
    bool slow_places;                /* locations are not numbers that count bytes */
    bool is_cpp;                     /* the unit is C++ */
    struct map *classes;             /* of C++, by struct type: struct class */
    struct map *lambdas;             /* by the class of its closure: struct lambda */

    LIST(struct symbol *) queue; /* functions and globals to lower */
    struct ahead *ahead; /* of an open unit, or of a beginning that is shared; otherwise NULL */
    body_list *bodies;   /* found on the way; NULL: not requested */
    struct arena *bodies_arena;  /* for these */
    struct piecewise *piecewise; /* NULL: the whole unit is lowered */
    LIST(struct start {
        const char *name; /* IR_START or IR_END */
        const struct ir_function *function;
        int priority; /* 0: none is written */
    })
    starts;
    int init_block; /* where "(init)" continues */
    block_list init_placed;

    struct {
        LIST(struct node *) chunks;
        int used;
    } nodes;

    /* The function being built. */
    struct ir_function *f;
    int block;         /* NOWHERE: what follows is unreachable */
    block_list placed; /* blocks in source order */
    struct target target;
    LIST(struct scoped) alive;
    struct switch_cases *cases;
    LIST(struct symbol *) address_labels;
    struct cpp_function *cpp; /* the same, of a unit in C++ */
    bool is_constant;         /* an initialiser of static storage */
    int literals;             /* unnamed objects at file scope */
};

/* parse.c: its stages. */
void lower_begin(struct lower *l, const struct clang *c, struct ir_unit *unit,
                 const char *directory);
/* The file can be read, or another text overlays it. */
bool is_there(const struct lower *l, struct error *e);
/* options: libclang's. */
/* The words that are passed to libclang if it accepts all flags, and these in addition. Returns
 * whether the file was read. */
bool parse_with(struct lower *l, CXIndex index, const char *const *flags, int count,
                const text_list *more);
bool parse_file(struct lower *l, CXIndex index, const char *const *flags, int count,
                unsigned options, struct error *e);
void note_left_out(struct lower *l); /* flags */
/* errors.c: counts the errors of the unit, and keeps where they are. */
void count_errors(struct lower *l);
/* encoding.c: counts files of the unit that contain a NUL byte as errors. */
void count_zeros(struct lower *l);
/* The message for a file in another encoding than UTF-8; NULL: another error. */
const char *encoding_error(struct lower *l, const char *error);

/* start.c: whether the function, that has a body, runs before or after main. */
void note_start(struct lower *l, CXCursor definition, const struct ir_function *f);
/* The functions that call those. */
void lower_starts(struct lower *l);

/* lower.c */
void lower_unit(struct lower *l);
/* Only the function with this body, which must be there as described. */
bool lower_only(struct lower *l, const struct body *b);

/* Notes what headers declare of the units that include them; the file itself has nothing else. */
void note_beginning(struct lower *l);

/* dependencies.c: the headers it was made from, into l->ahead; false: one cannot be read. */
bool reads_note(struct lower *l);
/* What the unit depends on. The flags are the caller's. */
void reads_find(struct lower *l, const char *const *flags, int flag_count, struct unit_reads *out);

/* tree.c */
/* A function's parameters and body, or an expression; replaces the last tree. */
struct node *tree_of(struct lower *l, CXCursor root);
/* The same besides the last tree. */
struct node *tree_more(struct lower *l, CXCursor root);
bool is_expression(const struct node *n);
struct node *nth(const struct node *n, int i); /* the i-th child; NULL */
int child_count(const struct node *n);
struct node *nth_expression(const struct node *n, int i);
struct node *initialiser(struct lower *l, const struct node *variable); /* NULL: none */
/* Without parentheses and __extension__. */
struct node *bare(struct lower *l, struct node *n);
/* Without these and conversions: what the user may have named. */
struct node *core(struct lower *l, struct node *n);
uint64_t declaration_key(CXCursor c);

/* scan.c: reading source text, for what libclang does not expose. */
/* After a macro use: its name, and its arguments if any. */
size_t source_macro_use(const char *text, size_t size, size_t at);
/* Which of a for statement's three parts are written; false: not a for statement. */
bool source_for(const char *text, size_t size, size_t at, bool written[3]);
/* A plain number as written: decimal, hexadecimal, or a character. */
bool source_integer(const char *text, size_t size, size_t at, int64_t *value);
bool source_word(const char *text, size_t size, size_t at, const char *word);
/* The length of the part of a file that has only directives, comments and whitespace. */
size_t source_beginning(const char *text, size_t size);
struct directive {
    size_t begin, word, end; /* of "#  if X": the #, the i, the end of the line */
};
/* The next preprocessor directive from there on, behind which at is put; false: there is none. */
bool source_directive(const char *text, size_t size, size_t *at, struct directive *out);
/* Bytes of the next word, outside of comments and strings, where at is put; 0: there is none. */
size_t source_next_word(const char *text, size_t size, size_t *at);
/* Whether nothing but whitespace and comments is there. */
bool source_is_blank(const char *text, size_t size, size_t at);
/* The length of the name or number there; 0: none, or spelled in an unusual way. */
size_t source_token(const char *text, size_t size, size_t at);
/* After these characters, if they come next except for whitespace; otherwise 0. */
size_t source_behind(const char *text, size_t size, size_t at, const char *next);

/* sources.c */
struct source *source_of(struct lower *l,
                         CXSourceLocation place);           /* NULL: in a macro, or nowhere */
struct source *source_at(struct lower *l, unsigned number); /* the same, by the location's number */
struct source *source_of_file(struct lower *l, CXFile file);
struct source *source_of_use(struct lower *l, CXSourceLocation place); /* of the outermost macro */
/* From one offset up to another. */
struct span source_span(struct lower *l, struct source *s, unsigned begin, unsigned end);
/* The interned name of a file, as the user would write it. */
const char *file_name(struct lower *l, CXFile file);
/* Whether the numbers of locations in a file count its bytes. */
bool places_count_bytes(struct lower *l);

/* spans.c */
struct span span_of(struct lower *l, struct node *n);
struct span span_of_cursor(struct lower *l, CXCursor c);
/* From the variable's name to the end of its declaration. init: its initialiser, if known. */
struct span span_of_variable(struct lower *l, CXCursor c, struct node *init);
/* The text at the location as spelled: inside the macro if it comes from one. */
const char *text_at(struct lower *l, CXSourceLocation place, size_t *offset, size_t *size);
/* Whether the node starts, as spelled, with the text. */
bool starts_with(struct lower *l, const struct node *n, const char *word);

/* types.c */
const struct type *type_of(struct lower *l, CXType t);
const struct type *node_type(struct lower *l, struct node *n);
/* The same, with the fields of all records inside completed. */
const struct type *object_type(struct lower *l, CXType t);
void complete(struct lower *l, const struct type *t);
/* The field; its record is made complete. NULL after errors in the source. */
struct symbol *field_of(struct lower *l, CXCursor field);
/* The width if the field of a complete record is a bit-field; otherwise 0. */
int field_bits(struct lower *l, const struct type *record, int field);
/* The unnamed field that contains the record; NULL: none. */
struct symbol *enclosing_field(struct lower *l, const struct type *record);
bool is_aggregate(const struct type *t); /* lives in memory: a record or an array */
bool is_reference_type(struct lower *l, CXType t);

/* symbols.c */
struct symbol *symbol_of(struct lower *l, CXCursor declaration);
bool is_function_kind(enum CXCursorKind k);
struct symbol *node_symbol(struct lower *l, struct node *n); /* of a name */
struct symbol *symbol_new(struct lower *l, enum symbol_kind kind, CXCursor c);
/* A global of the source, or a static local of the function being built. */
struct symbol *global_of(struct lower *l, CXCursor variable);
struct symbol *local_of(struct lower *l, CXCursor variable, struct node *init);
void queue_symbol(struct lower *l, struct symbol *s);

/* emit.c */
ir_value emit(struct lower *l, struct node *at, struct ir_inst inst);
ir_value emit_int(struct lower *l, struct node *at, const struct type *t, int64_t value);
ir_value emit_real(struct lower *l, struct node *at, const struct type *t, double value);
ir_value emit_null(struct lower *l, struct node *at, const struct type *t);
ir_value emit_local(struct lower *l, struct node *at, int index);
ir_value emit_global(struct lower *l, struct node *at, const struct ir_global *g);
ir_value emit_field(struct lower *l, struct node *at, ir_value address, const struct symbol *field);
ir_value emit_element(struct lower *l, struct node *at, ir_value address, ir_value index);
ir_value emit_binary(struct lower *l, struct node *at, enum ir_arith arith, const struct type *t,
                     ir_value a, ir_value b);
ir_value emit_unary(struct lower *l, struct node *at, enum ir_arith arith, const struct type *t,
                    ir_value a);
void emit_store(struct lower *l, struct node *at, ir_value address, ir_value value);
void emit_copy(struct lower *l, struct node *at, ir_value to, ir_value from);
void emit_zero(struct lower *l, struct node *at, ir_value address);
ir_value emit_convert(struct lower *l, struct node *at, ir_value v, const struct type *to);
/* The value at the address, or the address itself for an aggregate or function. */
ir_value emit_load(struct lower *l, struct node *at, ir_value address, const struct type *t);
/* From the address of an array to that of its first element. */
ir_value emit_decay(struct lower *l, struct node *at, ir_value address, const struct type *array);
/* The type of the value that represents it: an aggregate or function is its address. NULL: void. */
const struct type *value_type(struct lower *l, const struct type *t);
/* Not modelled: adds a note, and yields an unknown value. */
ir_value emit_anything(struct lower *l, struct node *at, const struct type *t, const char *why,
                       const ir_value *args, int arg_count);
/* An unknown value of the type; for what is left out on purpose, so without a note. */
ir_value emit_some(struct lower *l, struct node *at, const struct type *t, const char *why);
ir_value emit_some_of(struct lower *l, struct node *at, const struct type *t, const char *why,
                      const ir_value *args, int arg_count);
void emit_stop(struct lower *l, struct node *at);
const struct ir_inst *inst_of(const struct lower *l, ir_value v);
bool is_int(const struct lower *l, ir_value v, int64_t *value); /* a constant */
/* Removes the last instruction, a constant that is not used. */
bool take_back(struct lower *l, ir_value v);
/* The address of a new unnamed local. */
ir_value emit_temporary(struct lower *l, struct node *at, const struct type *t);
const struct type *pointer_to(struct lower *l, const struct type *t);
const struct type *int_type(struct lower *l);

bool is_live(const struct lower *l);
void go_on_in(struct lower *l, int block);
void jump_to(struct lower *l, struct node *at, struct label *to);
void branch_to(struct lower *l, struct node *at, ir_value v, struct label *yes, struct label *no);
/* What follows is the target of the label's jumps. */
void place(struct lower *l, struct label *label);
/* The same for a label that will be jumped back to. */
void place_head(struct lower *l, struct label *label);
/* types.c: the spelling of a type; "" if it has so many parts or levels that libclang would take
 * too long or recurse too deeply. */
char *type_spelling(struct lower *l, CXType t);
/* doubtful.c: notes what is declared at file scope with errors in it; then the names at the errors
 * that are in no function; whether something of that name was noted; that the function being built
 * uses it. */
void note_doubtful(struct lower *l, CXCursor declaration);
void note_doubtful_spots(struct lower *l);
bool is_doubtful(struct lower *l, CXCursor declaration);
void use_name(struct lower *l, CXCursor declaration);
/* conditional.c: finds what depends on an include that could not be found; notes names at file
 * scope that do, in the order of the file; whether what is declared there does. */
void conditional_begin(struct lower *l);
void note_conditional(struct lower *l, CXCursor declaration);
bool is_conditional(struct lower *l, CXCursor declaration);
/* errors.c: how many errors the compiler found in what is declared there; they are marked as those
 * of a function. */
int errors_in(struct lower *l, CXCursor declaration, bool is_function);
/* Whether there are any. */
bool has_errors(struct lower *l, CXCursor declaration);
/* Continues in a new block if the current one is long. Between statements, and parts of an
 * initialiser. */
void part_block(struct lower *l);
int label_block(struct lower *l, struct label *label);

/* stmt.c */
void lower_statement(struct lower *l, struct node *n);
/* Of a statement expression: the value of its last statement; 0: none. */
ir_value lower_block_value(struct lower *l, struct node *compound);

/* cond.c */
void branch_on(struct lower *l, struct node *n, struct label *yes, struct label *no);
ir_value lower_logical(struct lower *l, struct node *n);
ir_value lower_conditional(struct lower *l, struct node *n, bool is_used);
ir_value lower_short_conditional(struct lower *l, struct node *n, bool is_used); /* a ?: b */

/* expr.c */
/* The value of an expression: of an aggregate, its address; 0: none. */
ir_value value_of(struct lower *l, struct node *n);
ir_value address_of(struct lower *l, struct node *n);
void effect_of(struct lower *l, struct node *n); /* the value is not used */
/* Converts the value to a type: C's implicit conversions are explicit in libclang, with a few
 * exceptions. */
ir_value value_as(struct lower *l, struct node *n, const struct type *t);
ir_value field_address(struct lower *l, struct node *at, ir_value base, const struct type *record,
                       struct symbol *field);
ir_value load_from(struct lower *l, struct node *n, ir_value address, const struct type *t);

/* The address of a va_list, which may be an array, a record, or a pointer to either. */
ir_value list_address(struct lower *l, struct node *n);
/* variadic.c: va_start, va_copy and va_arg, of lists at these addresses. */
bool is_argument_list(const struct type *t);
void emit_list_start(struct lower *l, struct node *at, ir_value list);
void emit_list_copy(struct lower *l, struct node *at, ir_value to, ir_value from);
ir_value emit_list_next(struct lower *l, struct node *at, ir_value list, const struct type *t);

/* All operands are evaluated, and what they point to escapes. */
ir_value not_modelled(struct lower *l, struct node *n, const char *why);

/* operator.c */
ir_value lower_unary(struct lower *l, struct node *n);
ir_value lower_binary(struct lower *l, struct node *n);
ir_value lower_compound_assign(struct lower *l, struct node *n);
/* a op b, of that type; 0 if it has no value. */
ir_value compute(struct lower *l, struct node *n, enum ir_arith arith, const struct type *t,
                 ir_value a, ir_value b);
/* The int truncated to this many bits; 0: all bits of its type. */
ir_value cut_to_bits(struct lower *l, struct node *at, ir_value v, int bits);

/* atomic.c */
ir_value lower_atomic(struct lower *l, struct node *n);

/* constant.c */
bool evaluate_int(struct lower *l, CXCursor c, int64_t *value);
bool evaluate_real(struct lower *l, CXCursor c, double *value);
ir_value lower_integer(struct lower *l, struct node *n);
ir_value lower_real(struct lower *l, struct node *n);
const char *text_value(struct lower *l, struct node *n); /* of a literal */
ir_value lower_text(struct lower *l, struct node *n);
ir_value lower_size(struct lower *l, struct node *n); /* sizeof, _Alignof */
/* Whether this is a number literal, perhaps in parentheses. */
bool literal_value(struct lower *l, struct node *n, int64_t *value);

/* call.c */
ir_value lower_call(struct lower *l, struct node *n);
/* What _Generic selected. NULL: unknown. */
struct node *chosen(struct lower *l, struct node *n);
/* Whether the literal only records where in the source it is. */
bool is_place(struct lower *l, struct node *n);
/* The function called or named, NULL if it is computed. */
struct symbol *named_function(struct lower *l, struct node *n);

/* init.c */
/* Initialises the object at the address; clean: it is all zero already. */
void initialise(struct lower *l, ir_value address, const struct type *t, struct node *init,
                bool clean);
/* The same for the local that is declared there. */
void initialise_local(struct lower *l, struct node *at, const struct symbol *s, struct node *init);
ir_value lower_compound_literal(struct lower *l, struct node *n);

#endif
