/* analyzer/store: what is kept from run to run, so that what did not change is not done again. A
 * SQLite file in a folder of its own; everything in it can be made again, so whatever is wrong with
 * it costs time and nothing else. Every row has a seal of the folder's: what was not written by
 * this user is not there.
 *
 *   record.c   fields ↔ bytes; keys
 *   open.c     the file: opened, made, set aside
 *   inside.c   SQLite, kept to an open folder
 *   file.c     files and folders: what they contain now
 *   unit.c     units: whether what they were made of is as it was
 *   value.c    whatever else is kept by a key
 *   save.c     what is new, in one short transaction at the end
 *
 * Nothing is written before store_save. Several processes may use one store at a time: readers see
 * it as it was when they began (WAL), writers wait for each other. */
#ifndef ANALYZER_STORE_H
#define ANALYZER_STORE_H

#include "analyzer/base/base.h"

/* ---- records -------------------------------------------------------------------------------- */

/* Fields one behind the other, each with its length: no two lists of fields give the same bytes. */
void record_number(struct text *to, int64_t n);
void record_bytes(struct text *to, const void *bytes, size_t n);
void record_text(struct text *to, const char *s); /* NULL is told from "" */
void record_digest(struct text *to, struct digest d);
/* Of all its bytes; the text is freed. */
struct digest record_key(struct text *t);

struct record_reader {
    const char *at, *end;
    bool failed; /* beyond the end, or not what was asked for; all further answers are 0 or NULL */
};
struct record_reader record_open(const void *bytes, size_t n); /* NULL: of none */
int64_t record_read_number(struct record_reader *r);
int record_read_int(struct record_reader *r);   /* fails beyond what an int holds */
int record_read_count(struct record_reader *r); /* of things that follow: never more than fit */
const char *record_read_text(struct record_reader *r, struct arena *a);
/* The same of a text that has to be there: fails if it is NULL, which it never returns. */
const char *record_read_word(struct record_reader *r, struct arena *a);
const char *record_read_bytes(struct record_reader *r,
                              size_t *n); /* where they are; NULL: failed */
struct digest record_read_digest(struct record_reader *r);
bool record_ended(const struct record_reader *r); /* all was read, and nothing failed */

/* ---- the store ------------------------------------------------------------------------------ */

struct store;

/* The store in the folder, which need not be there, and is used until the store is closed. NULL: it
 * cannot be used, and e says why. One that is damaged is set aside; then there is a store, and e
 * says so, too. */
struct store *store_open(struct state_folder *folder, struct error *e);
/* Others that write are not waited for for seconds, as they are at first, but for so long. */
void store_set_patience(struct store *s, int milliseconds);
/* Writes what is new. False: it could not, and e says why; what was there stays. */
bool store_save(struct store *s, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/* ---- files ---------------------------------------------------------------------------------- */

/* What the file contains now; a folder: the names in it. Each is looked at once a run. Contents are
 * read, unless device, inode, size, mtime and ctime are what they were when they were read last,
 * and mtime and ctime were then more than two seconds old: a change sets ctime, whatever a program
 * does to mtime, and one in the same tick of the clock as the reading would not be seen. False: it
 * cannot be read; the digest is then one that no contents have. */
bool store_file(struct store *s, const char *path, struct digest *d);

/* For this run the file is taken to contain that, be it there or not, by whatever name it is asked
 * for. Nothing of it is kept. Before any file is looked at. */
void store_overlay(struct store *s, const char *path, struct digest d);

/* ---- units ---------------------------------------------------------------------------------- */

/* A file that was read for a unit, and what it contained then. */
struct store_read {
    const char *path; /* absolute */
    struct digest digest;
};

typedef LIST(const char *) store_paths;

/* What a unit was made of. In the folders a file could appear that would be read instead of one
 * that was: one that is called like any of them. */
struct store_unit {
    struct digest key; /* of all else that it depends on */
    const char *path;  /* of the main file, absolute */
    LIST(struct store_read) files;
    LIST(const char *) folders; /* absolute; need not be there */
    const char *text;
    size_t length;
};

/* Whether there is a unit of that key, and all it was made of is as it was. contents: what stands
 * for that. */
bool store_unit_find(struct store *s, struct digest key, struct digest *contents);
/* The files that one which was found was made of go to the list, by their paths. */
void store_unit_files(struct store *s, struct arena *a, struct digest key, store_paths *out);
/* Of one that was found; NULL: it cannot be read after all. */
const char *store_unit_text(struct store *s, struct arena *a, struct digest key, size_t *length);
/* Is kept when the store is saved; copied. False: it is not, for its folders changed in this run,
 * and it cannot be known what it saw of them; or a file in them cannot be read, which might be, one
 * day, without a change to them; or one of its files is overlaid. */
bool store_unit_put(struct store *s, const struct store_unit *u, struct digest *contents);

/* ---- values --------------------------------------------------------------------------------- */

/* All commands of a database, those of one file, what was found, which tool is used, the runs there
 * were. */
enum store_kind {
    STORE_DATABASE,
    STORE_COMMANDS,
    STORE_RESULT,
    STORE_TOOL,
    STORE_RUN,
    STORE_LAST_RUN,
    STORE_PROGRAM,
    STORE_PARTS,
    STORE_QUIET,
    STORE_KINDS
};

/* NULL: there is none. */
const char *store_get(struct store *s, struct arena *a, enum store_kind kind, struct digest key,
                      size_t *length);
void store_put(struct store *s, enum store_kind kind, struct digest key, const void *data,
               size_t length);
/* All of a kind that were there when the store was opened, the oldest first. */
void store_each(struct store *s, enum store_kind kind,
                void (*take)(void *context, const char *data, size_t length), void *context);

#endif
