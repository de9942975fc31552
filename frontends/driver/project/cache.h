/* The cache: the commands of a database, and units, with their keys. The store (analyzer/store)
 * knows bytes; this gives them their meaning. */
#ifndef FRONTENDS_DRIVER_CACHE_H
#define FRONTENDS_DRIVER_CACHE_H

#include "frontends/driver/project/project.h"

#include "analyzer/store/store.h"

struct project_cache {
    struct store *store;
    struct text tools[LANGUAGE_COUNT]; /* the library of each parser; empty: none is needed */
    struct digest world; /* this program, those libraries, the current folder, the environment */
    struct map *quiet;   /* contents of files without suppressing comments; NULL: not read */
    bool is_quiet_new;   /* there are more of them than the store has */
    bool closed;         /* a library is not the expected one: nothing is stored */
};

/* The folder: --cache-dir, else .miscast next to the database, else at the root. If that cannot be
 * written, is behind a symbolic link, or belongs to another user, which is reported on stderr, one
 * in the user's cache ($XDG_CACHE_HOME, else ~/.cache). NULL: there is none, which was reported. It
 * is owned by the project. */
struct state_folder *cache_folder(struct project *p);
/* The candidates, with the length of the prefix that may contain symbolic links. */
enum { CACHE_PLACES = 2 };
struct cache_place {
    const char *path;
    size_t trusted;
};
int cache_places(struct project *p, struct cache_place places[CACHE_PLACES]);
/* The user's key, unless it is in the repository, where anybody could have put it. */
bool cache_key_read(struct project *p, struct seal *out, struct error *e);
/* On stderr, if there is an error. */
void cache_say(const struct error *e);
/* What programs under verification must not see: those folders, and the key. The last is NULL. */
const char *const *cache_hidden(struct project *p);
/* Once the database is found. False: libclang, whose path is part of all keys, cannot be loaded. A
 * store that cannot be used is reported on stderr, and the project does without. */
bool cache_open(struct project *p, struct error *e);
/* Saves what is new. */
void cache_close(struct project *p);
/* After a parser was loaded that is a library. */
void cache_check_parser(struct project *p, enum language_id language);

/* All commands of the database. False: e says why there are none. */
bool cache_all_commands(struct project *p, struct compile **all, int *count, struct error *e);
/* How one file is compiled. */
bool cache_command(struct project *p, const char *file, struct compile *how, struct error *e);

/* Whether the file is known to have no suppressing comment: it was read before, and is unchanged.
 */
bool cache_is_quiet(struct project *p, const char *file);
void cache_note_quiet(struct project *p, const char *text, size_t length);
/* Caches that for the files that are checked. */
void cache_put_quiet(struct project *p);

/* Which of the inputs are cached. */
void cache_find_units(struct project *p);
/* The text of those. */
void cache_read_units(struct project *p);
/* Caches those that were lowered. */
void cache_put_units(struct project *p);
typedef LIST(struct store_read) read_list;
/* What an input was made of, whether it was parsed (with notes_reads) or cached. */
void reads_of(struct project *p, const struct input *in, read_list *out);
/* Frees that. */
void input_release(struct input *in);

#endif
