/* Functions that are called and that nobody describes: lists of them, by name. */
#include "analyzer/flow/results/results.h"

#include <string.h>

/* Where the name is, or belongs. */
static int place_of(const missing_list *l, const char *name)
{
    int low = 0, high = l->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(l->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void missing_add(struct arena *a, missing_list *to, const char *name, int count)
{
    int at = place_of(to, name);
    if (at < to->count && !strcmp(to->items[at].name, name)) {
        to->items[at].count += count;
        return;
    }
    LIST_ADD(a, to, ((struct missing_call){arena_text(a, name, strlen(name)), count}));
    struct missing_call last = to->items[to->count - 1];
    memmove(to->items + at + 1, to->items + at, sizeof last * (size_t)(to->count - 1 - at));
    to->items[at] = last;
}

void missing_join(struct arena *a, missing_list *to, const missing_list *from)
{
    for (int i = 0; i < from->count; i++)
        missing_add(a, to, from->items[i].name, from->items[i].count);
}
