/* What the files that lower C++ share. A class becomes a record: its bases first, as members, then
 * a pointer for each virtual function that it introduces, then its fields. A method is a function
 * that takes `this`; a reference is the address of what it names. Classes of the standard library
 * are described by std.def instead.
 *
 *   mangle.c     names of functions, variables and classes, the same in all units
 *   class.c      bases and virtual functions of a class
 *   construct.c  constructors, and what a class does without one
 *   method.c     calls of functions, methods and operators
 *   cpp_expr.c   this, members, casts, throw
 *   new.c        new and delete
 *   destroy.c    destructors
 *   cpp_stmt.c   loops over ranges, structured bindings, try and catch
 *   lambda.c     closures
 *   std_type.c   the standard library: layouts of classes, by std.def
 *   std_object.c the same: items of containers, pointers, function objects; std.h, for these
 *   std_map.c    the same: maps
 *   std_text.c   the same: texts
 *   std_construct.c  the same: constructors
 *   std_iterator.c  the same: iterators
 *   std_function.c  the same: functions
 *   std_algorithm.c  the same: functions that go over a range
 *   std_callable.c  the same: calls of what those are passed
 *   std_call.c   the same: methods */
#ifndef FRONTENDS_CLANG_CPP_H
#define FRONTENDS_CLANG_CPP_H

#include "frontends/clang/lower.h"

typedef LIST(struct field) class_field_list;
typedef LIST(struct node *) node_list;
typedef LIST(ir_value) value_list;

/* ---- classes -------------------------------------------------------------------------------- */

enum std_layout {
    STD_SEQUENCE, /* (size), (items) */
    STD_FIXED,    /* (items), as many as the second argument says */
    STD_MAPPING,  /* (size), (items): pairs, by key */
    STD_TUPLE,    /* (0), (1), … */
    STD_POINTER,  /* (pointer) */
    STD_OPTIONAL, /* (has), (value) */
    STD_TEXT,     /* (text) */
    STD_FUNCTION, /* (object), (call) */
    STD_ITERATOR, /* (pointer): to items that follow each other */
    STD_CURSOR,   /* (pointer): to any of the items; NULL: at the end */
    STD_OPAQUE    /* nothing is known */
};

struct std_model {
    const char *name; /* without std:: */
    enum std_layout layout;
};

struct class
{
    const struct type *type;
    CXType ctype;
    const struct std_model *model; /* NULL: a class of the program */
    bool is_closure;               /* of a lambda, whose fields lambda.c knows */
    enum { DESTROYED_UNASKED, DESTROYED_NOT, DESTROYED_IS } destruction; /* by code that is known */
    const char *mark; /* the field that says that it is one; NULL: not virtual */
    LIST(struct class_base {
        const struct type *type;
        int field;
    })
    bases;
    LIST(struct class_slot {
        CXCursor method;
        int field;
    })
    slots; /* virtual functions that it introduces */
};

struct cpp_function {
    int this_local;            /* -1: there is no `this` */
    const struct type *record; /* what that points to */
    bool returns_reference;
    struct lambda *lambda; /* the function is the body of one; NULL: no */
    struct label *handler; /* of the try block that is being lowered; NULL: none */
};

/* mangle.c */
const char *function_name(struct lower *l, CXCursor function);
const char *variable_name(struct lower *l, CXCursor variable);
const char *class_name(struct lower *l, CXCursor declaration);
bool is_library(struct lower *l, CXCursor declaration); /* of the standard library, in C++ */
const char *plain_name(struct lower *l, CXCursor c);    /* without scopes, interned */

/* class.c */
/* A record is about to get its fields: those that come before the ones that are written. */
void class_begin(struct lower *l, const struct type *record, CXType t, class_field_list *hidden);
struct class *class_of(struct lower *l, const struct type *record); /* completed; NULL: no record */
/* The address of a base in the object at the address; 0: it is no base. */
ir_value emit_base(struct lower *l, struct node *at, ir_value object, const struct type *record,
                   const struct type *base);
bool is_base(struct lower *l, const struct type *record, const struct type *base);
/* The method of a base that a virtual one overrides first of all; itself. */
CXCursor introduced_by(struct lower *l, CXCursor method);
bool is_instance_method(struct lower *l, CXCursor function);
/* What the `this` that is passed to the method points to. */
const struct type *this_record(struct lower *l, CXCursor method);
const struct type *parent_record(struct lower *l, CXCursor member);
const struct type *function_type_of(struct lower *l, CXCursor function);
/* Sets the virtual functions of an object of exactly this class. */
void emit_slots(struct lower *l, struct node *at, ir_value object, const struct type *record);
/* Whether what is at the address, of this type as the program says, is one; 0: it has no mark. */
ir_value emit_mark(struct lower *l, struct node *at, ir_value object, const struct type *record);
/* The function that a call through the base's slot runs; 0: it cannot be found. */
ir_value emit_virtual(struct lower *l, struct node *at, ir_value object, const struct type *record,
                      CXCursor method);

/* construct.c */
/* The node, without conversions that change nothing, constructs an object. */
struct node *construction(struct lower *l, struct node *n);
void construct_at(struct lower *l, struct node *n, ir_value address, const struct type *t);
/* Without arguments. */
void construct_default(struct lower *l, struct node *at, ir_value address, const struct type *t,
                       bool is_zeroed);
/* The values that the class has for members that a list leaves out; false: it has none. */
bool construct_defaults(struct lower *l, struct node *at, ir_value address, const struct type *t);
/* What a constructor does before its body. */
void lower_members(struct lower *l, struct node *tree);
/* Copies or moves an object. */
void emit_object_copy(struct lower *l, struct node *at, ir_value to, ir_value from);
ir_value lower_construction(struct lower *l, struct node *n);

/* By that constructor, with arguments that a template passes on. */
bool construct_with(struct lower *l, struct node *n, ir_value address, const struct type *t,
                    CXCursor constructor, const node_list *args);
/* From arguments, by the constructor that takes as many; false: it is not clear which. */
bool construct_from(struct lower *l, struct node *n, ir_value address, const struct type *t,
                    const node_list *args);

/* Whether the class of the program has any that somebody wrote. */
bool has_constructors(struct lower *l, const struct type *t);
/* By one of those, from what stands for it in a list, where conversions are not exposed: {a, b}, or
 * an argument. */
void construct_item(struct lower *l, struct node *n, ir_value address, const struct type *t);

/* method.c */
/* Nothing is written for the argument: the declaration says what it is. */
bool argument_is_left_out(struct lower *l, const struct node *n);
/* The address of a value that was computed. */
ir_value address_of_value(struct lower *l, struct node *n, ir_value v);
bool is_cpp_call(struct lower *l, struct node *n);
/* is_address: of what a returned reference names. */
ir_value lower_cpp_call(struct lower *l, struct node *n, bool is_address);
/* The argument of a parameter of that type; n NULL: its default. */
ir_value lower_passed(struct lower *l, struct node *call, struct node *n, CXCursor callee, int i);
/* What is passed, without the function that is called. */
void call_arguments(struct lower *l, struct node *n, CXCursor callee, node_list *out);
/* The object that a method is called on, which is taken off the arguments of an operator; NULL: it
 * is `this`. */
struct node *called_object(struct lower *l, struct node *n, node_list *args);
/* Its address. */
ir_value method_object(struct lower *l, struct node *n, CXCursor callee, node_list *args);
ir_value emit_named_call(struct lower *l, struct node *n, struct symbol *callee, CXType result,
                         const value_list *args, bool is_address);
/* Of the operands of a call, from the `before`th on those of the callee: which it only reads. */
const char **const_labels(struct lower *l, CXCursor callee, int before, int count);

/* cpp_expr.c */
/* The address of what a variable at the address names, if that is a reference. */
ir_value referred(struct lower *l, struct node *n, const struct symbol *s, ir_value address);
ir_value local_value(struct lower *l, struct node *n, const struct symbol *s);
/* The address of a field of base; NULL: of this object. */
ir_value member_of_class(struct lower *l, struct node *n, struct node *base, struct symbol *field);
/* Conversions between classes and their bases, and lists that become objects; 0: another one. */
ir_value class_value(struct lower *l, struct node *n, struct node *inner);
/* Of what a cast to a reference, a call that returns one, or a choice names; 0: it has no address.
 */
ir_value cast_address(struct lower *l, struct node *n);
ir_value call_address(struct lower *l, struct node *n);
ir_value choice_address(struct lower *l, struct node *n);
ir_value lower_list_value(struct lower *l, struct node *n);
/* The value of `this`; 0: there is none. */
ir_value emit_this(struct lower *l, struct node *at);
ir_value lower_this(struct lower *l, struct node *n);
ir_value lower_new(struct lower *l, struct node *n);
ir_value lower_delete(struct lower *l, struct node *n);
ir_value lower_throw(struct lower *l, struct node *n);
ir_value lower_named_cast(struct lower *l, struct node *n);
/* A conversion between classes, or pointers to them; 0: it is none. */
ir_value convert_class(struct lower *l, struct node *n, ir_value v, const struct type *to);
ir_value conditional_address(struct lower *l, struct node *n);
/* A call of a function of C that the program need not have declared. */
ir_value emit_c_call(struct lower *l, struct node *at, const char *name, const struct type *t,
                     ir_value *args, int count);
/* Memory for an object. */
ir_value emit_allocation(struct lower *l, struct node *at, const struct type *t, ir_value bytes);
ir_value emit_class_size(struct lower *l, struct node *at, const struct type *t);
ir_value lower_scalar_value(struct lower *l, struct node *n);
/* {a, b} where an object of the standard library is wanted; 0: it is something else. */
ir_value lower_list_object(struct lower *l, struct node *n, struct node *inner);
/* The text that is written there, perhaps as the argument of a constructor; NULL: none. */
const char *written_text(struct lower *l, struct node *n);

/* v where control gets to yes, NULL where it gets to no. */
ir_value emit_or_null(struct lower *l, struct node *n, ir_value v, struct label *yes,
                      struct label *no);
/* The pointer as what dynamic_cast makes of it, which is NULL if the object is no such one. */
ir_value emit_dynamic_cast(struct lower *l, struct node *n, ir_value v, const struct type *to);

/* destroy.c */
void emit_destruction(struct lower *l, struct node *at, ir_value object, const struct type *t);
/* A variable that was constructed. */
void scope_add(struct lower *l, struct node *variable, const struct symbol *s);
/* Control leaves the scopes of all variables behind the first `alive` ones. returned: but for the
 * one that this expression names; NULL: there is none. */
void scope_leave(struct lower *l, int alive, struct node *returned);

/* cpp_stmt.c */
void lower_range_for(struct lower *l, struct node *n);
void lower_bindings(struct lower *l, struct node *n);
void bind_parts(struct lower *l, struct node *n, ir_value object); /* at the address */
void lower_try(struct lower *l, struct node *n);

/* lambda.c */
struct lambda;
ir_value lower_lambda(struct lower *l, struct node *n);
/* What a variable outside is inside of the lambda that is being lowered; 0: it is not captured. */
ir_value captured_address(struct lower *l, struct node *n, CXCursor variable);
bool is_captured(struct lower *l, CXCursor variable);
struct lambda *lambda_of(struct lower *l, CXCursor method); /* NULL: it is no lambda's */
ir_value lambda_outer_this(struct lower *l, struct node *n);
const struct type *lambda_outer(const struct lambda *lambda); /* its class; NULL: none */
/* The function that a lambda is converted to, which the compiler defines without showing its body,
 * calls the lambda. */
void lower_invoker(struct lower *l, struct node *at, const struct symbol *s);

/* std_type.c */
const struct std_model *std_model_of(struct lower *l, CXCursor declaration);
void std_fields(struct lower *l, const struct std_model *m, CXType t, class_field_list *out);
/* The address of its field of that name. */
ir_value emit_hidden(struct lower *l, struct node *at, ir_value object, const struct type *record,
                     const char *name);

/* std_construct.c */
/* The list that is written there; NULL: none. */
struct node *std_list_in(struct lower *l, struct node *n);
/* From {a, b}; false: it is not modelled. */
bool std_construct_list(struct lower *l, struct node *n, ir_value address, const struct type *t,
                        struct node *list);
bool std_construct(struct lower *l, struct node *n, ir_value address, const struct type *t,
                   CXCursor constructor);
/* From what stands for it in a list, where conversions are not exposed. */
void std_construct_item(struct lower *l, struct node *n, ir_value address, const struct type *t);
void std_construct_default(struct lower *l, struct node *at, ir_value address,
                           const struct class *c);

/* std_call.c */
/* False: it is not modelled. */
bool lower_std_call(struct lower *l, struct node *n, CXCursor callee, bool is_address,
                    ir_value *out);

/* std_object.c */
/* The address of the items of a container, of what a loop over it runs; count 0: not known. */
/* To yes if a map has items, else to no; if it is not known, to either. false: it is no map. */
bool std_branch_on_items(struct lower *l, struct node *at, ir_value object, const struct type *t,
                         struct label *yes, struct label *no);
bool std_range(struct lower *l, struct node *at, ir_value object, const struct type *t,
               ir_value *items, ir_value *count);

#endif
