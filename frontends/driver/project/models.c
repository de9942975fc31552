/* Programs in a dynamic language: the packs that only they need, and model files, which are code
 * that stands for libraries. Those that the program needs are lowered as it is, and are not shown.
 */
#include "frontends/driver/project/project.h"

#include "frontends/driver/process/process.h"
#include "frontends/driver/project/embedded_models.h"
#include "frontends/driver/project/languages.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The languages that have such a folder next to the packs. */
static const struct model_folder {
    enum language_id language;
    const char *name, *ending; /* of its files */
} folders[] = {{LANGUAGE_PYTHON, "python", ".py"}};

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

/* ---- what is kept -----------------------------------------------------------------------------
 */

struct kept_model {
    char *file;
    struct timespec changed;
    struct ir_unit *unit;
    struct kept_model *next;
};

/* Units stay: earlier checks refer to them. */
struct model_store {
    struct kept_model *first;
};

struct model_store *model_store_new(void)
{
    struct model_store *s = calloc(1, sizeof *s);
    if (!s)
        BUG("no memory for model files");
    return s;
}

void model_store_free(struct model_store *s)
{
    while (s && s->first) {
        struct kept_model *k = s->first;
        s->first = k->next;
        ir_unit_free(k->unit);
        free(k->file);
        free(k);
    }
    free(s);
}

static struct timespec changed_at(const char *file)
{
    struct stat st = {0};
    stat(file, &st);
    return st.st_mtim;
}

static struct ir_unit *find_kept(const struct model_store *s, const char *file)
{
    struct timespec now = changed_at(file);
    for (const struct kept_model *k = s ? s->first : NULL; k; k = k->next)
        if (!strcmp(k->file, file) && k->changed.tv_sec == now.tv_sec &&
            k->changed.tv_nsec == now.tv_nsec)
            return k->unit;
    return NULL;
}

static void keep(struct model_store *s, const struct model *m)
{
    struct kept_model *k = calloc(1, sizeof *k);
    char *file = strdup(m->file);
    if (!k || !file)
        BUG("no memory for a model file");
    *k = (struct kept_model){file, changed_at(m->file), m->unit, s->first};
    s->first = k;
}

/* ---- lowering ---------------------------------------------------------------------------------
 */

static bool lower_model(struct model *m, const struct frontend *f, void *parser,
                        struct model_store *kept, struct error *e)
{
    struct frontend_input in = {.file = m->file};
    m->unit = find_kept(kept, m->file);
    if (m->unit)
        return true;
    m->unit = embedded_unit(m->file);
    if (!m->unit)
        m->unit = f->lower(parser, &in, NULL, e);
    if (!m->unit)
        return false;
    m->unit->module = arena_text(m->unit->arena, m->module, strlen(m->module));
    if (kept)
        keep(kept, m);
    return true;
}

/* Those that the program can get to, and those that these can. */
static bool lower_needed(struct project *p, model_list *all, const struct frontend *f, void *parser,
                         struct model_store *kept, struct error *e)
{
    struct mentions *m = mentions_new(p->arena);
    for (int i = 0; i < p->units.count; i++)
        mentions_add(m, p->units.items[i], false);
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < all->count; i++) {
            if (all->items[i].unit || !mentions_module(m, all->items[i].module))
                continue;
            if (!lower_model(&all->items[i], f, parser, kept, e))
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

static const char *path_of(struct project *p, const struct model_folder *m)
{
    return arena_printf(p->arena, "%s/%s", installed_packs(p->arena), m->name);
}

void project_model_packs(struct project *p, text_list *out)
{
    for (int k = 0; k < COUNT(folders); k++) {
        text_list files = {0};
        find_files(p->arena, path_of(p, &folders[k]), &files);
        for (int first = 1; first >= 0; first--) /* the table of ops is before those who use it */
            for (int i = 0; i < files.count; i++)
                if (path_ends_in(files.items[i], ".yaml") &&
                    is_table_of_ops(files.items[i]) == first)
                    LIST_ADD(p->arena, out, files.items[i]);
    }
}

static bool add_folder(struct project *p, const struct model_folder *m, struct model_store *kept,
                       struct error *e)
{
    const char *folder = path_of(p, m), *ending = m->ending;
    const struct frontend *f = frontend_of(m->language);
    text_list files = {0};
    find_files(p->arena, folder, &files);
    void *parser = f->open(e);
    model_list models = {0};
    for (int i = 0; i < files.count; i++) {
        struct model m = {.file = files.items[i]};
        if (!path_ends_in(m.file, ending))
            continue;
        m.module = module_name(p->arena, m.file + strlen(folder) + 1, ending);
        LIST_ADD(p->arena, &models, m);
    }
    bool ok = parser && lower_needed(p, &models, f, parser, kept, e);
    for (int i = 0; i < models.count; i++)
        if (models.items[i].unit)
            LIST_ADD(p->arena, &p->models, models.items[i].unit);
    if (parser)
        f->close(parser);
    return ok;
}

void project_model_files(struct project *p, text_list *out)
{
    for (int k = 0; k < COUNT(folders); k++)
        find_files(p->arena, path_of(p, &folders[k]), out);
}

bool project_add_models(struct project *p, struct model_store *kept, struct error *e)
{
    bool ok = true;
    for (int k = 0; k < COUNT(folders) && ok; k++)
        ok = add_folder(p, &folders[k], kept, e);
    return ok;
}
