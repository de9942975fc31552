/* The checks of a function: what must hold, when, and what is said if it does not. */
#include "analyzer/pack/entry.h"

#include <string.h>

static bool read_condition(struct entry *b, const struct node *key, const struct node *value,
                           struct check *c)
{
    if (c->kind != ERROR_NONE)
        return entry_fail(b, key, "a check is of one kind only; begin another with '-'");
    c->kind = error_kind_named(key->text);
    if (c->kind == ERROR_NONE) {
        const char *known[ERROR_KIND_COUNT + 8];
        int count = 0;
        while (count < check_key_count) {
            known[count] = check_keys[count];
            count++;
        }
        for (int k = ERROR_DTYPE; k < ERROR_KIND_COUNT; k++)
            known[count++] = error_kind_name((enum error_kind)k);
        return unknown_word(b->pack->file, key, 0, "kind of error", key->text, known, count,
                            b->error);
    }
    return (c->holds = expr_compile(&b->scope, value, ANSWER_TRUTH, b->error)) != NULL;
}

/* When a call fails that only adds to a graph. */
static bool read_moment(struct entry *b, const struct node *n, const char **out)
{
    static const char *const words[] = {"build", "compute"};
    static const char *const moments[] = {"; it aborts while the graph is built",
                                          "; it aborts when the graph is computed"};
    if (!entry_text(b, n, "build or compute"))
        return false;
    for (int i = 0; i < COUNT(words); i++)
        if (strcmp(n->text, words[i]) == 0) {
            *out = moments[i];
            return true;
        }
    return unknown_word(b->pack->file, n, 0, "moment", n->text, words, COUNT(words), b->error);
}

const char *const check_keys[] = {"when", "say", "rare", "at", "on"};
const int check_key_count = COUNT(check_keys);

static bool read_check(struct entry *b, const struct node *map)
{
    struct check c = {.say = "{op} does not take these"};
    const char *moment = NULL;
    uint32_t on = b->pack->target;
    if (!expect_kind(b->pack->file, map, NODE_MAP, "a check, or the name of some", b->error))
        return false;
    if (b->rule->check_count == MAX_CHECKS)
        return entry_fail(b, map, "too many checks");
    for (int i = 0; i < map->count; i++) {
        const struct node *key = map->keys[i], *value = map->items[i];
        if (strcmp(key->text, "when") == 0) {
            if (!(c.when = expr_compile(&b->scope, value, ANSWER_TRUTH, b->error)))
                return false;
        } else if (strcmp(key->text, "say") == 0) {
            if (!entry_text(b, value, "what to say") || !reason_check(&b->scope, value, b->error))
                return false;
            c.say = value->text;
        } else if (strcmp(key->text, "rare") == 0) {
            if (!entry_text(b, value, "yes or no"))
                return false;
            c.is_of_all = strcmp(value->text, "yes") == 0;
        } else if (strcmp(key->text, "at") == 0) {
            if (!read_moment(b, value, &moment))
                return false;
        } else if (strcmp(key->text, "on") == 0) {
            if (!backends_read(b->pack, value, &on, b->error))
                return false;
        } else if (!read_condition(b, key, value, &c)) {
            return false;
        }
    }
    if (c.kind == ERROR_NONE)
        return entry_fail(b, map,
                          "expected a kind of error (dtype, device, cast, shape, …) and what "
                          "must hold");
    if (moment)
        c.say = arena_printf(b->set->arena, "%s%s", c.say, moment);
    if (on & b->pack->target)
        b->checks[b->rule->check_count++] = c;
    return true;
}

/* An item is a check, or the name of a list of them. */
static bool read_checks(struct entry *b, const struct node *list, bool named)
{
    if (!expect_kind(b->pack->file, list, NODE_LIST, "a list of checks", b->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct node *item = list->items[i];
        if (item->kind != NODE_TEXT || named) {
            if (!read_check(b, item))
                return false;
            continue;
        }
        const struct node *group = node_get(b->pack->checks, item->text);
        if (!group) {
            const struct node *groups = b->pack->checks;
            const char *known[64];
            int count = 0;
            for (; groups && count < groups->count && count < 64; count++)
                known[count] = groups->keys[count]->text;
            return unknown_word(b->pack->file, item, 0, "list of checks", item->text, known, count,
                                b->error);
        }
        if (!read_checks(b, group, true))
            return false;
    }
    return true;
}

/* Takes the checks that were collected in the entry. */
static struct check *take_checks(struct entry *b, int *count)
{
    struct check *all =
        arena_copy(b->set->arena, b->checks, sizeof b->checks[0] * (size_t)b->rule->check_count);
    *count = b->rule->check_count;
    b->rule->check_count = 0;
    return all;
}

bool entry_read_checks(struct entry *b)
{
    const struct node *before = entry_get(b, "before"), *checks = entry_get(b, "checks");
    const struct node *backward = entry_get(b, "backward");
    if (backward && !read_checks(b, backward, false))
        return false;
    b->rule->backward_checks = take_checks(b, &b->rule->backward_check_count);
    if ((before && !read_checks(b, before, false)) || (checks && !read_checks(b, checks, false)))
        return false;
    int count;
    b->rule->checks = take_checks(b, &count);
    b->rule->check_count = count;
    b->rule->lets = arena_copy(b->set->arena, b->scope.lets,
                               sizeof b->scope.lets[0] * (size_t)b->scope.let_count);
    b->rule->let_count = b->scope.let_count;
    return true;
}
