/* Instructions of dynamic languages: members are found by name, classes while the program runs,
 * arguments have labels. No function of a library is known here but those of the language itself;
 * what a library does is in packs, called by their signatures, and in model files, which are code
 * like the program's but are not shown.
 *
 *   object.c     objects: what they are, their fields and classes
 *   name.c       names, modules and imports
 *   imported.c   which modules other units may import
 *   attribute.c  members of all kinds of values
 *   argument.c   arguments of a call, and the parameters of a function that they are bound to
 *   invoke.c     calls
 *   unseen.c     code that cannot be seen, and what is assumed of it
 *   construct.c  new instances of classes, enumerations and named tuples
 *   signature.c  calls of what packs describe
 *   sort.c       what values are to signatures, and which signature fits
 *   operand.c    the operands of such a call
 *   protocol.c   operators, and what else is defined for all values
 *   item.c       x[i], and whether something is in a container
 *   isinstance.c  which values are of which class
 *   equality.c   whether two values are equal, or the same
 *   index.c      what indices leave of dimensions
 *   number.c     operators on numbers and texts
 *   text.c       methods of texts
 *   elements.c   what lists, tuples and dicts have in them
 *   container.c  items and methods of these, and slices
 *   iterate.c    loops over them
 *   alike.c      loops over objects that are alike
 *   native.c     tables of functions that are computed here
 *   builtin.c    functions that the language has built in
 *   sequence.c   those that make containers, and go through their elements
 *   primitive.c  what model files need beyond the language
 *   registered.c  what modules register, and what they only hold
 *   outside.c    values that the program is given from outside
 *   setters.c    members of instances from outside that several methods set
 *   garbage.c    objects that nothing leads to any more
 *   run.c        instructions one by one
 *
 * None is the null pointer, a text the address of a literal, a dtype or device a number that names
 * it; everything else but numbers and tensors is the address of an object. */
#ifndef ANALYZER_FLOW_DYNAMIC_H
#define ANALYZER_FLOW_DYNAMIC_H

#include "analyzer/flow/engine/engine.h"
#include "analyzer/pack/signature.h"

enum dynamic_kind {
    DYNAMIC_INSTANCE,
    DYNAMIC_LIST,
    DYNAMIC_TUPLE,
    DYNAMIC_SET,
    DYNAMIC_DICT,
    DYNAMIC_SLICE,
    DYNAMIC_FUNCTION,
    DYNAMIC_METHOD, /* a function and what it is called on */
    DYNAMIC_CLASS,
    DYNAMIC_MODULE,
    DYNAMIC_NAMED, /* by its dotted name: a function of the language or of a pack, or of nobody */
    DYNAMIC_ITERATOR,
    DYNAMIC_SUPER,
    DYNAMIC_DESCRIPTOR, /* a property, static or class method, by its name */
    DYNAMIC_OUTSIDE,    /* given from outside: it may be anything, but is the same each time */
    DYNAMIC_COUNT
};

struct dynamic {
    enum dynamic_kind kind;
    const struct ir_function *code; /* of a function */
    const struct ir_unit *unit;     /* of a module */
    const char *name;               /* of a class, a module, what is named, a descriptor */
    struct object *class;           /* of an instance; of super, the one before */
    struct object **order;          /* of a class: itself and its bases, in order of lookup */
    int order_count;
    bool is_open;      /* of a class: a base is not known */
    bool is_unseen;    /* the same, and no model file says what it is */
    bool is_model;     /* of a class: that of a library, as a model file describes it */
    bool is_record;    /* of a class: its annotations are parameters of its constructor */
    bool is_container; /* of a class: it is that of a model file for a container */
    bool is_tuple;     /* with is_record: and its instances are tuples of these */
    bool is_given;     /* of what is from outside: it is not None */
    bool is_data;      /* the same: what a file of settings holds, no code and no tensor */
    bool is_text;      /* of an option: a text, or None */
    const struct code *passed_to; /* of what a method of a module is passed: the method, */
    int passed_as;                /* and which parameter it is */
    struct object *upper_of;      /* of what is from outside: this text in upper case */
    text_list choices;            /* of an option: all texts that it can be; none: any */
    LIST(const char *) annotated; /* of a class: names with annotations */
};

/* One instruction while it is run. p->s is the state; it is another one after a call. */
struct dyn {
    struct path *p;
    ir_value n;
    const struct natives *natives;
    const struct arguments *waiting; /* for what is still to be looked up or made; NULL: none */
    int made;                        /* objects that it made so far */
    int calls;                       /* of packs that it made so far */
};

enum { DYN_ARGUMENTS = 48 };
struct arguments {
    struct value values[DYN_ARGUMENTS];
    const char *labels[DYN_ARGUMENTS]; /* NULL: by position; these come first */
    ir_value from[DYN_ARGUMENTS];      /* the operand that it is; 0: none */
    int count;
    bool has_more;                /* others that are not known; */
    int more_at;                  /* from this position on, counted from 1; 0: they have labels */
    const struct value *elements; /* those without are elements of this list; NULL: not known */
    struct object *settings;      /* those with labels are in this; NULL: not known */
};

/* Functions that return false: the path ends there, since an exception was raised or since no run
 * gets there. */

/* ---- object.c -------------------------------------------------------------------------------- */

struct object *dyn_new(struct dyn *d, enum dynamic_kind kind, struct object *class);
/* It is there from now on, even if nothing is put in it. */
void dyn_begin(struct dyn *d, struct object *o);
struct value dyn_value(struct dyn *d, struct object *o);
/* The object, if it is exactly one; NULL: not. */
struct object *dyn_object(const struct value *v);
bool dyn_is(const struct value *v, enum dynamic_kind kind);
bool dyn_is_sequence(const struct value *v); /* a list or a tuple */
const struct loc *dyn_field(struct dyn *d, struct object *o, const char *name);
const struct value *dyn_get(struct dyn *d, struct object *o,
                            const char *name); /* NULL: not there */
void dyn_write(struct dyn *d, const struct loc *l, struct value v);
void dyn_put(struct dyn *d, struct object *o, const char *name, struct value v);
void dyn_delete(struct dyn *d, struct object *o, const char *name);
/* What is longer counts as a text that is not known: a program doubles one as often as it likes. */
enum { MOST_TEXT = 4096 };
bool dyn_is_too_long(const char *text);
struct value dyn_text(struct dyn *d, const char *text);
/* The numbers of devices, as in the packs. */
enum { FIRST_CPU = 100, FIRST_CUDA = 101, LAST_CUDA = 164, NUMBER_META = 165, NUMBER_OTHER = 166 };
const char *dyn_literal(const struct value *v); /* NULL: it is no text that is known */
struct value dyn_bool(bool b);
struct value dyn_perhaps(void); /* it has no name in conditions: nobody asks twice */
struct value dyn_unknown_bool(struct dyn *d);
struct value dyn_unknown_int(void);
bool dyn_is_none(const struct value *v);
bool dyn_is_text(const struct value *v);
/* What an unknown text begins with, such as "cuda:"; NULL: it is not known. */
const char *dyn_beginning(const struct value *v);
bool dyn_ends_with(const char *text, const char *with);
/* The names one behind the other, interned. */
const char *dyn_join(struct dyn *d, const char *x, const char *between, const char *y);
/* What is named so; the same object each time. */
struct value dyn_named(struct dyn *d, const char *name);
/* The names of its fields, in the order in which they were first set. */
typedef LIST(const struct loc *) loc_list;
loc_list dyn_fields(struct dyn *d, struct object *o);
int dyn_field_count(struct dyn *d, struct object *o);
/* The op for each that the value can be; what they return, in one state. */
typedef bool dyn_op(struct dyn *d, const struct value *v, void *context, struct value *out);
bool dyn_each(struct dyn *d, const struct value *v, dyn_op *op, void *context, struct value *out);
/* All leaves are tensors. */
bool dyn_is_tensor(struct dyn *d, const struct value *v);
const char *dyn_tensor_class(struct dyn *d, const struct value *v);
/* The class that has its methods: a parameter has all that a tensor has. */
const char *dyn_method_class(struct dyn *d, const struct value *v);
bool dyn_is_subclass(const struct object *class, const struct object *of);

/* ---- name.c ---------------------------------------------------------------------------------- */

struct object *module_object(struct dyn *d, const struct code *body);
bool name_get(struct dyn *d, const char *name, struct value *out);
void name_set(struct dyn *d, const char *name, struct value v);
bool name_import(struct dyn *d, const char *name, struct value *out);
/* As the code does that called the model file which is run. */
bool name_import_for_caller(struct dyn *d, const char *name, struct value *out);
/* Text was run as code of the module. */
void name_run_text(struct dyn *d);
bool name_import_all(struct dyn *d, const struct value *module);
/* A member of a module: what its body bound, or a module below it. */
bool module_attribute(struct dyn *d, struct object *module, const char *name, struct value *out);
/* A name below a dotted one. */
bool named_attribute(struct dyn *d, struct object *o, const char *name, struct value *out);
void modules_find(struct flow *f);
/* imported.c: code.may_be_imported of all bodies. */
void modules_note_imported(struct flow *f);

/* ---- attribute.c ----------------------------------------------------------------------------- */

/* A member, and what it is called on if it is a method. */
struct member {
    struct value value, self;
    bool has_self, is_missing;
};
bool member_find(struct dyn *d, const struct value *of, const char *name, struct member *out);
bool attribute_get(struct dyn *d, const struct value *of, const char *name, struct value *out);
/* What a module registered under that name, as its own __getattr__ finds it. */
bool attribute_registered(struct dyn *d, const struct value *of, const char *name,
                          struct value *out);
bool attribute_set(struct dyn *d, const struct value *of, const char *name, const struct value *v);
/* One whose name is not known: what the object keeps of numbers and texts is not, either. */
bool attribute_set_any(struct dyn *d, const struct value *of, const struct value *name);
/* The same as attribute_set, whatever __setattr__ the class of the object has. */
bool attribute_set_plainly(struct dyn *d, const struct value *of, const char *name,
                           const struct value *v);
/* In the classes from the one at that index on; NULL: not there. */
const struct value *class_member(struct dyn *d, const struct object *class, int from,
                                 const char *name);

/* registered.c: where the program sets an attribute of an object that registers its members. */
void attribute_note(struct dyn *d, struct object *o, const char *name);
/* A tensor was given an attribute that tensors do not have. */
void tensor_attribute_note(struct dyn *d, const char *name, const struct value *v);

/* ---- argument.c ------------------------------------------------------------------------------ */

/* Of the call at hand, whose operands these are. */
void arguments_of(struct dyn *d, const struct value *operands, struct arguments *out);
/* Adds the elements of a container, as "*" does. */
void arguments_spread(struct dyn *d, const struct value *of, struct arguments *out);
/* An argument without a label; anything if there are fewer. */
struct value argument_nth(const struct arguments *a, int n);
void argument_add(struct arguments *a, const char *label, struct value v);
void argument_add_from(struct arguments *a, const char *label, struct value v, ir_value from);
/* The operand of that number of an operator. */
void argument_add_operand(struct dyn *d, struct arguments *a, const struct value *v, int k);
/* A parameter that is passed neither by position nor by its label. otherwise: its default; NULL: it
 * has none. */
struct value argument_missing(struct dyn *d, const struct arguments *a, const char *name,
                              const struct value *otherwise);
/* All of `more` behind what is there. */
void arguments_add(struct arguments *a, const struct arguments *more);
/* Those from the first on that is passed on. */
void arguments_from(const struct arguments *a, int first, struct arguments *out);
/* The positional argument of that number, or the labelled one; NULL: none. */
const struct value *argument_at(const struct arguments *a, int position, const char *label);
/* What waits is held by the state while something else runs, which drops tensors that nothing
 * holds; then it is not held any more, in states that were raised since either. */
void arguments_hold(struct dyn *d, const struct arguments *a);
void arguments_release(struct dyn *d, int raised_before);
/* A value for each parameter of the function. */
void arguments_bind(struct dyn *d, const struct object *function, const struct arguments *a,
                    struct value *bound);

/* ---- invoke.c -------------------------------------------------------------------------------- */

bool invoke_value(struct dyn *d, const struct value *callee, const struct arguments *a,
                  struct value *out);
bool invoke_member(struct dyn *d, const struct value *of, const char *name,
                   const struct arguments *a, struct value *out);
/* The same if it has that member; *found: it has. */
bool invoke_special(struct dyn *d, const struct value *of, const char *name,
                    const struct arguments *a, bool *found, struct value *out);
bool invoke_function(struct dyn *d, const struct object *function, const struct value *self,
                     const struct arguments *a, struct value *out);
bool run_body(struct dyn *d, struct code *code, const struct value *bound,
              const struct object *function, struct value *out);
/* What is behind the yield that a generator was left at. */
bool run_suspended(struct dyn *d, const struct suspended *at);
/* Nothing is known of what is called: what it may have changed is forgotten. */
bool raise_value(struct dyn *d, struct value exception); /* false */
bool raise_named(struct dyn *d, const char *class);      /* false */

/* ---- unseen.c -------------------------------------------------------------------------------- */

/* Whether it may be assumed here, which is counted; false: the analysis is strict. */
bool unseen_is_assumed(struct dyn *d, enum flow_assumed what);
struct value call_unknown(struct dyn *d, const struct arguments *a);
void call_escape(struct dyn *d, const struct value *v, int depth);
/* Whether the call decorates a function or a class. */
bool unseen_decorator(const struct dyn *d, const struct arguments *a);
bool unseen_decorates(const struct dyn *d, const struct value *argument); /* the only one */
/* A region begins or ends that is not known; out: as if it handled what was raised, if it may. */
void unseen_region(struct dyn *d, bool begins, struct value *out);
/* What open() returns. */
#define FILE_NAME "io.file"

/* ---- construct.c ----------------------------------------------------------------------------- */

bool construct(struct dyn *d, struct object *class, const struct arguments *a, struct value *out);
/* The names of the members that the constructor of the class takes, in its order. */
text_list record_names(struct dyn *d, const struct object *class);
/* The dict or list that an instance of a class derived from one is; anything else as it is. */
struct value plain_container(struct dyn *d, const struct value *v);
/* The same; of a named tuple, its members in order. */
struct value record_as_tuple(struct dyn *d, const struct value *v);
/* The same; of one of several tuples of one length, one that has all of their members. */
struct value tuple_of_each(struct dyn *d, const struct value *v);
/* A method of a named tuple, or of its class; found: it is one. */
bool record_method(struct dyn *d, const struct value *of, const char *name,
                   const struct arguments *a, bool *found, struct value *out);
bool class_new(struct dyn *d, struct value *out);
bool is_enumeration(struct dyn *d, const struct object *class);
bool is_enumerator(struct dyn *d, const struct object *o);
/* Whether the class has the value for one of its constants, and not for a method. */
bool enumerates_as(const struct value *v, const char *name);
bool enumerator_named(struct dyn *d, struct object *class, const char *name,
                      const struct value *plain, struct value *out);
/* A dict of all of them by their names. */
bool enumerators(struct dyn *d, struct object *class, struct value *by_name);

/* ---- setters.c ------------------------------------------------------------------------------- */

/* A method that sets the member. */
struct setter {
    const struct ir_function *by;
    const char *name;
};
typedef LIST(struct setter) setter_list;
/* Of the methods of a class, but for those that its constructor calls. */
setter_list setters_of(struct dyn *d, const struct object *class);
/* The method is called after any of the others. */
void setters_forget(struct dyn *d, struct object *self, const setter_list *all,
                    const struct ir_function *method);

/* ---- signature.c ----------------------------------------------------------------------------- */

/* Calls what packs have by that name; *found: they have it. */
bool signature_call(struct dyn *d, const char *name, const struct arguments *a, bool *found,
                    struct value *out);
bool signature_attribute(struct dyn *d, const char *name, const struct value *self, bool *found,
                         struct value *out);
unsigned sorts_of(struct dyn *d, const struct value *v);
/* The function of a pack that has these effects, with arguments as it has them. returns: the object
 * that it returns; NULL: what the pack says. */
bool function_call(struct dyn *d, unsigned effects, const struct value *args, int count,
                   const struct value *returns, struct value *out);
void tensor_set_class(struct dyn *d, const struct value *v, const char *class);
/* The same tensor has the dtype, device and memory of another from now on. */
void tensor_set_data(struct dyn *d, const struct value *of, const struct value *v);
/* A dtype or device as a value. */
struct value dtype_value(struct dyn *d, enum dtype t);
bool device_of_text(struct dyn *d, const char *text, struct value *out);
/* A device by its name or number, or one that is not known. */
struct value device_of(struct dyn *d, const struct value *v);

/* ---- protocol.c, number.c -------------------------------------------------------------------- */

bool protocol_apply(struct dyn *d, enum ir_protocol protocol, const struct value *operands,
                    int count, struct value *out);
bool protocol_truth(struct dyn *d, const struct value *v, struct value *out);
/* equality.c: whether they are equal; whether they are the same object. */
struct value protocol_equal(struct dyn *d, const struct value *x, const struct value *y);
struct value protocol_same(struct dyn *d, const struct value *x, const struct value *y);
/* Whether one of its elements, or of the keys of a dict, is equal to it; -1: not known. */
int container_has(struct dyn *d, const struct value *of, const struct value *v);
struct value number_operator(struct dyn *d, enum ir_protocol protocol, const struct value *x,
                             const struct value *y);
struct value number_compare(struct dyn *d, enum ir_protocol protocol, const struct value *x,
                            const struct value *y);

/* ---- item.c ---------------------------------------------------------------------------------- */

bool item_get(struct dyn *d, const struct value *of, const struct value *index, struct value *out);
bool item_set(struct dyn *d, const struct value *of, const struct value *index,
              const struct value *v, struct value *out);
bool item_is_in(struct dyn *d, const struct value *v, const struct value *of, struct value *out);

/* ---- isinstance.c ---------------------------------------------------------------------------- */

/* The class of tensors, or its name. */
bool value_is_tensor_class(const struct value *v);
/* 0, 1, or -1: it is not known. */
int value_is_a(struct dyn *d, const struct value *v, const struct value *class);
bool value_isinstance(struct dyn *d, const struct value *v, const struct value *class,
                      struct value *out);

/* ---- container.c, iterate.c ------------------------------------------------------------------ */

struct value container_make(struct dyn *d, enum dynamic_kind kind, const struct value *items,
                            int count);
/* elements.c: an element by its number. Taking it may make iterations of a loop differ. */
enum { MOST_ITEMS = 512 };
void element_put(struct dyn *d, struct object *o, int64_t index, struct value v);
void element_note_taken(struct dyn *d, const struct object *from, uint64_t place,
                        const struct value *v);
/* Whether it is a range of numbers; any of these. */
bool container_is_range(struct dyn *d, struct object *o);
struct value container_any_number(struct dyn *d, struct object *o, int64_t length);
/* A list or tuple whose length is not known, and all elements are this. */
struct value container_of_any(struct dyn *d, enum dynamic_kind kind, const struct value *element);
int64_t container_length(struct dyn *d, const struct value *v); /* -1: not known */
/* How often a loop over it is run: as often as it has elements, or as it was noted, of elements
 * that are not kept apart; 0: not known. */
double container_rounds(struct dyn *d, const struct value *v);
void container_note_rounds(struct dyn *d, const struct value *v, double rounds);
/* Of the numbers in nested lists, if all are known. */
struct value_range container_range(struct dyn *d, const struct value *v);
struct value container_item(struct dyn *d, const struct value *v, int64_t index);
void container_append(struct dyn *d, struct object *list, const struct value *v);
/* The elements, if they are all known; false: not. */
typedef LIST(struct value) values_of;
bool container_items(struct dyn *d, const struct value *v, values_of *out);
/* Whichever of its elements. */
struct value container_any(struct dyn *d, const struct value *v);
/* Of two, which are not both empty: the same, if their elements are alike. */
struct value value_one_of(struct dyn *d, struct value x, struct value y); /* x may be nothing */
struct value container_any_of_both(struct dyn *d, const struct value *x, const struct value *y);
bool container_getitem(struct dyn *d, const struct value *of, const struct value *index,
                       struct value *out);
bool container_setitem(struct dyn *d, const struct value *of, const struct value *index,
                       const struct value *v);
bool container_method(struct dyn *d, const struct value *of, const char *name,
                      const struct arguments *a, bool *found, struct value *out);
/* The field that a dict keeps the value of the key in; NULL: the key is not known. */
const char *dict_key(struct dyn *d, const struct value *key);
struct value dict_key_value(struct dyn *d, const char *field);
bool iterate_begin(struct dyn *d, const struct value *of, struct value *out);
bool iterate_more(struct dyn *d, const struct value *iterator, struct value *out);
bool iterate_next(struct dyn *d, const struct value *iterator, struct value *out);
/* All that a loop over it yields, as a list or another container. */
bool iterate_all(struct dyn *d, const struct value *of, enum dynamic_kind kind, struct value *out);
/* Of what the iterator is over; 0: not known. */
double iterate_length(struct dyn *d, const struct value *iterator);

/* What a method of that name lists, if it is called on what is not known: only modules have it. */
bool registered_of_unknown(struct dyn *d, const struct value *of, const char *name,
                           struct value *out);
/* Whether it is a module, whose members are registered when they are set. */
bool module_registers(struct dyn *d, const struct object *o);
/* What a module that is given from outside registers is open. */
void module_open(struct dyn *d, const struct value *module);
/* What --assume says of the tensors that a new instance of the class registers:
 * "Model.*=bf16@cuda". False: nothing. */
bool module_assume(struct dyn *d, const struct object *class, const struct value *module);

/* ---- index.c --------------------------------------------------------------------------------- */
bool index_is_ellipsis(const struct value *v);
/* x[..., 0], x[:, None]: neither a list nor a dict is indexed so. */
bool index_has_slices(struct dyn *d, const struct value *index);

/* A bound of a slice of so many elements: `otherwise` if it has none; false: not known. */
bool slice_bound(struct dyn *d, struct object *slice, const char *name, int64_t otherwise,
                 int64_t length, int64_t *out);
/* The sizes of a tensor at numbers, slices, None and an ellipsis, -1 for those that are not known;
 * false: not even how many there are. */
bool index_sizes(struct dyn *d, const struct value *of, const values_of *items, struct shape *out);

/* ---- builtin.c, text.c, primitive.c, registered.c -------------------------------------------- */

typedef bool dyn_native(struct dyn *d, const struct arguments *a, struct value *out);

/* What is written in C, for those who call it by name: they know nothing of the files it is in. */
struct natives {
    dyn_native *(*named)(const char *name); /* "builtins.len", "_mc.option"; NULL: none */
    bool (*text_method)(struct dyn *d, const struct value *of, const char *name,
                        const struct arguments *a, struct value *out);
};

struct native {
    const char *name;
    dyn_native *run;
};
/* In a table that is sorted by name; NULL: none. */
dyn_native *native_in(const struct native *rows, int count, const char *name);
dyn_native *builtin_function(const char *name);     /* "builtins.len"; NULL: none */
dyn_native *sequence_function(const char *name);    /* the same, in sequence.c */
dyn_native *primitive_named(const char *name);      /* "_mc.option" */
dyn_native *registered_primitive(const char *name); /* "_mc.tensors" */
bool text_method(struct dyn *d, const struct value *of, const char *name, const struct arguments *a,
                 struct value *out);

/* ---- outside.c ------------------------------------------------------------------------------- */

struct value outside_value(struct dyn *d, struct key key, const struct access_path *place);
struct value outside_member(struct dyn *d, struct object *o, const char *name);
/* That all that is passed from outside is on a GPU: only where there is one. */
diagram outside_on_gpu(struct dyn *d);
struct value outside_argument(struct dyn *d, const struct code *code, int param);
/* What a file holds that is read here; if it is read here again, anything. */
struct value outside_data(struct dyn *d);
/* What a file of settings holds; NULL: it is something else. */
struct object *outside_settings(const struct value *v);
/* One of the settings that a file holds, by its name. otherwise: what it is if it is not there,
 * which says of what kind it is; NULL: none. */
struct value outside_setting(struct dyn *d, struct object *of, const char *name,
                             const struct value *otherwise);
/* Whether it is a method of dicts that takes one of them. */
bool outside_gets(const struct object *o, const char *name);
/* It is used as a tensor. is_sure: a number could not be. */
struct value outside_tensor(struct dyn *d, struct object *o, bool is_sure);
struct value outside_truth(struct dyn *d, struct object *o, const char *question);
/* The one value if it is that text, else the other. */
struct value outside_choose(struct dyn *d, struct object *o, const char *text,
                            const struct value *yes, const struct value *no);
/* Whether it has this method of texts, and what that gives. */
bool outside_has_method(const struct object *o, const char *name);
struct value outside_method(struct dyn *d, const struct value *of, const char *name,
                            const struct arguments *a);
/* By what text it is: its default, or one of those that programs name devices with. */
typedef struct value of_text(struct dyn *d, const char *text, void *context);
struct value outside_by_text(struct dyn *d, struct object *o, of_text *of, void *context,
                             struct value otherwise);
/* Whether it is that text. */
struct value outside_is_text(struct dyn *d, struct object *o, const char *text);
/* False: the option can be no such text. */
bool outside_can_be(const struct object *o, const char *text);
struct object *outside_option(struct dyn *d, const char *name);
/* It is not None, if it never is by default. */
void outside_set_defaults(struct dyn *d, struct object *o, const char *kind,
                          const struct value *otherwise);
struct value outside_read(struct dyn *d, struct object *o, const char *kind,
                          const struct value *otherwise);
/* An option of the kind of what it is by default. */
struct value outside_like(struct dyn *d, const char *name, const struct value *otherwise);

/* ---- garbage.c ------------------------------------------------------------------------------- */

/* alike.c: as in struct dynamic_language. */
void alike_skip(struct flow *f, const struct frame *fr, const struct state *before,
                struct state *now);

/* Objects made since the state was that, which nothing leads to but perhaps this value. */
void garbage_drop(struct flow *f, struct state *s, const struct state *since,
                  const struct value *but);

/* ---- run.c ----------------------------------------------------------------------------------- */

extern const struct dynamic_language dynamic_language;

#endif
