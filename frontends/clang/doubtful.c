/* Names at file scope that were declared with errors. Of two definitions of one function, two
 * values of one constant or two layouts of one struct nobody knows which is meant: the compiler
 * goes on with the first, and reports the error at the second. Functions that are defined so, or
 * that use such a name, are partial. */
#include "frontends/clang/lower.h"

static const char *name_at(struct lower *l, CXCursor c)
{
    CXString s = l->c->getCursorSpelling(c);
    const char *text = l->c->getCString(s), *name = name_of(l->unit->names, text ? text : "");
    l->c->disposeString(s);
    return name;
}

/* One with an error decides those behind it, too. */
static enum CXChildVisitResult visit_constant(CXCursor c, CXCursor parent, CXClientData data)
{
    struct lower *l = data;
    (void)parent;
    if (c.kind == CXCursor_EnumConstantDecl)
        LIST_ADD(l->scratch, &l->doubtful, name_at(l, c));
    return CXChildVisit_Continue;
}

void note_doubtful(struct lower *l, CXCursor declaration)
{
    bool is_function = declaration.kind == CXCursor_FunctionDecl;
    if (!l->spots.count || !errors_in(l, declaration, is_function))
        return;
    LIST_ADD(l->scratch, &l->doubtful, name_at(l, declaration));
    if (declaration.kind == CXCursor_EnumDecl)
        l->c->visitChildren(declaration, visit_constant, l);
}

/* What was declared a second time need not be in the tree: the error is at its name. Errors in a
 * function concern that function alone, so that it can be lowered again alone. */
void note_doubtful_spots(struct lower *l)
{
    for (int i = 0; i < l->spots.count; i++) {
        size_t at, size;
        const struct error_spot *s = &l->spots.items[i];
        const char *text = s->is_in_function ? NULL : text_at(l, s->place, &at, &size);
        size_t n = text ? source_token(text, size, at) : 0;
        if (n)
            LIST_ADD(l->scratch, &l->doubtful, name_of_range(l->unit->names, text + at, n));
    }
}

bool is_doubtful(struct lower *l, CXCursor declaration)
{
    const char *name = l->doubtful.count ? name_at(l, declaration) : NULL;
    for (int i = 0; i < l->doubtful.count; i++)
        if (l->doubtful.items[i] == name)
            return true;
    return false;
}

void use_name(struct lower *l, CXCursor declaration)
{
    if (l->doubtful.count && l->f && is_doubtful(l, declaration))
        l->f->is_partial = true;
}
