/* The languages that are described. */
#include "analyzer/source/language.h"

#include <string.h>

static const struct language *const languages[] = {&language_c, &language_cpp, &language_ir,
                                                   &language_python};
enum { LANGUAGES = sizeof languages / sizeof *languages };

const struct language *language_named(const char *name)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (!strcmp(languages[i]->name, name))
            return languages[i];
    return NULL;
}

const struct language *language_of_file(const char *path)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (path_ends_in(path, languages[i]->suffixes))
            return languages[i];
    return languages[0];
}
