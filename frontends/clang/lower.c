/* From a parsed file to a unit. What the file defines goes on a queue, followed by the functions
 * and globals in headers that it refers to and that have a body or an initialiser; the queue is
 * lowered in order. Initialisers of globals are put, in that order, into one function, "(init)". */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- functions ------------------------------------------------------------------------------ */

static void begin_function(struct lower *l, struct ir_function *f)
{
    l->f = f;
    l->target = (struct target){0};
    l->alive.count = 0;
    l->cases = NULL;
    l->address_labels.count = 0;
    l->placed.count = 0;
    go_on_in(l, ir_block_new(l->unit, f));
}

static int add_params(struct lower *l, struct node *tree)
{
    int count = 0;
    for (struct node *n = tree->first; n; n = n->next)
        if (n->cursor.kind == CXCursor_ParmDecl) {
            local_of(l, n->cursor, NULL);
            count++;
        }
    return count;
}

/* K&R style: parameters come from the definition, not from the function's type. */
static void take_params_type(struct lower *l, struct ir_function *f)
{
    struct field *params = arena_array(l->scratch, struct field, f->locals.count);
    for (int i = 0; i < f->locals.count; i++)
        params[i] = (struct field){"", f->locals.items[i].type, 0, NULL};
    f->type = type_function(l->unit, f->type->of, params, f->locals.count, f->type->variadic);
    f->param_count = f->locals.count;
}

/* Falling off the end of a body. */
static void leave(struct lower *l)
{
    const struct type *t = l->f->type->of;
    ir_value v = 0;
    if (!is_live(l))
        return;
    if (t->kind != TYPE_VOID && strcmp(l->f->name, "main") == 0)
        v = emit_int(l, NULL, t, 0);
    else if (t->kind != TYPE_VOID)
        v = emit(l, NULL, (struct ir_inst){.op = IR_UNDEF, .type = t});
    emit(l, NULL, (struct ir_inst){.op = IR_RETURN, .args = &v, .arg_count = v ? 1 : 0});
    l->block = NOWHERE;
}

/* False: it is not written in the file as such. */
static bool body_at(struct lower *l, CXCursor body, struct body *out)
{
    CXSourceRange range = l->c->getCursorExtent(body);
    CXSourceLocation begin = l->c->getRangeStart(range), end = l->c->getRangeEnd(range);
    const struct source *s = source_of(l, begin);
    if (!s || !s->is_main || !s->text || end.int_data & IN_MACRO || end.int_data <= begin.int_data)
        return false;
    out->begin = begin.int_data - s->base;
    out->end = end.int_data - s->base;
    return out->end <= s->size && s->text[out->begin] == '{' && s->text[out->end - 1] == '}';
}

/* NULL: not requested, or there is none. */
static struct body *note_body(struct lower *l, const struct ir_function *f, const struct node *body)
{
    struct body b = {0};
    bool is_noted = false;
    if (l->bodies && body && body->cursor.kind == CXCursor_CompoundStmt &&
        body_at(l, body->cursor, &b)) {
        b.name = arena_printf(l->bodies_arena, "%s", f->name);
        b.functions = l->unit->functions.count;
        b.globals = l->unit->globals.count;
        b.records = l->unit->records.count;
        b.notes = l->unit->notes.count;
        LIST_ADD(l->bodies_arena, l->bodies, b);
        is_noted = true;
    }
    return is_noted ? &l->bodies->items[l->bodies->count - 1] : NULL;
}

/* A method takes `this` first. One that overrides another takes that of the class it overrides. */
static void begin_cpp(struct lower *l, struct symbol *s, struct node *tree,
                      struct cpp_function *cpp)
{
    l->cpp = cpp;
    cpp->returns_reference =
        is_reference_type(l, l->c->getResultType(l->c->getCursorType(s->cursor)));
    cpp->lambda = lambda_of(l, s->cursor);
    if (!is_instance_method(l, s->cursor))
        return;
    const struct type *own = parent_record(l, s->cursor), *given = this_record(l, s->cursor);
    const char *name = own == given && !cpp->lambda ? "this" : "(this)";
    complete(l, own);
    complete(l, given);
    cpp->this_local =
        ir_local_new(l->unit, l->f, name, pointer_to(l, given), span_of_cursor(l, tree->cursor));
    cpp->record = cpp->lambda ? lambda_outer(cpp->lambda) : own;
}

static void begin_cpp_body(struct lower *l, struct symbol *s, struct node *tree)
{
    struct cpp_function *cpp = l->cpp;
    if (cpp->this_local < 0)
        return;
    const struct type *own = parent_record(l, s->cursor), *given = this_record(l, s->cursor);
    if (own != given) {
        const struct type *t = pointer_to(l, own);
        int local = ir_local_new(l->unit, l->f, "this", t, span_of_cursor(l, tree->cursor));
        ir_value v = emit_load(l, NULL, emit_local(l, NULL, cpp->this_local), pointer_to(l, given));
        emit_store(l, NULL, emit_local(l, NULL, local), emit_convert(l, NULL, v, t));
        cpp->this_local = local;
    }
    if (s->cursor.kind == CXCursor_Constructor)
        lower_members(l, tree);
}

static void lower_function(struct lower *l, struct symbol *s)
{
    struct ir_function *f = s->function;
    struct cpp_function cpp = {.this_local = -1};
    begin_function(l, f);
    struct node *tree = tree_of(l, s->cursor), *body = tree->last;
    if (l->is_cpp)
        begin_cpp(l, s, tree, &cpp);
    struct body *noted = note_body(l, f, body);
    f->span = span_of_cursor(l, s->cursor);
    f->is_partial =
        has_errors(l, s->cursor) || is_doubtful(l, s->cursor) || is_conditional(l, s->cursor);
    int hidden = f->locals.count > 0 && l->is_cpp ? 1 : 0; /* this */
    if (add_params(l, tree) + hidden != f->param_count)
        take_params_type(l, f);
    note_start(l, s->cursor, f);
    if (l->is_cpp)
        begin_cpp_body(l, s, tree);
    if (l->is_cpp)
        lower_invoker(l, tree, s);
    if (is_live(l) && body && body->cursor.kind == CXCursor_CompoundStmt)
        lower_statement(l, body);
    leave(l);
    ir_order_blocks(l->unit, l->f, l->placed.items, l->placed.count, l->scratch);
    l->cpp = NULL;
    if (noted)
        noted->notes_end = l->unit->notes.count;
}

/* ---- globals -------------------------------------------------------------------------------- */

/* Continues "(init)" where the last initialiser ended. */
static void resume_init(struct lower *l)
{
    struct ir_function *init = l->unit->functions.items[0];
    if (!init->has_body) {
        l->placed = (block_list){0};
        begin_function(l, init);
        return;
    }
    l->f = init;
    l->block = l->init_block;
    l->placed = l->init_placed;
}

static void pause_init(struct lower *l)
{
    l->init_block = l->block;
    l->init_placed = l->placed;
    l->placed = (block_list){0};
}

/* Every global starts out as zero. */
static void lower_global(struct lower *l, struct symbol *s)
{
    l->is_constant = true;
    struct node *tree = tree_of(l, s->cursor), *init = initialiser(l, tree);
    if (init) {
        resume_init(l);
        tree->span = s->global->span;
        ir_value to = emit_global(l, tree, s->global);
        if (s->is_reference)
            emit_store(l, tree, to, address_of(l, init));
        else if (l->is_cpp && is_aggregate(s->global->type))
            construct_at(l, init, to, s->global->type);
        else
            initialise(l, to, s->global->type, init, true);
        pause_init(l);
    }
    l->is_constant = false;
}

static void finish_init(struct lower *l)
{
    if (!l->unit->functions.items[0]->has_body)
        return;
    resume_init(l);
    leave(l);
    ir_order_blocks(l->unit, l->f, l->placed.items, l->placed.count, l->scratch);
}

/* ---- the unit ------------------------------------------------------------------------------- */

static void lower_queue(struct lower *l)
{
    for (int i = 0; i < l->queue.count; i++) {
        struct symbol *s = l->queue.items[i];
        if (s->kind == SYMBOL_FUNCTION)
            lower_function(l, s);
        else
            lower_global(l, s);
    }
    finish_init(l);
    lower_starts(l);
}

/* Where the declaration is, also if a macro made it. */
static struct source *declared_in(struct lower *l, CXCursor c)
{
    CXSourceLocation place = l->c->getCursorLocation(c);
    struct source *s = source_of(l, place);
    return s ? s : source_of_use(l, place);
}

/* What other units can see, or the main file declares. What only headers declare is lowered when
 * used. */
static bool is_ours(struct lower *l, CXCursor c)
{
    struct source *s = declared_in(l, c);
    if (!s || s->is_main)
        return s != NULL;
    return !s->is_system && l->c->isCursorDefinition(c) &&
           l->c->getCursorLinkage(c) == CXLinkage_External &&
           (c.kind == CXCursor_VarDecl || !l->c->Cursor_isFunctionInlined(c));
}

static void take_top(struct lower *l, CXCursor c)
{
    bool function = is_function_kind(c.kind);
    if (function && l->c->isCursorDefinition(c))
        symbol_of(l, c);
    else if (!function && l->c->Cursor_getStorageClass(c) != CX_SC_Extern)
        symbol_of(l, c)->global->is_extern = false;
}

/* ---- units that stay open ------------------------------------------------------------------- */

static CXCursor cursor_at(struct lower *l, const struct ahead_place *p)
{
    CXFile file = l->c->getFile(l->tu, p->file);
    return l->c->getCursor(l->tu, l->c->getLocationForOffset(l->tu, file, p->offset));
}

static void note_ahead(struct lower *l, CXCursor c)
{
    struct ahead *a = l->ahead;
    CXFile file;
    unsigned offset;
    l->c->getFileLocation(l->c->getCursorLocation(c), &file, NULL, NULL, &offset);
    if (!file)
        return;
    const char *name = clang_text(l->c, a->arena, l->c->getFileName(file));
    struct ahead_place p = {name, offset, c.kind};
    LIST_ADD(a->arena, &a->places, p);
    CXCursor found = cursor_at(l, &p);
    a->is_lost |= found.kind != c.kind || declaration_key(found) != declaration_key(c);
}

static void note_top(struct lower *l, CXCursor c)
{
    struct ahead *a = l->ahead;
    if (!a || !a->is_noting || a->has_begun)
        return;
    struct source *s = declared_in(l, c);
    a->has_begun = s && s->is_main;
}

static void take_ahead(struct lower *l)
{
    for (int i = 0; l->ahead && !l->ahead->is_noting && i < l->ahead->places.count; i++) {
        const struct ahead_place *p = &l->ahead->places.items[i];
        CXCursor c = cursor_at(l, p);
        if (c.kind == p->kind)
            take_top(l, c);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* What has functions inside: those of the standard library are only looked at when used. */
static bool is_scope(struct lower *l, CXCursor c)
{
    bool is = c.kind == CXCursor_Namespace || c.kind == CXCursor_LinkageSpec ||
              c.kind == CXCursor_ClassDecl || c.kind == CXCursor_StructDecl ||
              c.kind == CXCursor_UnexposedDecl;
    struct source *s = is ? declared_in(l, c) : NULL;
    return s && !s->is_system;
}

/* Of a template, before it has arguments; or what the compiler wrote. */
static bool is_pattern(struct lower *l, CXCursor c)
{
    CXCursor parent = l->c->getCursorSemanticParent(c);
    bool is_template = parent.kind == CXCursor_ClassTemplate ||
                       parent.kind == CXCursor_ClassTemplatePartialSpecialization;
    bool is_defaulted = c.kind != CXCursor_FunctionDecl && c.kind != CXCursor_VarDecl &&
                        l->c->CXXMethod_isDefaulted(c);
    return is_template || is_defaulted;
}

static bool is_taken(struct lower *l, CXCursor c)
{
    bool function = is_function_kind(c.kind), variable = c.kind == CXCursor_VarDecl;
    return (function || variable) && is_ours(l, c) && !(l->is_cpp && is_pattern(l, c));
}

static enum CXChildVisitResult visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct lower *l = data;
    (void)parent;
    if (l->is_cpp && is_scope(l, c))
        return CXChildVisit_Recurse;
    note_top(l, c);
    note_doubtful(l, c);
    note_conditional(l, c);
    if (!is_taken(l, c))
        return CXChildVisit_Continue;
    if (l->ahead && l->ahead->is_noting && !l->ahead->has_begun)
        note_ahead(l, c);
    take_top(l, c);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_beginning(CXCursor c, CXCursor parent, CXClientData data)
{
    struct lower *l = data;
    (void)parent;
    if (l->is_cpp && is_scope(l, c))
        return CXChildVisit_Recurse;
    if (is_taken(l, c))
        note_ahead(l, c);
    return CXChildVisit_Continue;
}

void note_beginning(struct lower *l)
{
    l->slow_places = !places_count_bytes(l);
    l->c->visitChildren(l->c->getTranslationUnitCursor(l->tu), visit_beginning, l);
}

void lower_unit(struct lower *l)
{
    l->slow_places = !places_count_bytes(l);
    conditional_begin(l);
    take_ahead(l);
    l->c->visitChildren(l->c->getTranslationUnitCursor(l->tu), visit_top, l);
    note_doubtful_spots(l);
    lower_queue(l);
}

/* ---- one function --------------------------------------------------------------------------- */

struct search {
    struct lower *l;
    const char *name;
    CXCursor found;
    bool is_found;
};

static enum CXChildVisitResult visit_named(CXCursor c, CXCursor parent, CXClientData data)
{
    struct search *s = data;
    const struct clang *clang = s->l->c;
    (void)parent;
    if (c.kind != CXCursor_FunctionDecl || !clang->isCursorDefinition(c))
        return CXChildVisit_Continue;
    CXString name = clang->getCursorSpelling(c);
    s->is_found = !strcmp(clang->getCString(name), s->name);
    clang->disposeString(name);
    s->found = c;
    return s->is_found ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool lower_only(struct lower *l, const struct body *b)
{
    struct search search = {.l = l, .name = b->name};
    body_list found = {0};
    if (l->is_cpp)
        return false;
    l->slow_places = !places_count_bytes(l);
    l->c->visitChildren(l->c->getTranslationUnitCursor(l->tu), visit_named, &search);
    if (!search.is_found)
        return false;
    l->bodies = &found;
    l->bodies_arena = l->scratch;
    struct symbol *s = symbol_of(l, search.found);
    lower_function(l, s);
    for (int i = 0; i < l->queue.count; i++)
        l->piecewise->differs |=
            l->queue.items[i]->kind == SYMBOL_FUNCTION && l->queue.items[i] != s;
    return found.count == 1 && found.items[0].begin == b->begin && found.items[0].end == b->end;
}
