/* Programs in a dynamic language: the packs that only they need, and model files, which are code
 * that stands for libraries. Those that the program needs are lowered as it is, and are not shown.
 */
#include "frontends/driver/project/project.h"

#include "frontends/driver/process/process.h"
#include "frontends/driver/project/languages.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The languages that have such a folder next to the packs. */
static const struct model_folder {
    enum language_id language;
    const char *name;
} folders[] = {{LANGUAGE_PYTHON, "python"}};

bool project_is_dynamic(const struct project *p)
{
    for (int i = 0; i < p->asked.count; i++)
        if (frontend_of(file_language(p->asked.items[i]))->is_dynamic)
            return true;
    return false;
}

static int is_visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* All files below the folder, in order. */
static void find_files(struct arena *a, const char *folder, text_list *out)
{
    struct dirent **all = NULL;
    int count = scandir(folder, &all, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(a, "%s/%s", folder, all[i]->d_name);
        struct stat is;
        if (!stat(path, &is) && S_ISDIR(is.st_mode))
            find_files(a, path, out);
        else
            LIST_ADD(a, out, path);
        free(all[i]);
    }
    free(all);
}

/* "torch/nn/__init__.py" is torch.nn. */
static const char *module_name(struct arena *a, const char *path, const char *ending)
{
    size_t length = strlen(path) - strlen(ending);
    const char own[] = "/__init__";
    if (length > strlen(own) && !strncmp(path + length - strlen(own), own, strlen(own)))
        length -= strlen(own);
    char *name = arena_text(a, path, length);
    for (char *c = name; *c; c++)
        *c = *c == '/' ? '.' : *c;
    return name;
}

/* A model file, and its unit once it is needed. */
struct model {
    const char *file, *module;
    struct ir_unit *unit;
};
typedef LIST(struct model) model_list;

static bool lower_model(struct model *m, const struct frontend *f, void *parser, struct error *e)
{
    struct frontend_input in = {.file = m->file};
    m->unit = f->lower(parser, &in, NULL, e);
    if (m->unit)
        m->unit->module = m->module;
    return m->unit != NULL;
}

/* Those that the program can get to, and those that these can. */
static bool lower_needed(struct project *p, model_list *all, const struct frontend *f, void *parser,
                         struct error *e)
{
    struct mentions *m = mentions_new(p->arena);
    for (int i = 0; i < p->units.count; i++)
        mentions_add(m, p->units.items[i], false);
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < all->count; i++) {
            if (all->items[i].unit || !mentions_module(m, all->items[i].module))
                continue;
            if (!lower_model(&all->items[i], f, parser, e))
                return false;
            mentions_add(m, all->items[i].unit, true);
            is_more = true;
        }
    }
    return true;
}

static bool is_table_of_ops(const char *path)
{
    return !strcmp(strrchr(path, '/'), "/ops.yaml");
}

static bool add_folder(struct project *p, const struct model_folder *m, struct error *e)
{
    const char *folder = arena_printf(p->arena, "%s/%s", installed_packs(p->arena), m->name);
    const struct frontend *f = frontend_of(m->language);
    text_list files = {0};
    bool ok = true;
    find_files(p->arena, folder, &files);
    void *parser = f->open(e);
    for (int first = 1; first >= 0; first--) /* the table of ops comes before those who use it */
        for (int i = 0; i < files.count && ok; i++)
            if (path_ends_in(files.items[i], ".yaml") && is_table_of_ops(files.items[i]) == first)
                ok = packs_load(p->packs, files.items[i], e);
    model_list models = {0};
    for (int i = 0; i < files.count; i++) {
        struct model m = {.file = files.items[i]};
        if (!path_ends_in(m.file, f->units))
            continue;
        m.module = module_name(p->arena, m.file + strlen(folder) + 1, f->units);
        LIST_ADD(p->arena, &models, m);
    }
    ok = ok && parser && lower_needed(p, &models, f, parser, e);
    for (int i = 0; i < models.count; i++)
        if (models.items[i].unit)
            LIST_ADD(p->arena, &p->models, models.items[i].unit);
    if (parser)
        f->close(parser);
    return ok && parser;
}

void project_model_files(struct project *p, text_list *out)
{
    for (int k = 0; k < COUNT(folders); k++)
        find_files(p->arena,
                   arena_printf(p->arena, "%s/%s", installed_packs(p->arena), folders[k].name),
                   out);
}

bool project_add_models(struct project *p, struct error *e)
{
    bool ok = true;
    for (int k = 0; k < COUNT(folders) && ok; k++)
        ok = add_folder(p, &folders[k], e);
    return ok;
}
