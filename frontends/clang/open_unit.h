/* A unit that stays open: what the files about it share. */
#ifndef FRONTENDS_CLANG_OPEN_H
#define FRONTENDS_CLANG_OPEN_H

#include "frontends/clang/lower.h"

#include <sys/stat.h>

/* A file that was read, and its state then. */
struct dependency {
    const char *path; /* absolute */
    bool overlaid, there;
    struct digest text; /* if overlaid */
    struct stat seen;   /* if not */
};

typedef LIST(const char *) name_list;
typedef LIST(struct ir_move) move_list;

/* The text last lowered as a whole, and what is known about its functions. Later changes to
 * comments and whitespace are in the text and in the moves. */
struct whole {
    struct arena *arena; /* NULL: there is none */
    char *text;          /* allocated on its own, as it is replaced */
    size_t length;
    move_list moves; /* from where things were lowered to where they are now */
    bool is_asked;   /* whether it can be moved is known: */
    bool is_movable;
    body_list bodies;
    unsigned first_error, last_error; /* offsets of errors; none if the first is after the last */
    bool *is_hopeless;                /* by body: lowering it alone gave another result */
    int focus;                        /* the body that was last lowered alone; -1: none */
    name_list met, records;           /* the names that came up then */
};

struct clang_unit {
    struct clang *c;
    struct arena *arena; /* of the parse: what it depends on */
    const char *file, *directory;
    const char *const *flags;
    int flag_count;
    CXIndex index;
    CXTranslationUnit tu;          /* NULL: to be parsed from scratch */
    struct digest beginning, text; /* of the file, when last lowered */
    LIST(struct dependency) files;
    struct ahead ahead;
    struct whole whole;
    bool misses, left_out_flags;
    int parses; /* since it was parsed from scratch; the second one precompiles the headers */
};

/* open_unit.c */
/* The file's current text; NULL: it cannot be read. */
const char *unit_text(const struct lower *l, size_t *length);
/* Whether all files but the main one are unchanged. */
bool unit_has_same_files(const struct clang_unit *u, const struct lower *l);
/* Digests of the beginning of its text, and of all of it. */
struct digest unit_digest(const struct lower *l, struct digest *all);
/* Whether everything up to the end of the headers is unchanged; all: its current contents. */
bool unit_is_still_good(struct clang_unit *u, const struct lower *l, struct digest *all);
/* text: replaces the file's; NULL: none. False: the unit can no longer be used. */
bool unit_reparse(struct clang_unit *u, struct lower *l, const char *text, size_t length);

/* text_change.c */
/* A change: how many bytes are added from where on, in which body, and how many lines after it. */
struct change {
    const char *text; /* the new one */
    size_t length;
    int body;
    long more;
    struct ir_move move;
};

/* Where it is now; for what follows the body. */
static inline unsigned change_moved(unsigned offset, const struct change *c)
{
    return (unsigned)((long)offset + c->more);
}
/* The number of equal bytes at the start, and at the end. */
void change_compare(const struct whole *w, const struct change *c, size_t *same, size_t *rest);
/* The body it is in, which was lowered into base. False: in none, or perhaps in more. */
bool change_find(struct whole *w, const struct ir_unit *base, struct change *c, size_t same,
                 size_t rest);
/* Called before anything is moved. */
bool whole_is_movable(struct whole *w, const struct ir_unit *base);
/* Whether the text may contain a directive. */
bool text_has_directive(const char *text, size_t length);
bool text_has_bare_return(const char *text, size_t length);
int text_lines(const char *text, size_t length);
/* From the first error to the last. */
static inline bool errors_are_within(unsigned first, unsigned last, const struct body *b)
{
    return first > last || (first > b->begin && last < b->end);
}

/* trivial_change.c */
/* A change of comments and whitespace; both ends are at the start of a line. */
struct idle {
    size_t was_end, now_end;
};
/* same: the number of equal bytes at the start of both texts; rest: at the end. */
bool is_idle_change(const struct whole *w, const char *text, size_t length, size_t same,
                    size_t rest, struct idle *out);

/* line_dependence.c */
/* Whether the unit is the same on other lines, except for these. */
bool is_free_of_lines(const struct whole *w, const struct ir_unit *u);

/* relower.c */
/* Called after the whole was lowered. */
void whole_note(struct clang_unit *u, struct lower *l, struct arena *arena,
                const body_list *bodies);
void whole_forget(struct clang_unit *u);

#endif
