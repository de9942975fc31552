/* Inside analyzer/pack: one entry of a pack's functions while it is read (function.c, traits.c). */
#ifndef ANALYZER_PACK_ENTRY_H
#define ANALYZER_PACK_ENTRY_H

#include "analyzer/pack/private.h"

enum { MAX_CHAIN = 8, MAX_CHECKS = 32 };

struct entry {
    struct pack_set *set;
    const struct pack *pack;
    struct error *error;
    const struct node *own;              /* the entry */
    const struct node *chain[MAX_CHAIN]; /* the entry, the template it is like, …: the first that
                                            has a key decides */
    int depth;
    struct scope scope;
    struct pack_param *params;
    int param_count;
    struct pack_function function; /* all but the names */
    struct pack_rule *rule;
    struct check checks[MAX_CHECKS];
    bool values_by_name; /* the elements of the result are what the function's name says */
};

/* The value of the key in the entry, or in the nearest template; NULL: none. */
const struct node *entry_get(const struct entry *b, const char *key);
/* Both return false after error_at; entry_text if n is no text. */
bool entry_fail(const struct entry *b, const struct node *n, const char *what);
bool entry_text(const struct entry *b, const struct node *n, const char *what);

/* What the entry is like; with `first`, the same of its variant. Whether it has a variant. */
bool entry_read_chain(struct entry *b, const struct entry *first);

/* The parameter of that name; offset: of the name in n. False after error_at. */
bool entry_find_param(struct entry *b, const struct node *n, int offset, const char *name,
                      int *out);

/* What a function is besides its checks and results. All return false after error_at. */
bool entry_read_checks(struct entry *b); /* check.c */
bool entry_read_traits(struct entry *b); /* traits.c: all of the following, too */
bool entry_read_effects(struct entry *b);
bool entry_read_autocast(struct entry *b); /* autocast.c */
bool entry_read_saves(struct entry *b);    /* saves.c */
bool entry_read_shape(struct entry *b);    /* shape.c */
bool entry_read_values(struct entry *b);   /* shape.c, too */

#endif
