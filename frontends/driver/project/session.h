/* What a process that checks repeatedly keeps from check to check: parsers, the units of files that
 * are open in an editor, units that were read from the cache, the packs. A check without a session
 * has the same results. */
#ifndef FRONTENDS_SESSION_H
#define FRONTENDS_SESSION_H

#include "frontends/driver/project/project.h"

struct session *session_new(void);
void session_free(struct session *s);
/* Drops everything about the file, by its real path. NULL: about all files. */
void session_forget(struct session *s, const char *path);

/* What libclang is working on: it may hang. */
enum { WATCHED_MAX = 4096 };
struct session_watch {
    _Atomic int64_t since;    /* in ms; 0: idle */
    _Atomic int64_t computed; /* CPU time of the process by then, in ms */
    _Atomic int seconds;      /* time limit */
    char file[WATCHED_MAX];
};
/* From now on, activity is reported there. */
void session_watch(struct session *s, struct session_watch *to);

/* NULL: it cannot be loaded, and e says why. */
void *session_parser(struct session *s, enum language_id language, struct error *e);
/* After a check: releases the parser's memory for units that did not change recently, if there are
 * too many. */
void session_settle(struct session *s);
/* The unit of the file, by its real path, is not needed for now. */
void session_let_go(struct session *s, const char *path);
/* The unit of a file that is checked; the input has then taken it. */
struct ir_unit *session_lower(struct session *s, struct project *p, struct input *in,
                              struct error *e);
/* Does one step ahead of time that makes that fast; false: there is nothing to do. */
bool session_warm(struct session *s, struct project *p, const struct input *in);
/* A cached unit with these contents; NULL: it was not read yet, or was dropped. It stays in the
 * session until it is given back as often as it was taken. */
struct ir_unit *session_take(struct session *s, struct digest key, struct digest contents);
/* Hands a unit that was read from the cache to the session; it counts as taken once. */
void session_leave(struct session *s, struct digest key, struct digest contents,
                   struct ir_unit *unit);
/* Data of a check for the next one: the last few of these are kept. */
void session_note(struct session *s, int kind, struct digest key, const char *data, size_t length);
/* It is not needed any more. */
void session_unnote(struct session *s, int kind, struct digest key);
/* A copy in the arena; NULL: there is none. */
const char *session_noted(struct session *s, struct arena *a, int kind, struct digest key,
                          size_t *length);
/* The digests of a unit's functions, see dependencies.h: kept, so that for a unit with few changes
 * most need not be computed again. False: not known. */
void session_note_pieces(struct session *s, const struct input *in);
bool session_pieces(struct session *s, struct arena *a, struct input *in);
void session_give_back(struct session *s, struct digest key, const struct ir_unit *unit);

/* The packs that were loaded from these files; false: the caller has to load them into *packs, and
 * then calls session_packs_loaded. */
bool session_packs(struct session *s, const text_list *files, const struct request *request,
                   struct pack_set **packs);
void session_packs_loaded(struct session *s, bool well);
/* The model files that were lowered so far. */
struct model_store *session_models(struct session *s);

#endif
