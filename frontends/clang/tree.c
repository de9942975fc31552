/* Our copy of the syntax tree of one function or initialiser. libclang exposes children only
 * through callbacks, each at a cost, so a body is visited once and the nodes are linked here. What
 * the lowering never needs is left out: written types, attributes, operands of sizeof, and the
 * controlling expression of _Generic, whose size doubles with every nesting. */
#include "frontends/clang/lower.h"

#define CHUNK 1024
/* A longer table of numbers in static storage is not visited element by element. */
#define LONG_TABLE 64

struct visit {
    struct lower *l;
    struct node *top; /* the last node created */
};

/* ---- making nodes --------------------------------------------------------------------------- */

static struct node *node_new(struct lower *l, CXCursor cursor)
{
    int chunk = l->nodes.used / CHUNK, at = l->nodes.used % CHUNK;
    if (chunk == l->nodes.chunks.count) {
        struct node *nodes = arena_array(l->scratch, struct node, CHUNK);
        LIST_ADD(l->scratch, &l->nodes.chunks, nodes);
    }
    l->nodes.used++;
    struct node *n = &l->nodes.chunks.items[chunk][at];
    *n = (struct node){.cursor = cursor};
    return n;
}

static void attach(struct node *parent, struct node *n)
{
    n->parent = parent;
    n->depth = parent->depth + 1;
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
}

static void mark_label(struct node *n)
{
    for (; n && !n->has_label; n = n->parent)
        n->has_label = true;
}

static bool same_cursor(CXCursor a, CXCursor b)
{
    return a.kind == b.kind && a.data[0] == b.data[0] && a.data[1] == b.data[1];
}

/* ---- what is kept --------------------------------------------------------------------------- */

static bool is_expression_kind(enum CXCursorKind k)
{
    return k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr;
}

static bool is_kept(enum CXCursorKind k)
{
    return is_expression_kind(k) || (k >= CXCursor_FirstStmt && k <= CXCursor_LastStmt) ||
           k == CXCursor_VarDecl || k == CXCursor_ParmDecl || k == CXCursor_MemberRef ||
           k == CXCursor_LabelRef || k == CXCursor_UnexposedDecl;
}

static bool is_number_kind(enum CXTypeKind k)
{
    return k >= CXType_Bool && k <= CXType_LongDouble;
}

static bool is_long_table(const struct lower *l, CXCursor c)
{
    if (!l->is_constant)
        return false;
    CXType t = l->c->getCanonicalType(l->c->getCursorType(c));
    if (t.kind != CXType_ConstantArray || l->c->getArraySize(t) <= LONG_TABLE)
        return false;
    return is_number_kind(l->c->getCanonicalType(l->c->getArrayElementType(t)).kind);
}

/* The address of this label is taken somewhere in the function. */
static void remember_label(struct lower *l, CXCursor reference)
{
    CXCursor label = l->c->getCursorReferenced(reference);
    struct symbol *s = map_get(l->symbols, declaration_key(label));
    if (!s) {
        s = symbol_new(l, SYMBOL_LABEL, label);
        map_put(l->symbols, declaration_key(label), s);
    }
    if (!s->index) {
        LIST_ADD(l->scratch, &l->address_labels, s);
        s->index = l->address_labels.count;
    }
}

/* Whether the node's children are visited. */
static bool is_entered(struct lower *l, struct node *n)
{
    enum CXCursorKind k = n->cursor.kind, above = n->parent->cursor.kind;
    if (k == CXCursor_UnaryExpr || k == CXCursor_ParmDecl || k == CXCursor_MemberRef)
        return false;
    if (above == CXCursor_GenericSelectionExpr && n->parent->first == n)
        return false;
    if (k == CXCursor_LambdaExpr)
        return false; /* its body is a function of its own */
    if (k == CXCursor_InitListExpr)
        n->is_cut = is_long_table(l, n->cursor);
    return !n->is_cut;
}

static bool is_cleanup(struct lower *l, CXCursor attribute)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(attribute), &at, &size);
    return text &&
           (source_word(text, size, at, "cleanup") || source_word(text, size, at, "__cleanup__"));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct visit *v = data;
    while (v->top->parent && !same_cursor(v->top->cursor, parent))
        v->top = v->top->parent;
    if (!is_kept(cursor.kind)) {
        v->top->has_cleanup |= cursor.kind == CXCursor_UnexposedAttr && is_cleanup(v->l, cursor);
        return CXChildVisit_Continue;
    }
    if (same_cursor(v->top->cursor, cursor))
        return CXChildVisit_Recurse; /* C++: an operator that was rewritten is its own child */
    struct node *n = node_new(v->l, cursor);
    attach(v->top, n);
    v->top = n;
    if (cursor.kind == CXCursor_LabelStmt || cursor.kind == CXCursor_CaseStmt ||
        cursor.kind == CXCursor_DefaultStmt)
        mark_label(n);
    if (cursor.kind == CXCursor_LabelRef && n->parent->cursor.kind == CXCursor_AddrLabelExpr)
        remember_label(v->l, cursor);
    return is_entered(v->l, n) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

struct node *tree_of(struct lower *l, CXCursor root)
{
    l->nodes.used = 0;
    return tree_more(l, root);
}

struct node *tree_more(struct lower *l, CXCursor root)
{
    struct node *n = node_new(l, root);
    struct visit v = {l, n};
    l->c->visitChildren(root, visit, &v);
    return n;
}

/* ---- asking --------------------------------------------------------------------------------- */

bool is_expression(const struct node *n)
{
    return is_expression_kind(n->cursor.kind);
}

struct node *nth(const struct node *n, int i)
{
    struct node *child = n->first;
    while (child && i-- > 0)
        child = child->next;
    return child;
}

int child_count(const struct node *n)
{
    int count = 0;
    for (const struct node *child = n->first; child; child = child->next)
        count++;
    return count;
}

struct node *nth_expression(const struct node *n, int i)
{
    for (struct node *child = n->first; child; child = child->next)
        if (is_expression(child) && i-- == 0)
            return child;
    return NULL;
}

struct node *initialiser(struct lower *l, const struct node *variable)
{
    if (!variable->first)
        return NULL;
    CXCursor init = l->c->Cursor_getVarDeclInitializer(variable->cursor);
    for (struct node *n = variable->first; n; n = n->next)
        if (is_expression(n) && n->cursor.data[1] == init.data[1])
            return n;
    return NULL;
}

struct node *bare(struct lower *l, struct node *n)
{
    for (;;) {
        bool skip = n->cursor.kind == CXCursor_ParenExpr ||
                    (n->cursor.kind == CXCursor_UnaryOperator &&
                     l->c->getCursorUnaryOperatorKind(n->cursor) == CXUnaryOperator_Extension);
        struct node *inner = skip ? nth_expression(n, 0) : NULL;
        if (!inner)
            return n;
        n = inner;
    }
}

struct node *core(struct lower *l, struct node *n)
{
    for (;;) {
        n = bare(l, n);
        if (n->cursor.kind != CXCursor_UnexposedExpr || child_count(n) != 1 ||
            !is_expression(n->first))
            return n;
        n = n->first;
    }
}

/* Declarations have their address first, labels (which are statements) second. */
uint64_t declaration_key(CXCursor c)
{
    return (uint64_t)(uintptr_t)(c.kind == CXCursor_LabelStmt ? c.data[1] : c.data[0]);
}
