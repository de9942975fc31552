/* The words that select rules: names, codes and groups. */
#include "rules/engine/engine.h"

#include <string.h>

static const struct {
    const char *name, *summary;
} groups[GROUP_COUNT] = {
#define GROUP(id, name, digit, summary) {name, summary},
#include "rules/group.def"
#undef GROUP
};

const char *group_name(enum rule_group g)
{
    return groups[g].name;
}

const char *group_summary(enum rule_group g)
{
    return groups[g].summary;
}

const char *rule_fix_name(enum rule_fix f)
{
    static const char *const names[] = {
        [FIX_NONE] = "none", [FIX_SOME] = "safe", [FIX_UNSAFE] = "unsafe"};
    return names[f];
}

const struct rule *rule_find(const char *word)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (!strcmp(rules[i].name, word) || !strcmp(rules[i].code, word))
            return &rules[i];
    return NULL;
}

/* "MC", "MC1", "MC10", "MC101". */
static bool begins_code(const char *word, const struct rule *r)
{
    size_t n = strlen(word);
    return n >= 2 && !strncmp(word, r->code, n);
}

bool rule_is_meant(const char *word, const struct rule *r)
{
    return !strcmp(word, r->name) || !strcmp(word, groups[r->group].name) || begins_code(word, r) ||
           !strcmp(word, "all");
}

bool rule_word_known(const char *word)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (rule_is_meant(word, &rules[i]))
            return true;
    return false;
}

const char *rule_word_nearest(const char *word)
{
    struct nearest n = nearest_to(word);
    for (int i = 0; i < RULE_COUNT; i++) {
        nearest_try(&n, rules[i].name);
        nearest_try(&n, rules[i].code);
    }
    for (int i = 0; i < GROUP_COUNT; i++)
        nearest_try(&n, groups[i].name);
    return n.name;
}
