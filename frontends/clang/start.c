/* Functions that run before main, or after it, because an attribute says so: constructors and
 * destructors. For each of their priorities a unit has a function that calls them, "(start 101)"
 * or, without a priority, "(start)"; "(end 101)", "(end)". */
#include "frontends/clang/lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct start_visit {
    struct lower *l;
    const struct ir_function *f;
};

/* The number in brackets behind the word; 0: none. */
static int priority_behind(const char *text, size_t size, size_t at)
{
    while (at < size && (text[at] == '_' || isalpha((unsigned char)text[at])))
        at++;
    while (at < size && (text[at] == '(' || isspace((unsigned char)text[at])))
        at++;
    int n = 0;
    for (; at < size && isdigit((unsigned char)text[at]) && n < IR_LAST_PRIORITY; at++)
        n = 10 * n + (text[at] - '0');
    return n;
}

static void add_start(struct lower *l, const char *name, const struct ir_function *f, int priority)
{
    struct start s = {name, f, priority};
    for (int i = 0; i < l->starts.count; i++)
        if (l->starts.items[i].function == f && l->starts.items[i].name == name)
            return; /* a declaration says so, too */
    LIST_ADD(l->scratch, &l->starts, s);
}

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data)
{
    static const char *const names[2][3] = {{IR_START, "constructor", "__constructor__"},
                                            {IR_END, "destructor", "__destructor__"}};
    struct start_visit *v = data;
    size_t at, size;
    (void)parent;
    if (c.kind < CXCursor_FirstAttr || c.kind > CXCursor_LastAttr)
        return CXChildVisit_Continue;
    const char *text = text_at(v->l, v->l->c->getCursorLocation(c), &at, &size);
    for (int k = 0; text && k < COUNT(names); k++)
        if (source_word(text, size, at, names[k][1]) || source_word(text, size, at, names[k][2]))
            add_start(v->l, names[k][0], v->f, priority_behind(text, size, at));
    return CXChildVisit_Continue;
}

void note_start(struct lower *l, CXCursor definition, const struct ir_function *f)
{
    struct start_visit v = {l, f};
    if (!f->param_count)
        l->c->visitChildren(definition, visit_attribute, &v);
}

static struct ir_function *caller_of(struct lower *l, const struct start *s)
{
    const char *name = s->priority ? arena_printf(l->scratch, "%s %d)", s->name, s->priority)
                                   : arena_printf(l->scratch, "%s)", s->name);
    struct ir_function *f = ir_function_find(l->unit, name);
    const struct type *nothing = type_simple(l->unit, TYPE_VOID);
    if (f)
        return f;
    f = ir_function_new(l->unit, name, type_function(l->unit, nothing, NULL, 0, false));
    f->is_internal = true;
    ir_block_new(l->unit, f);
    return f;
}

/* They have no place in the source: nobody wrote them. */
void lower_starts(struct lower *l)
{
    LIST(struct ir_function *) callers = {0};
    for (int i = 0; i < l->starts.count; i++) {
        const struct start *s = &l->starts.items[i];
        struct ir_function *caller = caller_of(l, s);
        const struct type *t = s->function->type->of;
        ir_append(l->unit, caller, 0,
                  (struct ir_inst){.op = IR_CALL, .name = s->function->name, .type = t});
        int k = 0;
        while (k < callers.count && callers.items[k] != caller)
            k++;
        if (k == callers.count)
            LIST_ADD(l->scratch, &callers, caller);
    }
    for (int k = 0; k < callers.count; k++)
        ir_append(l->unit, callers.items[k], 0, (struct ir_inst){.op = IR_RETURN});
}
