/* Statements: control flow becomes blocks. A statement that cannot be reached, and that contains no
 * label, is left out. */
#include "frontends/clang/cpp.h"

#include <ctype.h>

#define ROW(kind) [kind - CXCursor_FirstStmt]

typedef void lowering(struct lower *l, struct node *n);

/* ---- declarations --------------------------------------------------------------------------- */

/* Evaluates the size of a variable-length array. */
static void lower_array_sizes(struct lower *l, struct node *n, const struct node *init)
{
    for (struct node *child = n->first; child; child = child->next)
        if (is_expression(child) && child != init)
            effect_of(l, child);
}

/* The compiler gave up on an initialiser and dropped it. */
static bool has_lost_initialiser(struct lower *l, struct node *n)
{
    size_t at, size;
    CXSourceRange r = l->c->getCursorExtent(n->cursor);
    const char *text = text_at(l, l->c->getRangeEnd(r), &at, &size);
    while (text && at < size && isspace((unsigned char)text[at]))
        at++;
    return text && at < size && text[at] == '=';
}

static void lower_lost(struct lower *l, struct node *n, const struct symbol *s)
{
    ir_value v = emit_anything(l, n, s->type, "an initialiser with an error", NULL, 0);
    ir_value address = emit_local(l, n, s->index);
    if (is_aggregate(s->type))
        emit_copy(l, n, address, v);
    else
        emit_store(l, n, address, v);
}

static void lower_variable(struct lower *l, struct node *n)
{
    enum CX_StorageClass storage = l->c->Cursor_getStorageClass(n->cursor);
    if (storage == CX_SC_Static || storage == CX_SC_Extern) {
        symbol_of(l, n->cursor);
        return;
    }
    struct node *init = initialiser(l, n);
    struct symbol *s = map_get(l->symbols, declaration_key(n->cursor));
    if (!s || (l->is_cpp && s->function != l->f))
        s = local_of(l, n->cursor, init);
    if (n->has_cleanup)
        ir_note_add(l->unit, span_of(l, n), "a cleanup function is not called");
    if (l->unit->errors && has_lost_initialiser(l, n))
        lower_lost(l, n, s);
    if (!n->first)
        return;
    if (l->c->getCanonicalType(l->c->getCursorType(n->cursor)).kind == CXType_VariableArray)
        lower_array_sizes(l, n, init);
    n->span = l->f->locals.items[s->index].span; /* starting at the name */
    if (init)
        initialise_local(l, n, s, init);
    if (is_live(l))
        scope_add(l, n, s);
}

static void lower_declarations(struct lower *l, struct node *n)
{
    for (struct node *child = n->first; child; child = child->next)
        if (child->cursor.kind == CXCursor_VarDecl)
            lower_variable(l, child);
        else if (child->cursor.kind == CXCursor_UnexposedDecl)
            lower_bindings(l, child);
}

/* ---- plain statements ----------------------------------------------------------------------- */

static void lower_compound(struct lower *l, struct node *n)
{
    for (struct node *child = n->first; child; child = child->next)
        lower_statement(l, child);
}

/* In C++, variables of the block are destroyed at its end. */
static void lower_scope(struct lower *l, struct node *n)
{
    int alive = l->alive.count;
    lower_compound(l, n);
    scope_leave(l, alive, NULL);
    l->alive.count = alive;
}

static void lower_nothing(struct lower *l, struct node *n)
{
    (void)l;
    (void)n;
}

static void lower_return(struct lower *l, struct node *n)
{
    const struct type *t = l->f->type->of;
    struct node *e = nth_expression(n, 0);
    ir_value v = 0;
    if (e && t->kind == TYPE_VOID)
        effect_of(l, e);
    else if (e && l->cpp && l->cpp->returns_reference)
        v = emit_convert(l, n, address_of(l, e), t);
    else if (e)
        v = value_as(l, e, t);
    if (!is_live(l))
        return;
    scope_leave(l, 0, e);
    emit(l, n, (struct ir_inst){.op = IR_RETURN, .args = &v, .arg_count = v ? 1 : 0});
    l->block = NOWHERE;
}

/* The operands are read and written in unknown ways. */
static void lower_asm(struct lower *l, struct node *n)
{
    LIST(ir_value) args = {0};
    for (struct node *child = n->first; child; child = child->next)
        if (is_expression(child) && node_type(l, child)->kind != TYPE_VOID)
            LIST_ADD(l->scratch, &args, address_of(l, child));
    emit_anything(l, n, type_simple(l->unit, TYPE_VOID), "assembly", args.items, args.count);
}

/* ---- if ------------------------------------------------------------------------------------- */

/* In C++, statements and a variable may come before the condition: if (auto *x = f()). */
static struct node *lower_before(struct lower *l, struct node *n)
{
    struct node *first = n->first;
    for (; l->is_cpp && first && !is_expression(first) && first->next; first = first->next)
        lower_statement(l, first);
    return first;
}

static void lower_if(struct lower *l, struct node *n)
{
    struct label yes = {0}, no = {0}, end = {0};
    struct node *test = lower_before(l, n), *then = test ? test->next : NULL;
    struct node *other = then ? then->next : NULL;
    if (!then)
        return;
    if (is_live(l))
        branch_on(l, test, &yes, &no);
    place(l, &yes);
    lower_statement(l, then);
    if (other) {
        jump_to(l, NULL, &end);
        place(l, &no);
        lower_statement(l, other);
        place(l, &end);
    } else {
        place(l, &no);
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

static void lower_body(struct lower *l, struct node *body, struct label *on_break,
                       struct label *on_continue)
{
    struct target outer = l->target;
    bool is_outer = on_continue == outer.on_continue; /* a switch in a loop */
    l->target = (struct target){on_break, on_continue, l->alive.count,
                                is_outer ? outer.continue_alive : l->alive.count};
    if (body)
        lower_statement(l, body);
    l->target = outer;
}

static void lower_while(struct lower *l, struct node *n)
{
    struct label head = {0}, body = {0}, end = {0};
    place_head(l, &head);
    branch_on(l, n->first, &body, &end);
    place(l, &body);
    lower_body(l, nth(n, 1), &end, &head);
    jump_to(l, NULL, &head);
    place(l, &end);
}

static void lower_do(struct lower *l, struct node *n)
{
    struct label head = {0}, test = {0}, end = {0};
    place_head(l, &head);
    lower_body(l, n->first, &end, &test);
    place(l, &test);
    if (is_live(l) && nth(n, 1))
        branch_on(l, nth(n, 1), &head, &end);
    place(l, &end);
}

/* Which child is which: parts[0] to parts[2] are the head's, then the body. */
static bool for_parts(struct lower *l, struct node *n, struct node *parts[4])
{
    bool written[3] = {false, false, false};
    int count = child_count(n);
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(n->cursor), &at, &size);
    bool sure = count == 4 || count == 1;
    if (count == 4)
        written[0] = written[1] = written[2] = true;
    else if (!sure)
        sure = text && source_for(text, size, at, written) &&
               written[0] + written[1] + written[2] == count - 1;
    struct node *child = n->first;
    for (int i = 0; i < 3; i++)
        if (written[i] && child) {
            parts[i] = child;
            child = child->next;
        }
    parts[3] = n->last;
    return sure;
}

/* Which part is which is unknown: any of them may run, before and after the body. */
static void lower_unclear_for(struct lower *l, struct node *n)
{
    struct label head = {0}, body = {0}, end = {0};
    ir_note_add(l->unit, span_of(l, n), "a for statement whose parts are not clear");
    place_head(l, &head);
    for (struct node *part = n->first; part && part != n->last; part = part->next)
        lower_statement(l, part);
    if (is_live(l))
        branch_to(l, n, emit_some(l, n, int_type(l), "whether the loop goes on"), &body, &end);
    place(l, &body);
    lower_body(l, n->last, &end, &head);
    jump_to(l, NULL, &head);
    place(l, &end);
}

static void lower_for(struct lower *l, struct node *n)
{
    struct label head = {0}, body = {0}, next = {0}, end = {0};
    struct node *parts[4] = {NULL, NULL, NULL, NULL};
    if (!for_parts(l, n, parts)) {
        lower_unclear_for(l, n);
        return;
    }
    if (parts[0])
        lower_statement(l, parts[0]);
    place_head(l, &head);
    if (parts[1])
        branch_on(l, parts[1], &body, &end);
    place(l, &body);
    lower_body(l, parts[3], &end, &next);
    place(l, &next);
    if (parts[2])
        lower_statement(l, parts[2]);
    jump_to(l, NULL, &head);
    place(l, &end);
}

static void lower_break(struct lower *l, struct node *n)
{
    if (!l->target.on_break)
        return;
    scope_leave(l, l->target.break_alive, NULL);
    jump_to(l, n, l->target.on_break);
}

static void lower_continue(struct lower *l, struct node *n)
{
    if (!l->target.on_continue)
        return;
    scope_leave(l, l->target.continue_alive, NULL);
    jump_to(l, n, l->target.on_continue);
}

/* ---- switch --------------------------------------------------------------------------------- */

/* The instruction is emitted before the cases are known; they are added after the body. */
static ir_value emit_switch(struct lower *l, struct node *n)
{
    ir_value v = value_of(l, n->first);
    if (!v)
        v = emit_anything(l, n, int_type(l), "a switch on nothing", NULL, 0);
    if (!is_live(l))
        return 0;
    struct ir_inst inst = {.op = IR_SWITCH, .args = &v, .arg_count = 1};
    ir_value where = emit(l, n, inst);
    l->block = NOWHERE;
    return where;
}

static void complete_switch(struct lower *l, ir_value where, const struct switch_cases *cases,
                            int fallback)
{
    struct ir_inst *inst = &l->f->insts.items[where];
    size_t size = (size_t)cases->cases.count * sizeof(struct ir_case);
    inst->target[0] = fallback;
    inst->case_count = cases->cases.count;
    inst->cases = size ? arena_copy(l->unit->arena, cases->cases.items, size) : NULL;
}

static void lower_switch(struct lower *l, struct node *n)
{
    struct switch_cases cases = {0}, *outer = l->cases;
    struct label end = {0};
    ir_value where = is_live(l) ? emit_switch(l, n) : 0;
    struct target target = l->target;
    l->cases = &cases;
    lower_body(l, nth(n, 1), &end, target.on_continue);
    l->cases = outer;
    if (where)
        complete_switch(l, where, &cases,
                        label_block(l, cases.has_default ? &cases.fallback : &end));
    place(l, &end);
}

/* Falling through: the preceding statement continues here. */
static void lower_case(struct lower *l, struct node *n)
{
    struct label label = {0};
    int64_t low = 0, high = 0;
    int count = child_count(n);
    bool known = count >= 2 && evaluate_int(l, n->first->cursor, &low) &&
                 (count == 2 || evaluate_int(l, n->first->next->cursor, &high));
    high = count == 2 ? low : high;
    place_head(l, &label);
    if (!l->cases)
        ir_note_add(l->unit, span_of(l, n), "a case outside of a switch");
    else if (!known)
        ir_note_add(l->unit, span_of(l, n), "a case whose value is not known");
    else if (low <= high)
        LIST_ADD(l->scratch, &l->cases->cases, ((struct ir_case){low, high, label.block}));
    if (n->last)
        lower_statement(l, n->last);
}

static void lower_default(struct lower *l, struct node *n)
{
    struct label stray = {0}, *label = l->cases ? &l->cases->fallback : &stray;
    place_head(l, label);
    if (l->cases)
        l->cases->has_default = true;
    lower_compound(l, n);
}

/* ---- goto ----------------------------------------------------------------------------------- */

static struct symbol *label_of(struct lower *l, CXCursor label)
{
    uint64_t key = declaration_key(label);
    struct symbol *s = map_get(l->symbols, key);
    if (!s) {
        s = symbol_new(l, SYMBOL_LABEL, label);
        map_put(l->symbols, key, s);
    }
    return s;
}

static void lower_label(struct lower *l, struct node *n)
{
    place_head(l, &label_of(l, n->cursor)->label);
    lower_compound(l, n);
}

static void lower_goto(struct lower *l, struct node *n)
{
    CXCursor label = n->first ? l->c->getCursorReferenced(n->first->cursor) : n->cursor;
    if (label.kind == CXCursor_LabelStmt) {
        jump_to(l, n, &label_of(l, label)->label);
        return;
    }
    emit_anything(l, n, type_simple(l->unit, TYPE_VOID), "a goto to no label", NULL, 0);
    emit_stop(l, n);
}

/* The address of a label is its number in the function, from 1. */
static void lower_computed_goto(struct lower *l, struct node *n)
{
    struct switch_cases cases = {0};
    struct label nowhere = {0};
    ir_value v = value_as(l, n->first, type_int(l->unit, 64, true));
    if (!is_live(l))
        return;
    ir_value where = emit(l, n, (struct ir_inst){.op = IR_SWITCH, .args = &v, .arg_count = 1});
    l->block = NOWHERE;
    for (int i = 0; i < l->address_labels.count; i++) {
        int block = label_block(l, &l->address_labels.items[i]->label);
        LIST_ADD(l->scratch, &cases.cases, ((struct ir_case){i + 1, i + 1, block}));
    }
    complete_switch(l, where, &cases, label_block(l, &nowhere));
    place(l, &nowhere);
    emit_stop(l, n);
}

/* ---- the table ------------------------------------------------------------------------------ */

static lowering *const statements[] = {
    ROW(CXCursor_UnexposedStmt) = lower_compound, /* with an attribute */
    ROW(CXCursor_LabelStmt) = lower_label,
    ROW(CXCursor_CompoundStmt) = lower_scope,
    ROW(CXCursor_CaseStmt) = lower_case,
    ROW(CXCursor_DefaultStmt) = lower_default,
    ROW(CXCursor_IfStmt) = lower_if,
    ROW(CXCursor_SwitchStmt) = lower_switch,
    ROW(CXCursor_WhileStmt) = lower_while,
    ROW(CXCursor_DoStmt) = lower_do,
    ROW(CXCursor_ForStmt) = lower_for,
    ROW(CXCursor_GotoStmt) = lower_goto,
    ROW(CXCursor_IndirectGotoStmt) = lower_computed_goto,
    ROW(CXCursor_ContinueStmt) = lower_continue,
    ROW(CXCursor_BreakStmt) = lower_break,
    ROW(CXCursor_ReturnStmt) = lower_return,
    ROW(CXCursor_GCCAsmStmt) = lower_asm,
    ROW(CXCursor_MSAsmStmt) = lower_asm,
    ROW(CXCursor_NullStmt) = lower_nothing,
    ROW(CXCursor_DeclStmt) = lower_declarations,
    ROW(CXCursor_CXXForRangeStmt) = lower_range_for,
    ROW(CXCursor_CXXTryStmt) = lower_try,
};

static void lower_unknown(struct lower *l, struct node *n)
{
    ir_note_add(l->unit, span_of(l, n), "a statement that is not modelled");
    lower_compound(l, n);
}

void lower_statement(struct lower *l, struct node *n)
{
    int row = (int)n->cursor.kind - CXCursor_FirstStmt;
    if (!is_live(l) && !n->has_label)
        return;
    part_block(l);
    if (n->depth > MAX_DEPTH)
        emit_anything(l, n, type_simple(l->unit, TYPE_VOID), "nested too deeply", NULL, 0);
    else if (is_expression(n))
        effect_of(l, n);
    else if (n->cursor.kind == CXCursor_VarDecl)
        lower_variable(l, n);
    else if (row >= 0 && row < COUNT(statements) && statements[row])
        statements[row](l, n);
    else if (row >= 0)
        lower_unknown(l, n);
}

/* The last statement of a statement expression, if it has a value, without its labels. */
static struct node *last_value(struct node *compound)
{
    struct node *n = compound->last;
    return n && is_expression(n) ? n : NULL;
}

ir_value lower_block_value(struct lower *l, struct node *compound)
{
    struct node *value = last_value(compound);
    for (struct node *child = compound->first; child && child != value; child = child->next)
        lower_statement(l, child);
    return value && is_live(l) ? value_of(l, value) : 0;
}
