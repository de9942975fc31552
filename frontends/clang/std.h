/* What std_object.c and std_call.c share. */
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
ir_value std_keyed(struct std_call *c, struct node *key);
ir_value std_pointer_at(struct std_call *c);
ir_value std_load_pointer(struct std_call *c);
bool std_set_pointer(struct std_call *c, struct node *from);
bool std_set_function(struct std_call *c, struct node *from);
ir_value std_call_function(struct std_call *c, CXCursor callee);
/* The address of its characters; 0: it is no text. */
ir_value std_characters(struct lower *l, struct node *n);
bool std_compare_texts(struct std_call *c, bool is_equal, ir_value *out);

#endif
