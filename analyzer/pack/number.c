/* The constants of dtypes in the version of an API that a program is compiled with: libraries
 * number their types anew. What the field of a tensor is in the program is compared with the names
 * of the pack's dtypes. */
#include "analyzer/pack/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void packs_number_as_said(struct pack_set *s)
{
    for (int i = 0; i < s->packs.count; i++)
        for (int k = 0; k < s->packs.items[i]->dtypes.count; k++) {
            struct enum_value *v = &s->packs.items[i]->dtypes.items[k];
            v->low = v->said_low;
            v->high = v->said_high;
        }
}

/* One constant after the other: "NAME 3, …". */
struct constant_text {
    const char *name;
    int length;
    int64_t number;
};

static bool next_constant(const char **at, struct constant_text *c)
{
    const char *space = strchr(*at, ' ');
    char *end = NULL;
    if (!space)
        return false;
    *c = (struct constant_text){*at, (int)(space - *at), strtoll(space, &end, 10)};
    *at = end + strspn(end, ", ");
    return true;
}

/* How much all names have in common at their beginning: GGML_TYPE_. */
static int common_length(const char *constants)
{
    struct constant_text first, c;
    const char *at = constants;
    if (!next_constant(&at, &first))
        return 0;
    int length = first.length;
    while (next_constant(&at, &c)) {
        int same = 0;
        while (same < length && same < c.length && c.name[same] == first.name[same])
            same++;
        length = same;
    }
    return length;
}

static bool is_called(const struct constant_text *c, int common, const char *word)
{
    int length = c->length - common;
    if ((int)strlen(word) != length)
        return false;
    for (int i = 0; i < length; i++)
        if (tolower((unsigned char)c->name[common + i]) != tolower((unsigned char)word[i]))
            return false;
    return true;
}

/* None: an empty range. */
static void number(struct enum_value *v, const char *constants, int common)
{
    struct constant_text c;
    v->low = 1;
    v->high = 0;
    for (const char *at = constants; next_constant(&at, &c);)
        if (is_called(&c, common, dtype_word((enum dtype)v->word)))
            v->low = v->high = c.number;
}

/* Whether at least one is called like a dtype: otherwise the names say nothing. */
static bool names_dtypes(const struct pack *p, const char *constants, int common)
{
    struct constant_text c;
    for (const char *at = constants; next_constant(&at, &c);)
        for (int i = 0; i < p->dtypes.count; i++)
            if (is_called(&c, common, dtype_word((enum dtype)p->dtypes.items[i].word)))
                return true;
    return false;
}

void packs_number_field(struct pack_set *s, const char *record, const char *field,
                        const char *constants)
{
    const struct pack_function *asker = packs_tensor_field(s, record, field);
    int common = common_length(constants);
    if (!asker || asker->question != QUESTION_DTYPE_OF)
        return;
    for (int i = 0; i < s->packs.count; i++) {
        struct pack *p = s->packs.items[i];
        if (p != asker->pack || !names_dtypes(p, constants, common))
            continue;
        for (int k = 0; k < p->dtypes.count; k++)
            if (p->dtypes.items[k].word != DTYPE_NONE)
                number(&p->dtypes.items[k], constants, common);
    }
}
