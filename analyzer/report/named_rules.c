/* The rules that findings of a report name: those of rules.h, or its own. */
#include "analyzer/report/private.h"

#include <string.h>

const struct rule *report_rules(const struct report *r, int *count)
{
    *count = r->rules ? r->rule_count : RULE_COUNT;
    return r->rules ? r->rules : rules;
}

const struct rule *report_rule(const struct report *r, const char *code)
{
    int count;
    const struct rule *all = report_rules(r, &count);
    for (int i = 0; i < count; i++)
        if (!strcmp(all[i].code, code))
            return &all[i];
    return NULL;
}
