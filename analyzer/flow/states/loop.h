/* The head of a loop, and an iteration that comes back to it: what the files that compare them and
 * decide what the head becomes share.
 *
 *   loop_changes.c  the places that the iteration changed
 *   loop_elements.c elements of arrays that iterations fill one by one
 *   loop_kin.c      which tensors may share memory
 *   loop_widen.c    those that become a range, or anything, at once: numbers that count, pointers
 *                   that walk
 *   loop_held.c     where there are tensors that iterations, or instances of a recursion, make
 *   loop_groups.c   which of the others belong together
 *   loop_late.c     which were found too late to belong together
 *   loop_plain.c    what is left of a value once its iteration is over
 *   loop_runs.c     runs that differ in what they ask in the loop
 *   loop_text.c     texts that iterations found, and what was set by comparing them
 *   ways.c          the others: together, they are one of the ways that they can be */
#ifndef ANALYZER_FLOW_STATES_LOOP_H
#define ANALYZER_FLOW_STATES_LOOP_H

#include "analyzer/flow/states/states.h"

enum { MAX_LIMIT = 64 }; /* nodes of what is known of one choice */

enum slot_kind { SLOT_CELL, SLOT_TENSOR, SLOT_NODE };

/* A place that differs between the head and the incoming state. */
struct slot {
    enum slot_kind kind;
    const struct loc *loc; /* of cells */
    int id;                /* of tensors and nodes */
    diagram before, after;
    diagram texts;   /* after, with the texts that the iteration read; DIAGRAM_NO: there are none */
    diagram changed; /* the condition under which the iteration changed it */
    int group;
    int whole; /* of groups, by the smallest of them */
};

/* Which iterations led to the ways that a choice stands for. */
struct way_note {
    term_id choice;
    const struct condition **taken;
    int count;
};

struct kin_in_loop {
    int name, now;
};

struct loop {
    struct arena *arena;
    struct conditions *c;
    struct state *head;
    const struct state *s;
    struct ways *ways;
    diagram runs; /* that get to the head, in terms from before the loop */
    LIST(struct slot) slots;
    LIST(struct slot) same;        /* places that are one of several, and did not change */
    LIST(struct kin_in_loop) kins; /* that are another in the loop */
    LIST(struct way_note) notes;
    bool grew;
    bool is_over; /* there are too many ways, but fewer if an iteration was not kept apart */
};

/* loop_kin.c: kins that tensors have before or after the iteration; a tensor with that of the
 * loop. */
void loop_join_kins(struct loop *l);
struct tensor loop_with_kin(struct loop *l, const struct state *s, const struct tensor *t);

/* loop_changes.c: fills in slots and same. */
void loop_compare(struct loop *l);
/* loop_elements.c: elements that the iterations filled become what any element holds. */
void loop_fold_elements(struct loop *l, cell_list *mine, cell_list *theirs);
/* There is no room for what such members are together: from now on each is known by itself. False:
 * none is among the places. */
bool loop_parts_families(struct loop *l, const struct slot *const *slots, int size);
/* The tensors that such members can be, in the state. */
struct name_list loop_names_of_families(struct loop *l, const struct state *s);
void loop_join_tensor(struct loop *l, diagram before, diagram after);

/* loop_held.c: by tensor of the state, the condition under which something is that tensor; the slot
 * of one that is not there elsewhere. */
const diagram *loop_held(struct loop *l, const struct state *s);
void loop_keep_held(struct loop *l, struct slot *slot, diagram before, diagram after);

/* The slot of a tensor that iterations made, which means nothing for runs without one: there it is
 * what this one made. */
void loop_disregard_unmade(struct loop *l, struct slot *slot);

/* loop_groups.c: fills in group and whole. */
void loop_find_groups(struct loop *l);
/* Whether another place changes with the text that a place holds, or depends on what it is. */
bool loop_is_apart(struct loop *l, const struct slot *text);
/* Whether both depend on one unknown of the loop. */
bool loop_share_term(struct loop *l, diagram x, diagram y);

/* loop_late.c: notes places that belong together now, and were changed each by itself before;
 * whether the place is one of those that were noted in an earlier run of the root. */
void loop_note_late(struct loop *l);
bool loop_is_one_of_late(const struct loop *l, const struct slot *slot);

/* loop_text.c: what the iteration left, with the texts that it read. */
diagram loop_texts_read(struct loop *l, const struct loc *at, const struct value *v);
/* Whether that is the text that stands for those of all iterations at the place. */
bool loop_is_own_text(struct loop *l, const struct loc *at, const struct value *v);
/* Whether one of the others depends on what the text at the place is: then it gets one of its own.
 */
bool loop_keeps_text(struct loop *l, const struct slot *const *slots, int size, int i);
/* One of the ways with the text of its own; what is known of that where `care` holds, for runs by
 * terms from before the loop. */
diagram loop_with_own_text(struct loop *l, const struct slot *slot, diagram one);
diagram loop_said_of_text(struct loop *l, const struct slot *slot, diagram one, diagram care);
/* What changed with the text of its own is not known together with it. */
void loop_text_is_apart(struct loop *l, const struct slot *slot, diagram cases);

/* loop_runs.c: for some of the runs, what all of them are. */
enum { MAX_RUN_PARTS = 4 };
struct loop_part_of_runs {
    diagram path;
    diagram *all;
};
/* The parts into which a number from before the loop divides the runs, if in each of them they
 * depend on fewer terms of the loop; 0: it does not. */
int loop_divide_runs(struct loop *l, const diagram *all, int count, diagram path,
                     struct loop_part_of_runs *parts);

/* loop_widen.c: at the head, what is there becomes one value that stands for x and y. False: it
 * does not, since it can be one of several ways. */
bool loop_widen(struct loop *l, const struct loc *at, const struct value *x, const struct value *y);
void loop_put(struct loop *l, const struct loc *at, struct value v);
void loop_put_joined(struct loop *l, const struct loc *at, const struct value *x,
                     const struct value *y);
/* The same of a text, or a pointer to one: whether there is one, and which, become unknowns of
 * their own, so that nothing is joined until it is compared. False: it is none. is_apart: other
 * places change with it. */
bool loop_put_text(struct loop *l, const struct loc *at, const struct value *x,
                   const struct value *y, bool is_apart);
/* loop_plain.c: without what was learned of it in one iteration. */
struct value loop_plain(struct value v);
/* The same of what is at a place of the head; a text that stands there for those of all iterations
 * stays. */
diagram loop_cases(struct loop *l, const struct state *s, const struct loc *at,
                   const struct value *v);
/* Where two diagrams differ; where the iteration changed the place. */
diagram loop_unlike(struct loop *l, diagram x, diagram y);
diagram loop_where_changed(struct loop *l, const struct slot *slot);
bool loop_has_fresh_index(const struct loc *l);
/* Whether the place is a member of any element, of which it is known what it was written with. */
bool loop_is_of_family(struct loop *l, const struct state *s, const struct loc *at);

#endif
