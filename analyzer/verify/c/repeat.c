/* Calls that show nothing when they are made once: a call of the source comes in, and the text that
 * makes it again and again goes out, as it is and in the widest dtype. */
#include "analyzer/verify/c/measure.h"

#include <ctype.h>
#include <string.h>

/* ---- updates ----------------------------------------------------------------------------------
 */

/* Adds a text with every use of one expression in it replaced by another. */
static void add_with(struct text *out, const char *text, size_t length, const char *of,
                     const char *by)
{
    size_t n = strlen(of);
    for (size_t i = 0; i < length;) {
        bool begins = i == 0 || !(measure_is_word(text[i - 1]) || strchr(".>", text[i - 1]));
        if (begins && i + n <= length && !strncmp(text + i, of, n) &&
            (i + n == length || !measure_is_word(text[i + n]))) {
            text_add(out, by);
            i += n;
        } else {
            text_add_range(out, text[i] == '\n' ? " " : &text[i], 1);
            i++;
        }
    }
}

static bool uses(const struct source *s, struct piece p, const char *expression)
{
    struct text without = {0};
    add_with(&without, s->text + p.from, p.to - p.from, expression, "");
    bool is_used = without.length < p.to - p.from;
    text_free(&without);
    return is_used;
}

/* What an update writes to: the operand, or the variable that its result is assigned to; else the
 * first operand, whose next value the result is. NULL: none. */
static const char *updated(struct verifier *v, const struct source *s, const struct flow_call *c,
                           struct piece call, const piece_list *operands)
{
    for (int i = 0; i < operands->count; i++)
        if (c->callee->params[operands->items[i].operand].written)
            return arena_text(v->arena, s->text + operands->items[i].from,
                              operands->items[i].to - operands->items[i].from);
    size_t end = call.from;
    while (end > 0 && isspace((unsigned char)s->text[end - 1]))
        end--;
    if (end > 1 && s->text[end - 1] == '=' && !strchr("=!<>+-*/", s->text[end - 2])) {
        for (end--; end > 0 && isspace((unsigned char)s->text[end - 1]); end--)
            continue;
        size_t from = end;
        while (from > 0 &&
               (measure_is_word(s->text[from - 1]) || strchr(".>-[]", s->text[from - 1])))
            from--;
        const char *name = arena_text(v->arena, s->text + from, end - from);
        if (*name && uses(s, call, name))
            return name;
    }
    return operands->count ? arena_text(v->arena, s->text + operands->items[0].from,
                                        operands->items[0].to - operands->items[0].from)
                           : NULL;
}

/* How the operands of an update are passed. */
enum passing { AS_IS, WIDE = 1, OTHER = 2 /* what is not the state has other values */ };

/* Adds the rounds of an update, of whose operands one is the state. What they make is freed. */
static void add_rounds(struct text *out, const struct source *s, struct piece call,
                       const piece_list *operands, const char *state, unsigned how)
{
    bool wide = how & WIDE;
    static const char name[] = "miscast_state";
    size_t at = call.from;
    text_printf(out,
                "({ mc_tensor *miscast_state = %s(%s); "
                "for (int miscast_i = mc_numel(miscast_state) > 4096 ? 9800 : 0; "
                "miscast_i < 10000; miscast_i++) { mc_scope miscast_scope = mc_scope_begin(); "
                "mc_copy_(miscast_state, ",
                wide ? "mc_probe_wide" : "mc_clone", state);
    for (int i = 0; i < operands->count; i++) {
        const struct piece *p = &operands->items[i];
        size_t length = p->to - p->from;
        bool is_state = length == strlen(state) && !strncmp(s->text + p->from, state, length);
        bool is_other = (how & OTHER) && !uses(s, *p, state);
        add_with(out, s->text + at, p->from - at, state, name);
        text_add(out, wide && !is_state ? "mc_probe_wide(" : "(");
        text_add(out, is_other ? "mc_probe_other(" : "(");
        add_with(out, s->text + p->from, length, state, name);
        text_add(out, "))");
        at = p->to;
    }
    add_with(out, s->text + at, call.to - at, state, name);
    text_add(out, "); mc_scope_end(miscast_scope); } miscast_state; })");
}

static void add_comparison(struct text *out, const struct source *s, struct piece call,
                           const piece_list *operands, const char *state, unsigned how)
{
    text_add(out, "mc_probe_expect(");
    add_rounds(out, s, call, operands, state, how | WIDE);
    text_add(out, "); mc_probe_wide_begin(); miscast_result = ");
    add_rounds(out, s, call, operands, state, how);
    text_add(out, "; mc_probe_wide_end(); mc_probe_got(miscast_result); ");
}

/* The operands that have other values: "'p'"; NULL: there are none. */
static const char *others_text(struct verifier *v, const struct source *s,
                               const piece_list *operands, const char *state)
{
    struct text out = {0};
    for (int i = 0; i < operands->count; i++) {
        const struct piece *p = &operands->items[i];
        struct text flat = {0};
        if (uses(s, *p, state))
            continue;
        add_one_line(&flat, s->text + p->from, p->to - p->from);
        text_printf(&out, "%s'%.*s'", out.length ? " and " : "", (int)flat.length, flat.data);
        text_free(&flat);
    }
    return out.length ? text_keep(v->arena, &out) : NULL;
}

/* As a string literal. */
static void add_literal(struct text *out, const char *text)
{
    text_add(out, "\"");
    for (; *text; text++)
        text_printf(out, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
    text_add(out, "\"");
}

/* Where the state is already what it would become, the update has nothing to do, and loses nothing:
 * once it is repeated with something else to get to. */
static void add_other_rounds(struct verifier *v, struct text *out, const struct source *s,
                             struct piece call, const piece_list *operands, const char *state)
{
    const char *others = others_text(v, s, operands, state);
    if (!others)
        return;
    text_add(out, "if (miscast_times == 1 && !mc_probe_lost()) { mc_probe_given(");
    add_literal(out, arena_printf(v->arena, "with %s twice as large", others));
    text_add(out, "); ");
    add_comparison(out, s, call, operands, state, OTHER);
    text_add(out, "} ");
}

/* Few of the times that it is called, it is repeated from there. */
bool repeat_update(struct verifier *v, const struct source *s, const struct flow_call *c,
                   struct piece call, change_list *out)
{
    piece_list operands = operands_of(v, s, c, call, OPERAND_TENSOR);
    const char *state = updated(v, s, c, call, &operands);
    struct text t = {0};
    if (!state || !c->callee->returns_tensor)
        return false;
    text_add(&t, "({ static int miscast_times; miscast_times++; if (miscast_times == 1 || "
                 "miscast_times == 10 || miscast_times == 100) { mc_tensor *miscast_result; ");
    add_comparison(&t, s, call, &operands, state, AS_IS);
    add_other_rounds(v, &t, s, call, &operands, state);
    text_add(&t, "} ");
    add_change(v, out, call, text_keep(v->arena, &t), "; })");
    return true;
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

/* The draws of a call, one after the other. */
static void add_draws(struct text *out, const char *call)
{
    text_printf(out,
                "({ for (int miscast_i = 0; miscast_i < miscast_times; miscast_i++) "
                "miscast_drawn[miscast_i] = %s; "
                "mc_stackn(0, miscast_drawn, (size_t)miscast_times); })",
                call);
}

/* What it draws once may be the same by chance: then it draws often, with the same numbers in both
 * precisions. The program's own generator does not notice. */
bool repeat_draw(struct verifier *v, const struct source *s, const struct flow_call *c,
                 struct piece call, change_list *out)
{
    const char *wide = wide_call(v, s, c, call, INSTRUMENT_DRAW);
    piece_list operands = operands_of(v, s, c, call, OPERAND_TENSOR);
    struct text narrow = {0}, before = {0}, after = {0};
    if (!c->callee->returns_tensor || !operands.count)
        return false;
    add_one_line(&narrow, s->text + call.from, call.to - call.from);
    text_printf(&before,
                "({ static int miscast_calls; mc_probe_expect(%s); mc_tensor *miscast_result = "
                "mc_probe_got(",
                wide);
    text_add(&after, "); if (!miscast_calls++ && !mc_probe_lost()) { "
                     "mc_scope miscast_scope = mc_scope_begin(); mc_probe_wide_begin(); "
                     "int miscast_times = 5000 / (int)(1 + mc_numel(");
    add_one_line(&after, s->text + operands.items[0].from,
                 operands.items[0].to - operands.items[0].from);
    text_add(&after, ") / 500) + 1; mc_probe_wide_end(); "
                     "mc_tensor *miscast_drawn[miscast_times]; mc_probe_expect(");
    add_draws(&after, wide);
    text_add(&after, "); mc_probe_wide_begin(); mc_tensor *miscast_again = ");
    add_draws(&after, narrow.data);
    text_add(&after, "; mc_probe_wide_end(); mc_probe_given(\"when this was repeated\"); "
                     "mc_probe_got(miscast_again); mc_scope_end(miscast_scope); } "
                     "miscast_result; })");
    text_free(&narrow);
    add_change(v, out, call, text_keep(v->arena, &before), text_keep(v->arena, &after));
    return true;
}
