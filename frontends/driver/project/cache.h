/* What is kept from run to run, and by what it is recognised: the commands of a database, and
 * units. The store (analyzer/store) knows bytes; here is what they mean. */
#ifndef FRONTENDS_KEPT_H
#define FRONTENDS_KEPT_H

#include "frontends/driver/project/project.h"

#include "analyzer/store/store.h"

struct kept {
    struct store *store;
    struct digest world; /* this program, libclang, the current folder, the environment */
    struct map *quiet;   /* contents of files without a comment that suppresses; NULL: not read */
    bool is_quiet_new;   /* there are more of them than the store has */
    bool closed;         /* libclang is not the one it was taken for: nothing is put there */
};

/* The folder: --cache-dir, else .miscast beside the database, else at the root; where that cannot
 * be written, lies behind a link, or is not this user's, which is told on stderr, one in the user's
 * cache ($XDG_CACHE_HOME, else ~/.cache). NULL: there is none, which was told. It is the project's.
 */
struct state_folder *kept_state(struct project *p);
/* All that it can be, with as much of the path as may contain links. */
enum { KEPT_PLACES = 2 };
struct kept_place {
    const char *path;
    size_t trusted;
};
int kept_places(struct project *p, struct kept_place places[KEPT_PLACES]);
/* The user's secret, as long as it is not in the repository, where anybody could have put it. */
bool kept_secret(struct project *p, struct seal *out, struct error *e);
/* On stderr, if it says anything. */
void kept_say(const struct error *e);
/* What programs that run do not see: those folders, and where the secret is. The last is NULL. */
const char *const *kept_hidden(struct project *p);
/* Once the database is found. False: libclang, which had to be asked for its name, cannot be
 * loaded. A store that cannot be used is told on stderr, and the project goes without. */
bool kept_open(struct project *p, struct error *e);
/* Saves what is new. */
void kept_close(struct project *p);
/* After a parser was loaded that is a library. */
void kept_check_parser(struct project *p, enum language_id language);

/* All commands of the database, as database_all gives them. False: e says why there are none. */
bool kept_all(struct project *p, struct compile **all, int *count, struct error *e);
/* How one file is compiled, as database_compile says it. */
bool kept_compile(struct project *p, const char *file, struct compile *how, struct error *e);

/* Whether the file has no comment that suppresses anything: it was read before, as it is now. */
bool kept_is_quiet(struct project *p, const char *file);
void kept_note_quiet(struct project *p, const char *text, size_t length);
/* Keeps those of the files that are asked for. */
void kept_put_quiet(struct project *p);

/* Which of the inputs are kept. */
void kept_find_units(struct project *p);
/* Their text, of those that are. */
void kept_read_units(struct project *p);
/* Keeps those that were made anew. */
void kept_put_units(struct project *p);
typedef LIST(struct store_read) read_list;
/* What an input was made of, whether it was parsed (with notes_reads) or cached. */
void reads_of(struct project *p, const struct input *in, read_list *out);
/* Frees that. */
void input_forget(struct input *in);

#endif
