/* What the files of the standard library (std_*.c) share. */
#ifndef FRONTENDS_CLANG_STD_H
#define FRONTENDS_CLANG_STD_H

#include "frontends/clang/cpp.h"

/* A call that is being lowered. */
struct std_call {
    struct lower *l;
    struct node *n;
    const struct type *t; /* of the object */
    ir_value object;
    node_list args;
};

/* What a call yields: a value, or the address of what the reference names. */
struct std_result {
    ir_value v;
    bool is_place;
    bool is_done;
};

static inline struct std_result std_place(ir_value v)
{
    return (struct std_result){v, true, v != 0};
}

static inline struct std_result std_value(ir_value v)
{
    return (struct std_result){v, false, true};
}

/* std_call.c */
/* The object of a class that is modelled, without conversions to its bases; NULL: there is none. */
struct node *std_modelled_object(struct lower *l, struct node *n);

/* std_function.c */
struct std_result std_run_function(struct std_call *c, const char *name, CXCursor callee);
bool std_swap(struct lower *l, struct node *n, ir_value a, ir_value b); /* at these addresses */

/* std_iterator.c; where a value is yielded, 0 is: it is not modelled */
bool std_is_iterator(struct lower *l, const struct type *t);
bool std_is_cursor(struct lower *l, const struct type *t); /* of items in no order */
/* An iterator of type t that points there. */
ir_value std_iterator_to(struct lower *l, struct node *n, const struct type *t, ir_value item);
ir_value std_or_null(struct lower *l, struct node *n, ir_value v);
ir_value std_iterate(struct std_call *c, bool is_end); /* begin() or end() */
ir_value std_find(struct std_call *c);
ir_value std_moved(struct std_call *c, enum ir_arith arith);
ir_value std_move(struct std_call *c, enum ir_arith arith, bool is_step);
ir_value std_passed_pointer(struct lower *l, struct node *n);
bool std_compare_iterators(struct std_call *c, enum ir_arith arith, ir_value *out);
bool std_fill_from_range(struct std_call *c);
bool std_insert_at(struct std_call *c);

/* std_callable.c */
/* Something that can be called. */
struct std_callable {
    ir_value object;   /* the address of one with operator(), */
    CXCursor method;   /* and that */
    ir_value function; /* else: of that type */
    const struct type *type;
};
/* What is passed to an algorithm; false: it is not known what it calls. */
bool std_callable(struct std_call *c, struct node *from, CXCursor algorithm,
                  struct std_callable *out);
/* With what is at these addresses; 0: nothing is returned. */
ir_value std_call_callable(struct std_call *c, const struct std_callable *f, const ir_value *items,
                           int count);

/* std_algorithm.c */
enum std_algorithm {
    ALGORITHM_FOR_EACH,
    ALGORITHM_TRANSFORM,
    ALGORITHM_COPY,
    ALGORITHM_FIND_IF,
    ALGORITHM_FIND_IF_NOT,
    ALGORITHM_ANY_OF,
    ALGORITHM_ALL_OF,
    ALGORITHM_NONE_OF,
    ALGORITHM_PERMUTE,
    ALGORITHM_ANY_ITEM,
    ALGORITHM_FILL,
    ALGORITHM_GENERATE,
    ALGORITHM_ACCUMULATE
};
struct std_result std_run_algorithm(struct std_call *c, enum std_algorithm which, CXCursor callee);

/* std_construct.c */
/* From arguments; false: it is not modelled. */
bool std_construct_from(struct std_call *c);
/* assign(…) */
bool std_fill(struct std_call *c);
/* = {a, b, c}; false: it is not modelled. */
bool std_assign_list(struct std_call *c, struct node *list);

/* std_object.c */
const struct type *std_size_type(struct lower *l);
ir_value std_size_at(struct std_call *c);
ir_value std_load_size(struct std_call *c);
ir_value std_first_item(struct std_call *c);
ir_value std_item_at(struct std_call *c, ir_value index);
ir_value std_last_item(struct std_call *c);
void std_set_item_to(struct std_call *c, ir_value to, struct node *n);
void std_make_empty(struct std_call *c);
void std_step_size(struct std_call *c, enum ir_arith arith);
ir_value std_push(struct std_call *c, bool is_emplaced);
/* From the arguments, at that address; false: it is not modelled. */
bool std_emplace(struct std_call *c, ir_value to);
/* A pair or a tuple at that address; false: there are other parts. */
bool std_set_parts(struct std_call *c, ir_value to);
ir_value std_new_item(struct std_call *c); /* behind the others */
ir_value std_pointer_at(struct std_call *c);
ir_value std_load_pointer(struct std_call *c);
bool std_set_pointer(struct std_call *c, struct node *from);
bool std_set_function(struct std_call *c, struct node *from);
ir_value std_call_function(struct std_call *c, CXCursor callee);

/* std_map.c */
ir_value std_pair_at(struct std_call *c, struct node *key);
ir_value std_keyed(struct std_call *c, struct node *n);
ir_value std_keyed_new(struct std_call *c, struct node *n); /* it is there from now on */
bool std_insert(struct std_call *c); /* a key and a value, or a pair of them */
void std_insert_listed(struct std_call *c, struct node *list);

/* std_text.c; where a value is yielded, 0 is: it is not modelled */
/* The address of its characters; 0: it is no text. */
ir_value std_characters(struct lower *l, struct node *n);
bool std_compare_texts(struct std_call *c, bool is_equal, ir_value *out);
/* The number of what it names in a map. */
ir_value std_key_of_text(struct lower *l, struct node *n, ir_value characters);
ir_value std_joined_texts(struct std_call *c);
bool std_set_text(struct std_call *c, bool is_behind);
ir_value std_text_of_number(struct std_call *c);

#endif
