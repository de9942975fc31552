/* Tensors and nodes of the tape in a state: boxes that states share until one of them writes, as
 * they share pages (page.c). A state has a list of them by name, which is shared likewise. */
#include "analyzer/flow/states/states.h"

struct tensor_slot *state_tensors_own(struct state *s)
{
    s->is_pruned = false;
    if (s->shares_tensors) {
        size_t bytes = sizeof *s->tensors.items * (size_t)s->tensors.count;
        s->tensors.items = arena_copy(s->arena, s->tensors.items, bytes);
        s->tensors.room = s->tensors.count;
        s->shares_tensors = false;
    }
    return s->tensors.items;
}

static struct tensor_box *tensor_copy(struct arena *a, const struct tensor_box *b, uint64_t owner)
{
    struct tensor_box *c = arena_copy(a, b, sizeof *b);
    c->owner = owner;
    c->moved = NULL;
    return c;
}

struct tensor *state_tensor_write(struct state *s, int i)
{
    struct tensor_slot *at = &state_tensors_own(s)[i];
    s->is_tape_pruned &= !tensor_leads_to_tape(&at->box->tensor);
    if (at->box->owner != s->stamp)
        at->box = tensor_copy(s->arena, at->box, s->stamp);

    return &at->box->tensor;
}

int state_node_from(const struct state *s, int id)
{
    int low = 0, high = s->nodes.count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->nodes.items[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct node_slot *state_nodes_own(struct state *s)
{
    s->is_pruned = false;
    if (s->shares_nodes) {
        size_t bytes = sizeof *s->nodes.items * (size_t)s->nodes.count;
        s->nodes.items = arena_copy(s->arena, s->nodes.items, bytes);
        s->nodes.room = s->nodes.count;
        s->shares_nodes = false;
    }
    return s->nodes.items;
}

static struct node_box *node_copy(struct arena *a, const struct node_box *b, uint64_t owner)
{
    struct node_box *c = arena_copy(a, b, sizeof *b);
    c->owner = owner;
    c->moved = NULL;
    return c;
}

struct tape_node *state_node_write(struct state *s, int i)
{
    struct node_slot *at = &state_nodes_own(s)[i];
    s->is_tape_pruned = false;
    if (at->box->owner != s->stamp)
        at->box = node_copy(s->arena, at->box, s->stamp);

    return &at->box->node;
}

void boxes_copy(struct arena *a, struct state *s)
{
    for (int i = 0; i < s->tensors.count; i++)
        s->tensors.items[i].box = tensor_copy(a, s->tensors.items[i].box, s->stamp);
    for (int i = 0; i < s->nodes.count; i++)
        s->nodes.items[i].box = node_copy(a, s->nodes.items[i].box, s->stamp);
}

static void move_tensors(struct arena *a, struct state *c, uint64_t since)
{
    for (int i = 0; i < c->tensors.count; i++) {
        struct tensor_box *b = c->tensors.items[i].box;
        if (b->owner <= since)
            continue;
        if (!b->moved)
            b->moved = tensor_copy(a, b, b->owner);
        c->tensors.items[i].box = b->moved;
    }
}

static void move_nodes(struct arena *a, struct state *c, uint64_t since)
{
    for (int i = 0; i < c->nodes.count; i++) {
        struct node_box *b = c->nodes.items[i].box;
        if (b->owner <= since)
            continue;
        if (!b->moved)
            b->moved = node_copy(a, b, b->owner);
        c->nodes.items[i].box = b->moved;
    }
}

void boxes_move(struct arena *a, struct state *s, uint64_t since)
{
    move_tensors(a, s, since);
    move_nodes(a, s, since);
}
