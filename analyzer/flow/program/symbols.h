/* Linking: which function a name means in a unit, who calls whom, which initialisers set which
 * globals, which functions are relevant and which are roots. Flow links units of IR with it, the
 * driver descriptions of units that it kept from a run before: both get the same program. */
#ifndef ANALYZER_FLOW_SYMBOLS_H
#define ANALYZER_FLOW_SYMBOLS_H

#include "analyzer/ir/ir.h"
#include "analyzer/pack/pack.h"

struct symbol;
typedef LIST(struct symbol *) symbol_list;
typedef LIST(uint64_t) name_ids;

/* A name as a number, the same in every run. */
uint64_t name_id(const char *name);

/* A function with a body. Whoever links embeds it in what it knows of the function. */
/* From where it is called, directly or not. */
enum symbol_mark {
    SYMBOL_REACHED = 1, /* a root or an initialiser */
    SYMBOL_OF_MAIN = 2, /* main, perhaps through a table of functions */
    SYMBOL_RUN = 4,     /* a root that is analysed, perhaps through a table */
};

struct symbol {
    uint64_t name;
    int unit;      /* its number in the program */
    int64_t order; /* in the program */
    bool is_internal;
    bool is_initialiser; /* of its unit's globals */
    bool is_start;       /* it runs before main */
    bool is_end;         /* it runs after main */
    int priority;        /* of these: lower ones are earlier at the start and later at the end */
    /* What it refers to, each once. */
    bool is_read;         /* that is known */
    bool acts;            /* it calls a function of a pack that matters */
    name_ids calls;       /* functions that are called and in no pack, or whose address is taken */
    name_ids pointed;     /* those of them that are in a pack and matter */
    name_ids packed;      /* functions of a pack that are called */
    name_ids globals;     /* that all units share */
    name_ids own_globals; /* of its unit alone */
    /* What linking found. */
    bool is_linked;
    symbol_list callees, callers; /* of an initialiser: who refers to what it sets, too */
    symbol_list setters;          /* initialisers of globals that it refers to */
    bool is_called;
    unsigned marks; /* enum symbol_mark */
    bool is_root;   /* relevant or not */
    bool reaches;   /* it calls what matters, directly or not */
    bool relevant;  /* it reaches, or is called by what does */
};

/* What is known in one unit alone. */
struct unit_symbols {
    struct map *functions; /* by name; NULL: nothing yet */
    struct map *setters;   /* symbol_list by global of its own */
};

struct symbols {
    struct arena *arena;
    symbol_list all;     /* as they were added */
    struct map *visible; /* by name */
    struct map *setters; /* symbol_list by global that all units share */
    LIST(struct unit_symbols) units;
};

/* Sets what the name alone says of a function. */
void symbol_name(struct symbol *s, const char *name);
void symbols_init(struct symbols *t, struct arena *a);

/* What a pack says of the name in a unit; NULL: nothing. What packs say of an ambient function,
 * such as the C library's read(), is not said of a unit's own of that name. */
const struct pack_function *symbol_pack(const struct pack_set *packs, const struct ir_unit *u,
                                        const char *name);
/* What the function refers to. */
void symbol_read(struct arena *a, struct symbol *s, const struct ir_unit *u,
                 const struct ir_function *f, const struct pack_set *packs);
/* Adds a symbol that stays where it is; an initialiser was read before. False: its unit has another
 * of that name. */
bool symbols_add(struct symbols *t, struct symbol *s);
/* What the name means in a unit: its own function, or else the first visible one. NULL: none. */
struct symbol *symbols_find(const struct symbols *t, int unit, uint64_t name);
/* Resolves what one of them refers to, once; all of them must have been added. */
void symbol_link(struct symbols *t, struct symbol *s);
/* Once all are linked: which are relevant, and which are roots. */
void symbols_spread(struct symbols *t);
/* Relevant, and called by nobody, or by nobody but those it calls; or where the program starts. */
bool symbol_is_root(const struct symbol *s);

#endif
