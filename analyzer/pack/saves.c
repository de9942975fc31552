/* What a function saves for backward: the entry's `saves` comes in, a list of operands with the
 * conditions under which each is saved goes out.
 *
 *     saves: [a if b, b if a] */
#include "analyzer/pack/entry.h"

#include <stdio.h>
#include <string.h>

/* "x", "result", "own", "x if y": only if y requires grad, "x if tensor": not as a number,
 * "x if no count": only if that number is 0 or left out, "x if cuda": only if it is on the GPU. */
static bool read_save(struct entry *b, const struct node *n, struct pack_save *out)
{
    char what[64], with[64], without[64];
    *out = (struct pack_save){-1, -1, false, -1, false};
    if (!entry_text(b, n, "a parameter, or result"))
        return false;
    int words = sscanf(n->text, "%63s if %63s %63s", what, with, without);
    if (words < 1)
        return entry_fail(b, n, "expected a parameter, or result");
    if (strcmp(what, "own") == 0)
        out->what = SAVES_OWN;
    else if (strcmp(what, "result") != 0 && !entry_find_param(b, n, 0, what, &out->what))
        return false;
    if (words == 3 && strcmp(with, "no") == 0)
        return entry_find_param(b, n, 0, without, &out->only_without);
    out->only_tensor = words == 2 && strcmp(with, "tensor") == 0;
    out->only_cuda = words == 2 && strcmp(with, "cuda") == 0;
    return words < 2 || out->only_tensor || out->only_cuda ||
           entry_find_param(b, n, 0, with, &out->only_with);
}

bool entry_read_saves(struct entry *b)
{
    const struct node *list = entry_get(b, "saves");
    if (!list)
        return true;
    if (!expect_kind(b->pack->file, list, NODE_LIST, "a list of what is saved", b->error))
        return false;
    struct pack_save *saves = arena_array(b->set->arena, struct pack_save, list->count);
    for (int i = 0; i < list->count; i++)
        if (!read_save(b, list->items[i], &saves[i]))
            return false;
    b->function.saves = saves;
    b->function.save_count = list->count;
    return true;
}
