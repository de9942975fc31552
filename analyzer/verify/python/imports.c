/* Which units make a program: an entry comes in; out go the units that it imports, and those that
 * they import. Modules are found by the ends of paths, as imports name them: where the program
 * looks for modules is only known when it runs. */
#include "analyzer/verify/python/private.h"

#include <string.h>

/* Whether a module's name, with dots, is that of the file. */
static bool is_named(const char *path, const char *name, size_t length)
{
    static const char *const ends[] = {".py", "/__init__.py"};
    size_t size = strlen(path);
    for (int i = 0; i < 2; i++) {
        size_t end = strlen(ends[i]);
        if (size < end + length + 1 || strcmp(path + size - end, ends[i]) != 0)
            continue;
        const char *at = path + size - end - length;
        bool same = at[-1] == '/';
        for (size_t k = 0; k < length && same; k++)
            same = name[k] == '.' ? at[k] == '/' : at[k] == name[k];
        if (same)
            return true;
    }
    return false;
}

/* ".b" in /p/pkg/a.py is /p/pkg/b, "..b" is /p/b. */
static const char *relative_path(struct verifier *v, const char *from, const char *name)
{
    size_t dots = strspn(name, "."), length = strlen(from);
    for (size_t i = 0; i < dots && length; i++)
        while (length && from[--length] != '/')
            continue;
    struct text t = {0};
    text_printf(&t, "%.*s", (int)length, from);
    for (const char *at = name + dots; *at;) {
        size_t n = strcspn(at, ".");
        text_printf(&t, "/%.*s", (int)n, at);
        at += n + (at[n] == '.');
    }
    return text_keep(v->arena, &t);
}

static bool is_module(struct verifier *v, const struct verify_unit *from, const char *name,
                      const char *path)
{
    if (*name == '.') {
        const char *meant = relative_path(v, path_real(v, NULL, from->file), name);
        size_t n = strlen(meant);
        return !strncmp(path, meant, n) &&
               (!strcmp(path + n, ".py") || !strcmp(path + n, "/__init__.py"));
    }
    for (size_t n = strlen(name); n;) { /* a.b.c imports a and a.b, too */
        if (is_named(path, name, n))
            return true;
        while (n && name[--n] != '.')
            continue;
    }
    return false;
}

/* Whether an instruction imports it; `from a import b` may mean a module a.b. */
static bool imports(struct verifier *v, const struct verify_unit *from, const struct ir_function *f,
                    int n, const char *path)
{
    const struct ir_inst *i = &f->insts.items[n];
    if (i->op == IR_IMPORT)
        return is_module(v, from, i->name, path);
    const struct ir_inst *of =
        i->op == IR_ATTR && i->arg_count ? &f->insts.items[i->args[0]] : NULL;
    return of && of->op == IR_IMPORT &&
           is_module(v, from,
                     arena_printf(v->arena, "%s%s%s", of->name,
                                  of->name[strspn(of->name, ".")] ? "." : "", i->name),
                     path);
}

static bool unit_imports(struct verifier *v, const struct verify_unit *from,
                         const struct verify_unit *to)
{
    const char *path = path_real(v, NULL, to->file);
    for (int k = 0; k < from->unit->functions.count; k++) {
        const struct ir_function *f = from->unit->functions.items[k];
        for (int n = 1; n < f->insts.count; n++)
            if (imports(v, from, f, n, path))
                return true;
    }
    return false;
}

struct program *python_program_of(struct verifier *v, const struct verify_unit *entry)
{
    struct program *p = arena_one(v->arena, struct program);
    p->entry = entry;
    LIST_ADD(v->arena, &p->units, entry);
    for (int k = 0; k < p->units.count; k++) /* it grows */
        for (int i = 0; i < v->in->unit_count; i++) {
            const struct verify_unit *u = &v->in->units[i];
            if (!program_holds(p, u) && unit_imports(v, p->units.items[k], u))
                LIST_ADD(v->arena, &p->units, u);
        }
    return p;
}

/* if __name__ == "__main__" */
static bool asks_for_its_name(const struct verify_unit *u)
{
    const struct ir_function *f = function_of(u, "(init)");
    for (int n = 1; f && n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_NAME && !strcmp(f->insts.items[n].name, "__name__"))
            return true;
    return false;
}

bool python_is_entry(struct verifier *v, const struct verify_unit *u)
{
    if (!function_of(u, "(init)") || u->unit->is_imported || u->unit->module)
        return false;
    if (asks_for_its_name(u))
        return true;
    for (int i = 0; i < v->in->unit_count; i++)
        if (&v->in->units[i] != u && unit_imports(v, &v->in->units[i], u))
            return false;
    return true;
}
