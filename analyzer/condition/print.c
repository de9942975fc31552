/* Diagrams as text, for tests and for people who debug. */
#include "analyzer/condition/private.h"

static const char *const kind_names[TERM_COUNT] = {
#define TERM(id, name) name,
#include "analyzer/condition/term.def"
#undef TERM
};

struct printer {
    struct conditions *c;
    void (*name)(void *context, term_id t, struct text *out);
    void *context;
    struct text *out;
};

static void print_term(const struct printer *p, term_id t)
{
    if (p->name)
        p->name(p->context, t, p->out);
    else
        text_printf(p->out, "%s%u", kind_names[term_at(p->c, t)->kind], t);
}

static void print_leaf(const struct printer *p, struct leaf leaf)
{
    if (leaf.kind == LEAF_TERM)
        print_term(p, (term_id)leaf.value);
    else
        text_printf(p->out, "%s%lld", leaf.kind == LEAF_OTHER ? "#" : "", (long long)leaf.value);
}

/* "3", "..3", "4..6", "7..". */
static void print_range(struct text *out, struct domain r, struct domain all)
{
    if (r.low == r.high) {
        text_add_number(out, r.low);
        return;
    }
    if (r.low > all.low)
        text_add_number(out, r.low);
    text_add(out, "..");
    if (r.high < all.high)
        text_add_number(out, r.high);
}

static void print(const struct printer *p, diagram d)
{
    if (diagram_is_leaf(p->c, d)) {
        print_leaf(p, leaf_of(p->c, d));
        return;
    }
    const struct run *runs;
    int count = diagram_runs(p->c, d, &runs);
    struct domain all = term_at(p->c, diagram_top(p->c, d))->domain;
    text_add(p->out, "(");
    print_term(p, diagram_top(p->c, d));
    for (int i = 0; i < count; i++) {
        struct domain r = {i ? runs[i - 1].last + 1 : all.low, runs[i].last};
        r.high = r.high < all.high ? r.high : all.high;
        text_add(p->out, i ? " | " : ": ");
        print_range(p->out, r, all);
        text_add(p->out, " => ");
        print(p, runs[i].to);
    }
    text_add(p->out, ")");
}

void diagram_print(struct conditions *c, diagram d,
                   void (*name)(void *context, term_id t, struct text *out), void *context,
                   struct text *out)
{
    print(&(struct printer){c, name, context, out}, d);
}
