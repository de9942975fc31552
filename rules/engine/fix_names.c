/* Names of libraries in fixes, as the file that is edited writes them: packs spell a dtype
 * "torch.float16", and a file may have imported that module under another name, or not at all. */
#include "rules/engine/engine.h"

#include "analyzer/pack/signature.h"

#include <ctype.h>
#include <string.h>

/* "torch.nn" of what an instruction of a unit's body yields; NULL: it is nothing imported. */
static const char *imported_path(struct check *c, const struct ir_function *init, ir_value v)
{
    const struct ir_inst *i = &init->insts.items[v];
    if (i->op == IR_IMPORT)
        return i->name;
    const char *of = i->op == IR_ATTR ? imported_path(c, init, i->args[0]) : NULL;
    return of ? arena_printf(c->in->arena, "%s.%s", of, i->name) : NULL;
}

/* The unit's name for the longest beginning of a dotted path; how much of it, in *length. */
static const char *bound_to(struct check *c, const struct ir_function *init, const char *path,
                            size_t *length)
{
    const char *best = NULL;
    *length = 0;
    for (int n = 1; n < init->insts.count; n++) {
        const struct ir_inst *i = &init->insts.items[n];
        const char *is = i->op == IR_SETNAME ? imported_path(c, init, i->args[0]) : NULL;
        size_t size = is ? strlen(is) : 0;
        if (size > *length && !strncmp(is, path, size) && strchr(".", path[size])) {
            best = i->name;
            *length = size;
        }
    }
    return best;
}

static const struct ir_function *body_of(struct check *c, const char *file)
{
    for (int u = 0; u < c->in->unit_count; u++) {
        const struct ir_unit *unit = c->in->units[u];
        if (unit->functions.count && !strcmp(unit->file, file)) {
            flow_touch(c->in->flow, unit->functions.items[0]);
            return unit->functions.items[0];
        }
    }
    return NULL;
}

const char *name_in_file(struct check *c, const char *file, const char *path)
{
    const struct ir_function *init = body_of(c, file);
    size_t length;
    const char *name = init ? bound_to(c, init, path, &length) : NULL;
    return name ? arena_printf(c->in->arena, "%s%s", name, path + length) : NULL;
}

bool is_imported_name(struct check *c, const char *file, const char *name)
{
    const struct ir_function *init = body_of(c, file);
    for (int n = 1; init && n < init->insts.count; n++) {
        const struct ir_inst *i = &init->insts.items[n];
        if (i->op == IR_SETNAME && !strcmp(i->name, name))
            return imported_path(c, init, i->args[0]) != NULL;
    }
    return false;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

/* Whether it begins with the name of a module that a pack describes: "torch.float16". */
static bool is_of_library(struct check *c, const char *path)
{
    size_t first = strcspn(path, ".");
    return path[first] && packs_has_module(c->in->packs, arena_text(c->in->arena, path, first));
}

/* The text with the names of libraries as the file writes them; NULL: it cannot. */
static const char *in_words_of(struct check *c, const char *file, const char *text)
{
    struct text out = {0};
    bool ok = true;
    for (const char *at = text; *at && ok;) {
        size_t n = 0;
        while (is_part(at[n]))
            n++;
        const char *word = arena_text(c->in->arena, at, n ? n : 1);
        if (n && is_of_library(c, word))
            word = name_in_file(c, file, word);
        ok = word != NULL;
        text_add(&out, ok ? word : "");
        at += n ? n : 1;
    }
    const char *all = text_keep(c->in->arena, &out);
    return ok ? all : NULL;
}

void fix_spell(struct check *c, struct finding *f)
{
    for (int i = 0; i < f->fix.edits.count; i++) {
        struct edit *e = &f->fix.edits.items[i];
        if (!language_of_file(e->span.file)->has_methods)
            continue;
        e->text = in_words_of(c, e->span.file, e->text);
        if (!e->text) {
            fix_drop(f);
            return;
        }
    }
}
