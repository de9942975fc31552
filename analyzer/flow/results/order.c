/* The order of results: by place in the source, then by instruction. */
#include "analyzer/flow/results/results.h"

#include <stdlib.h>
#include <string.h>

/* By place in the source, then by instruction. */
static int compare_spans(const struct span *a, const struct span *b)
{
    int c = a->file == b->file ? 0 : strcmp(a->file ? a->file : "", b->file ? b->file : "");
    if (c)
        return c;
    return a->line != b->line       ? (a->line < b->line ? -1 : 1)
           : a->column != b->column ? (a->column < b->column ? -1 : 1)
                                    : 0;
}

static int compare_failures(const void *x, const void *y)
{
    const struct flow_failure *a = &(*(struct failed *const *)x)->failure,
                              *b = &(*(struct failed *const *)y)->failure;
    int c = compare_spans(&a->function->insts.items[a->inst].span,
                          &b->function->insts.items[b->inst].span);
    c = c ? c : a->inst != b->inst ? a->inst - b->inst : (int)a->kind - (int)b->kind;
    return c || !a->called || !b->called ? c : compare_spans(&a->called->span, &b->called->span);
}

static int compare_values_by_place(const void *x, const void *y)
{
    const struct flow_value *a = *(struct flow_value *const *)x,
                            *b = *(struct flow_value *const *)y;
    int c = compare_spans(&a->function->insts.items[a->inst].span,
                          &b->function->insts.items[b->inst].span);
    return c ? c : a->inst - b->inst;
}

static int compare_calls(const void *x, const void *y)
{
    const struct flow_call *a = *(struct flow_call *const *)x, *b = *(struct flow_call *const *)y;
    int c = compare_spans(&a->function->insts.items[a->inst].span,
                          &b->function->insts.items[b->inst].span);
    return c ? c : a->inst - b->inst;
}

void results_sort(struct flow *f)
{
    failures_settle(f);
    if (f->failure_list.count)
        qsort(f->failure_list.items, (size_t)f->failure_list.count, sizeof *f->failure_list.items,
              compare_failures);
    if (f->value_list.count)
        qsort(f->value_list.items, (size_t)f->value_list.count, sizeof *f->value_list.items,
              compare_values_by_place);
    if (f->call_list.count)
        qsort(f->call_list.items, (size_t)f->call_list.count, sizeof *f->call_list.items,
              compare_calls);
}
