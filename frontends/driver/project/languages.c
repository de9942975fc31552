/* The table of languages. */
#include "frontends/driver/project/languages.h"
#include "frontends/clang/clang.h"
#include "frontends/ir/ir_frontend.h"
#include "frontends/python/python_frontend.h"

#include <string.h>

static const struct frontend *const frontends[LANGUAGE_COUNT] = {
    [LANGUAGE_C] = &clang_frontend,
    [LANGUAGE_IR] = &ir_frontend,
    [LANGUAGE_PYTHON] = &python_frontend,
};

const struct frontend *frontend_of(enum language_id language)
{
    return frontends[language];
}

enum language_id file_language(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (path_ends_in(path, frontends[i]->units))
            return (enum language_id)i;
    return LANGUAGE_C;
}

bool is_language_file(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (path_ends_in(path, frontends[i]->units) || path_ends_in(path, frontends[i]->headers) ||
            path_ends_in(path, frontends[i]->texts))
            return true;
    return false;
}

const char *language_names(struct arena *a)
{
    const char *names = frontends[0]->name;
    for (int i = 1; i < LANGUAGE_COUNT; i++)
        names = arena_printf(a, "%s%s%s", names, i + 1 < LANGUAGE_COUNT ? ", " : " or ",
                             frontends[i]->name);
    return names;
}

bool is_unit_file(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (frontends[i]->is_looked_for && path_ends_in(path, frontends[i]->units))
            return true;
    return false;
}

bool is_header_file(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (frontends[i]->is_looked_for && path_ends_in(path, frontends[i]->headers))
            return true;
    return false;
}

bool is_text_file(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (frontends[i]->is_looked_for && path_ends_in(path, frontends[i]->texts))
            return true;
    return false;
}

/* ---- what is not read ------------------------------------------------------------------------ */

struct foreign {
    const char *key, *name;
};

static const struct foreign foreign_files[] = {
#define FOREIGN(suffixes, name) {suffixes, name},
#include "frontends/driver/project/foreign.def"
#undef FOREIGN
};

static const struct foreign foreign_languages[] = {
#define FOREIGN_LANGUAGE(language, name) {language, name},
#include "frontends/driver/project/foreign.def"
#undef FOREIGN_LANGUAGE
};

bool is_foreign_file(const char *path)
{
    return foreign_name(path) != NULL;
}

/* The frontend of the file, if this program was built without what it needs. */
static const struct frontend *missing_frontend(const char *path)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (frontends[i]->missing && path_ends_in(path, frontends[i]->units))
            return frontends[i];
    return NULL;
}

const char *foreign_name(const char *path)
{
    const struct frontend *missing = missing_frontend(path);
    if (missing)
        return missing->unread_name;
    for (int i = 0; i < COUNT(foreign_files); i++)
        if (path_ends_in(path, foreign_files[i].key))
            return foreign_files[i].name;
    return NULL;
}

const char *article_of(const char *name)
{
    return strchr("AEIO", *name) ? "an" : "a";
}

const char *foreign_reason(struct arena *a, const char *path)
{
    const struct frontend *missing = missing_frontend(path);
    return missing ? arena_printf(a, ": this program was built without %s", missing->missing) : "";
}

const char *foreign_language_name(const char *language)
{
    for (int i = 0; i < COUNT(foreign_languages); i++)
        if (!strcmp(language, foreign_languages[i].key))
            return foreign_languages[i].name;
    return "file in another language";
}
