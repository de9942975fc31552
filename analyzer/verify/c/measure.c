/* The source with measurements in it: a unit and its findings come in, and its text goes out, where
 * each finding's call is computed twice: as it is, and with operands and written dtypes as wide as
 * possible; the runtime compares the two. For calls that take pointers, the runtime gets each
 * pointer. Line numbers do not change. */
#include "analyzer/verify/c/measure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Dtypes as they are written, and what replaces them in the wide call. */
static const struct {
    const char *narrow, *wide;
} dtype_words[] = {
    {"MC_F16", "MC_F64"}, {"MC_BF16", "MC_F64"}, {"MC_F32", "MC_F64"},     {"MC_F8_E4M3", "MC_F64"},
    {"MC_U8", "MC_I64"},  {"MC_I8", "MC_I64"},   {"MC_F8_E5M2", "MC_F64"}, {"MC_I16", "MC_I64"},
    {"MC_I32", "MC_I64"}, {"MC_I64", "MC_I64"},  {"MC_BOOL", "MC_I64"},
};

/* Calls that drop the fraction in any dtype, and those that keep it. */
static const struct {
    const char *drops, *keeps;
} fraction_words[] = {{"mc_floor_divide", "mc_div"}, {"mc_floor_divide_", "mc_div_"}};

bool measure_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- the call ---------------------------------------------------------------------------------
 */

static struct piece piece_at(const struct source *s, const struct span *span)
{
    return (struct piece){source_offset(s, span->line, span->column),
                          source_offset(s, span->end_line, span->end_column), -1};
}

/* A name and an argument list: what a macro expands to cannot be rewritten. */
static bool looks_like_call(const struct source *s, struct piece p)
{
    size_t i = p.from;
    while (i < p.to && measure_is_word(s->text[i]))
        i++;
    return i > p.from && i < p.to && s->text[i] == '(' && s->text[p.to - 1] == ')';
}

static int compare_pieces(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* The operands of a kind, in order, none within another. */
piece_list operands_of(struct verifier *v, const struct source *s, const struct flow_call *c,
                       struct piece call, enum operand_kind kind)
{
    piece_list found = {0};
    for (int i = 0; i < c->operand_count; i++) {
        ir_value value = c->operands[i].value;
        if (c->operands[i].kind != kind || value <= 0)
            continue;
        const struct span *at = &c->function->insts.items[value].span;
        struct piece p = piece_at(s, at);
        p.operand = i;
        if (at->line && p.from > call.from && p.to < call.to && p.from < p.to)
            LIST_ADD(v->arena, &found, p);
    }
    if (found.count)
        qsort(found.items, (size_t)found.count, sizeof *found.items, compare_pieces);
    int kept = 0;
    for (int i = 0; i < found.count; i++)
        if (!kept || found.items[i].from >= found.items[kept - 1].to)
            found.items[kept++] = found.items[i];
    found.count = kept;
    return found;
}

/* ---- the wide call ------------------------------------------------------------------------------
 */

/* Adds text of the source, with the dtypes in it widened. */
static void add_widened(struct text *out, const char *text, size_t length, bool to_floats)
{
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i + n < length && measure_is_word(text[i + n]))
            n++;
        const char *word = text + i, *wide = NULL;
        for (size_t k = 0; n && k < sizeof dtype_words / sizeof *dtype_words; k++)
            if (strlen(dtype_words[k].narrow) == n && !strncmp(dtype_words[k].narrow, word, n))
                wide = to_floats ? "MC_F64" : dtype_words[k].wide;
        for (size_t k = 0; n && to_floats && k < sizeof fraction_words / sizeof *fraction_words;
             k++)
            if (strlen(fraction_words[k].drops) == n && !strncmp(fraction_words[k].drops, word, n))
                wide = fraction_words[k].keeps;
        if (wide)
            text_add(out, wide);
        else
            text_add_range(out, word, n ? n : 1);
        i += n ? n : 1;
    }
}

/* On one line, so that line numbers do not change. */
void add_one_line(struct text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text_add_range(out, text[i] == '\n' ? " " : &text[i], 1);
}

/* The call that an operand is written as; NULL: it is none that is known. */
static const struct flow_call *operand_call(struct verifier *v, const struct source *s,
                                            const struct flow_call *c, const struct piece *p)
{
    const struct flow *flow = v->in->flow;
    ir_value value = c->operands[p->operand].value;
    for (int i = 0; i < flow_call_count(flow); i++) {
        const struct flow_call *inner = flow_call_at(flow, i);
        if (inner->function == c->function && inner->inst == value &&
            inner->callee->returns_tensor && looks_like_call(s, *p))
            return inner;
    }
    return NULL;
}

/* A tensor operand as it is written in the wide call. What is drawn from was rounded before: wide
 * it is only if what made it is. */
static const char *wide_operand(struct verifier *v, const struct source *s,
                                const struct flow_call *c, const struct piece *p,
                                enum instrument how)
{
    const struct pack_param *param = &c->callee->params[p->operand];
    const struct flow_call *inner = how == INSTRUMENT_DRAW ? operand_call(v, s, c, p) : NULL;
    const char *text = s->text + p->from;
    int length = (int)(p->to - p->from);
    if (inner)
        return wide_call(v, s, inner, *p, how);
    if (how == INSTRUMENT_INDEX && param->written)
        return arena_printf(v->arena, "mc_clone(%.*s)", length, text);
    if (how == INSTRUMENT_INDEX && param->role != ROLE_INDEX)
        return arena_printf(v->arena, "%.*s", length, text);
    if (how == INSTRUMENT_FLOAT && param->written)
        return arena_printf(v->arena, "mc_to_dtype(mc_probe_wide(%.*s), MC_F64)", length, text);
    return arena_printf(v->arena, "mc_probe_wide(%.*s)", length, text);
}

static void add_between(struct text *out, const char *text, size_t length, enum instrument how)
{
    if (how == INSTRUMENT_INDEX)
        text_add_range(out, text, length);
    else
        add_widened(out, text, length, how == INSTRUMENT_FLOAT);
}

const char *wide_call(struct verifier *v, const struct source *s, const struct flow_call *c,
                      struct piece call, enum instrument how)
{
    piece_list operands = operands_of(v, s, c, call, OPERAND_TENSOR);
    struct text out = {0}, flat = {0};
    size_t at = call.from;
    /* The wide result of a cast is its operand. */
    bool casts = c->callee->alias == ALIAS_MAYBE_SAME && operands.count;
    for (int i = 0; i < operands.count; i++) {
        const struct piece *p = &operands.items[i];
        if (!casts)
            add_between(&out, s->text + at, p->from - at, how);
        text_add(&out, wide_operand(v, s, c, p, how));
        at = p->to;
        if (casts)
            break;
    }
    if (!casts)
        add_between(&out, s->text + at, call.to - at, how);
    add_one_line(&flat, out.data, out.length);
    text_free(&out);
    return text_keep(v->arena, &flat);
}

/* ---- edits
 * ------------------------------------------------------------------------------------------- */

void add_change(struct verifier *v, change_list *l, struct piece at, const char *before,
                const char *after)
{
    struct change c = {at, before, after};
    LIST_ADD(v->arena, l, c);
}

static void compare_with(struct verifier *v, struct piece call, const char *wide, change_list *out)
{
    add_change(v, out, call, arena_printf(v->arena, "(mc_probe_expect(%s), mc_probe_got(", wide),
               "))");
}

static bool measure_result(struct verifier *v, const struct source *s, const struct flow_call *c,
                           struct piece call, enum instrument how, change_list *out)
{
    if (!c->callee->returns_tensor)
        return false;
    compare_with(v, call, wide_call(v, s, c, call, how), out);
    return true;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static bool show_pointers(struct verifier *v, const struct source *s, const struct flow_call *c,
                          struct piece call, change_list *out)
{
    piece_list pointers = operands_of(v, s, c, call, OPERAND_BUFFER);
    for (int i = 0; i < pointers.count; i++) {
        const struct piece *p = &pointers.items[i];
        add_change(v, out, *p, "(void *)(uintptr_t)mc_probe_pointer(",
                   arena_printf(v->arena, ", \"%s\")", c->callee->params[p->operand].name));
    }
    piece_list numbers = operands_of(v, s, c, call, OPERAND_INT);
    for (int i = 0; i < numbers.count; i++) {
        const struct pack_param *p = &c->callee->params[numbers.items[i].operand];
        if (p->role == ROLE_BYTES)
            add_change(v, out, numbers.items[i], "mc_probe_size(",
                       arena_printf(v->arena, ", \"%s\")", p->name));
    }
    return pointers.count;
}

/* The dtype of the memory that a tensor is made of; DTYPE_NONE: not known. */
static enum dtype held_dtype(const struct flow_call *c)
{
    dtype_set typed = 0;
    for (int i = 0; i < c->operand_count && c->callee->returns_tensor; i++)
        if (c->operands[i].kind == OPERAND_BUFFER && !holds_pointers(c, i))
            typed = c->operands[i].fact.dtypes & ~DTYPES_UNTYPED;
    bool is_one = typed && !(typed & (typed - 1));
    return is_one ? (enum dtype)__builtin_ctzll(typed) : DTYPE_NONE;
}

/* As C writes it. */
static const char *written_dtype(enum dtype d)
{
    static const char *const names[DTYPE_END] = {
        [DTYPE_NONE] = "MC_DTYPE_DEFAULT",
        [DTYPE_BOOL] = "MC_BOOL",
        [DTYPE_U8] = "MC_U8",
        [DTYPE_I8] = "MC_I8",
        [DTYPE_I16] = "MC_I16",
        [DTYPE_I32] = "MC_I32",
        [DTYPE_I64] = "MC_I64",
        [DTYPE_F16] = "MC_F16",
        [DTYPE_BF16] = "MC_BF16",
        [DTYPE_F32] = "MC_F32",
        [DTYPE_F64] = "MC_F64",
        [DTYPE_F8_E4M3] = "MC_F8_E4M3",
        [DTYPE_F8_E5M2] = "MC_F8_E5M2",
    };
    return names[d];
}

/* A tensor over the memory with its real dtype: of two options the last one counts, and a void
 * pointer has no type. */
static void compare_memory(struct verifier *v, const struct source *s, const struct flow_call *c,
                           struct piece call, enum dtype held, change_list *out)
{
    piece_list pointers = operands_of(v, s, c, call, OPERAND_BUFFER);
    struct text flat = {0};
    size_t at = call.from;
    for (int i = 0; i < pointers.count; i++) {
        add_one_line(&flat, s->text + at, pointers.items[i].from - at);
        text_add(&flat, "(void *)(");
        add_one_line(&flat, s->text + pointers.items[i].from,
                     pointers.items[i].to - pointers.items[i].from);
        text_add(&flat, ")");
        at = pointers.items[i].to;
    }
    add_one_line(&flat, s->text + at, call.to - at - 1);
    text_printf(&flat, ", .dtype = %s)", written_dtype(held));
    compare_with(v, call, text_keep(v->arena, &flat), out);
}

static bool look_at_memory(struct verifier *v, const struct source *s, const struct flow_call *c,
                           struct piece call, const struct finding *f, change_list *out)
{
    enum dtype held =
        f->failure || strcmp(f->rule, "buffer-dtype") != 0 ? DTYPE_NONE : held_dtype(c);
    if (held == DTYPE_NONE)
        return show_pointers(v, s, c, call, out);
    compare_memory(v, s, c, call, held, out);
    return true;
}

/* Evaluated twice, it must not change anything. */
static bool is_repeatable(const struct source *s, struct piece p)
{
    for (size_t i = p.from; i < p.to; i++)
        if (s->text[i] == '=' ||
            (i + 1 < p.to && strchr("+-", s->text[i]) && s->text[i] == s->text[i + 1]))
            return false;
    return p.from < p.to;
}

/* The operands of a quotient, or the number that is passed: what the finding marks. */
static bool show_quotient(struct verifier *v, const struct source *s, const struct finding *f,
                          change_list *out)
{
    int count = f->marks.count;
    struct piece of = count ? piece_at(s, &f->marks.items[0]) : (struct piece){0},
                 by = count > 1 ? piece_at(s, &f->marks.items[1]) : (struct piece){0},
                 at = count > 1 ? piece_at(s, &f->span) : of;
    if (!count || !is_repeatable(s, of) || !is_repeatable(s, at) ||
        (count > 1 && !is_repeatable(s, by)))
        return false;
    add_change(v, out, at,
               arena_printf(v->arena, "mc_probe_quotient((%.*s), (%.*s), ", (int)(of.to - of.from),
                            s->text + of.from, count > 1 ? (int)(by.to - by.from) : 1,
                            count > 1 ? s->text + by.from : "1"),
               ")");
    return true;
}

static int compare_changes(const void *x, const void *y)
{
    const struct change *a = x, *b = y;
    return compare_pieces(&a->at, &b->at);
}

static const char *apply(struct verifier *v, const struct source *s, const char *file,
                         const change_list *l)
{
    struct text out = {0};
    size_t at = 0;
    text_printf(&out, "#include <miscast/probe.h>\n#line 1 \"%s\"\n", file);
    for (int i = 0; i < l->count; i++) {
        const struct change *c = &l->items[i];
        text_add_range(&out, s->text + at, c->at.from - at);
        text_add(&out, c->before);
        text_add_range(&out, s->text + c->at.from, c->at.to - c->at.from);
        text_add(&out, c->after);
        at = c->at.to;
    }
    text_add_range(&out, s->text + at, s->length - at);
    return text_keep(v->arena, &out);
}

static bool overlaps(const change_list *l, const change_list *more)
{
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < more->count; k++)
            if (l->items[i].at.from < more->items[k].at.to &&
                more->items[k].at.from < l->items[i].at.to)
                return true;
    return false;
}

const char *measured_source(struct verifier *v, const struct verify_unit *u,
                            const finding_list *findings, finding_list *measured)
{
    const struct source *s = sources_get(v->sources, u->file);
    change_list changes = {0};
    for (int i = 0; s && i < findings->count; i++) {
        const struct finding *f = findings->items[i];
        const struct flow_call *c = call_of(v, f);
        const struct span *span = proof_span(f);
        struct piece at = piece_at(s, span);
        enum instrument how = proof_instrument(f);
        change_list own = {0};
        bool is_call = how != INSTRUMENT_QUOTIENT;
        if (path_real(v, NULL, span->file) != path_real(v, NULL, u->file) ||
            (is_call && (!c || !looks_like_call(s, at))))
            continue;
        bool ok = !is_call                   ? show_quotient(v, s, f, &own)
                  : how == INSTRUMENT_MEMORY ? look_at_memory(v, s, c, at, f, &own)
                  : how == INSTRUMENT_REPEAT ? repeat_update(v, s, c, at, &own)
                  : how == INSTRUMENT_DRAW   ? repeat_draw(v, s, c, at, &own)
                                             : measure_result(v, s, c, at, how, &own);
        if (!ok || overlaps(&changes, &own))
            continue;
        for (int k = 0; k < own.count; k++)
            LIST_ADD(v->arena, &changes, own.items[k]);
        LIST_ADD(v->arena, measured, findings->items[i]);
    }
    if (!changes.count)
        return NULL;
    qsort(changes.items, (size_t)changes.count, sizeof *changes.items, compare_changes);
    return apply(v, s, path_real(v, NULL, u->file), &changes);
}
