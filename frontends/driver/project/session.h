/* What a process that checks again and again keeps from check to check: libclang, the units of
 * files that are open in an editor, what was read of the others, the packs. A check without a
 * session finds the same. */
#ifndef FRONTENDS_SESSION_H
#define FRONTENDS_SESSION_H

#include "frontends/driver/project/project.h"

struct session *session_new(void);
void session_free(struct session *s);
/* Nothing that is kept of the file, by its real path, is of use any more. NULL: of no file. */
void session_forget(struct session *s, const char *path);

/* What libclang is at: it may not end. */
enum { WATCHED_MAX = 4096 };
struct session_watch {
    _Atomic int64_t since;    /* in ms; 0: at nothing */
    _Atomic int64_t computed; /* what the process had computed by then, in ms */
    _Atomic int seconds;      /* that it may take */
    char file[WATCHED_MAX];
};
/* Is told there from now on. */
void session_watch(struct session *s, struct session_watch *to);

/* NULL: it cannot be loaded, and e says why. */
void *session_parser(struct session *s, enum language_id language, struct error *e);
/* After a check: libclang lets go of what did not change for long, if there is too much. */
void session_settle(struct session *s);
/* What was made of the file, by its real path, is not needed for now. */
void session_let_go(struct session *s, const char *path);
/* A unit of a file that was asked for, which the input has then taken. */
struct ir_unit *session_lower(struct session *s, struct project *p, struct input *in,
                              struct error *e);
/* Does a step of what makes that quick, ahead of time; false: there is nothing to do. */
bool session_warm(struct session *s, struct project *p, const struct input *in);
/* A unit as it was kept with these contents; NULL: it was not read yet, or is no longer there. It
 * is the session's until it was given back as often as it was taken. */
struct ir_unit *session_take(struct session *s, struct digest key, struct digest contents);
/* Leaves a unit, which was made of what is kept, to the session; it counts as taken once. */
void session_leave(struct session *s, struct digest key, struct digest contents,
                   struct ir_unit *unit);
/* What a check found out of a program, for the next one: the last few of these are held. */
void session_note(struct session *s, int kind, struct digest key, const char *data, size_t length);
/* It is not needed any more. */
void session_unnote(struct session *s, int kind, struct digest key);
/* A copy in the arena; NULL: it is not held. */
const char *session_noted(struct session *s, struct arena *a, int kind, struct digest key,
                          size_t *length);
/* What a unit is made of, see dependencies.h: noted once it is known, so that of what differs
 * little it need not be found again. False: it is not. */
void session_note_pieces(struct session *s, const struct input *in);
bool session_pieces(struct session *s, struct arena *a, struct input *in);
void session_give_back(struct session *s, struct digest key, const struct ir_unit *unit);

/* The packs as they were loaded from these files; false: they are yet to be loaded into *packs, and
 * whether that went well is to be said. */
bool session_packs(struct session *s, const text_list *files, const text_list *own,
                   struct pack_set **packs);
void session_packs_loaded(struct session *s, bool well);

#endif
