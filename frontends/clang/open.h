/* A unit that stays open, as open.c and piece.c share it. */
#ifndef FRONTENDS_CLANG_OPEN_H
#define FRONTENDS_CLANG_OPEN_H

#include "frontends/clang/lower.h"

#include <sys/stat.h>

/* A file that was read, as it was. */
struct dependency {
    const char *path; /* absolute */
    bool overlaid, there;
    struct digest text; /* if it is overlaid */
    struct stat seen;   /* if not */
};

typedef LIST(const char *) name_list;
typedef LIST(struct ir_move) move_list;

/* The text that was lowered last as a whole, and what is known of its functions. What changed since
 * in comments and blanks is in the text, and in the moves. */
struct whole {
    struct arena *arena; /* NULL: there is none */
    char *text;          /* on its own, as it is replaced */
    size_t length;
    move_list moves; /* of what was lowered to where it is in the text */
    bool is_asked;   /* whether it can be moved: */
    bool is_movable;
    body_list bodies;
    unsigned first_error, last_error; /* places of errors; the first is behind the last: none */
    bool *is_hopeless;      /* by body: it does not come out alone as it is in the whole */
    int focus;              /* the body that was lowered alone last; -1: none */
    name_list met, records; /* what came up then */
};

struct clang_unit {
    struct clang *c;
    struct arena *arena; /* of the parse: what it was made of */
    const char *file, *directory;
    const char *const *flags;
    int flag_count;
    CXIndex index;
    CXTranslationUnit tu;          /* NULL: it is to be parsed anew */
    struct digest beginning, text; /* of the file, when it was lowered last */
    LIST(struct dependency) files;
    struct ahead ahead;
    struct whole whole;
    bool misses, left_out_flags;
    int parses; /* since it was parsed anew; with the second, headers are precompiled */
};

/* open.c */
/* The file's text as it is now; NULL: it cannot be read. */
const char *unit_text(const struct lower *l, size_t *length);
/* Whether all files but its own are as they were. */
bool unit_has_same_files(const struct clang_unit *u, const struct lower *l);
/* Of the beginning of its text, and of all of it. */
struct digest unit_digest(const struct lower *l, struct digest *all);
/* Whether all but what stands behind its headers is as it was; all: what it contains now. */
bool unit_is_still_good(struct clang_unit *u, const struct lower *l, struct digest *all);
/* text: the file's, if it is not to be what it is; NULL. False: the unit cannot be used any more.
 */
bool unit_reparse(struct clang_unit *u, struct lower *l, const char *text, size_t length);

/* change.c */
/* A change: from there on so many bytes more, in one body, and so many lines behind one. */
struct change {
    const char *text; /* the new one */
    size_t length;
    int body;
    long more;
    struct ir_move move;
};

/* Where it is now; what stands behind the body. */
static inline unsigned change_moved(unsigned offset, const struct change *c)
{
    return (unsigned)((long)offset + c->more);
}
/* How many bytes are the same in front, and how many behind the last that differs. */
void change_compare(const struct whole *w, const struct change *c, size_t *same, size_t *rest);
/* Which body it is in, that was lowered into base. False: in none, or it may be more than that. */
bool change_find(struct whole *w, const struct ir_unit *base, struct change *c, size_t same,
                 size_t rest);
/* Asked of what was lowered, before anything is moved. */
bool whole_is_movable(struct whole *w, const struct ir_unit *base);
/* Whether something in it may be a directive. */
bool text_has_directive(const char *text, size_t length);
bool text_has_bare_return(const char *text, size_t length);
int text_lines(const char *text, size_t length);
/* From the first error to the last. */
static inline bool errors_are_within(unsigned first, unsigned last, const struct body *b)
{
    return first > last || (first > b->begin && last < b->end);
}

/* idle.c */
/* A change of comments and blanks; they end where a line begins. */
struct idle {
    size_t was_end, now_end;
};
/* same: so many bytes at the front of both texts are the same; rest: at their ends. */
bool is_idle_change(const struct whole *w, const char *text, size_t length, size_t same,
                    size_t rest, struct idle *out);

/* lines.c */
/* Whether what was lowered is the same on other lines, but for these. */
bool is_free_of_lines(const struct whole *w, const struct ir_unit *u);

/* piece.c */
/* After it was lowered as a whole. */
void whole_note(struct clang_unit *u, struct lower *l, struct arena *arena,
                const body_list *bodies);
void whole_forget(struct clang_unit *u);

#endif
