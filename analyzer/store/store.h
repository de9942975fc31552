/* analyzer/store: results cached from run to run, so that only what changed is computed again. An
 * SQLite file in a folder of its own; everything in it can be recomputed, so a damaged store costs
 * nothing but time. Every row has the folder's seal: rows not written by this user are ignored.
 *
 *   record.c   fields encoded as bytes; keys
 *   open.c     opening, creating and setting aside the file
 *   inside.c   SQLite confined to an open folder
 *   file.c     the current contents of files and folders
 *   unit.c     units: whether their inputs are unchanged
 *   value.c    other values by key
 *   save.c     saving, in one short transaction at the end
 *
 * Nothing is written before store_save. Several processes may use one store at a time: readers see
 * it as it was when they began (WAL), writers wait for each other. */
#ifndef ANALYZER_STORE_H
#define ANALYZER_STORE_H

#include "analyzer/base/base.h"

/* ---- records -------------------------------------------------------------------------------- */

/* Fields in sequence, each with its length: different lists of fields give different bytes. */
void record_number(struct text *to, int64_t n);
void record_bytes(struct text *to, const void *bytes, size_t n);
void record_text(struct text *to, const char *s); /* NULL and "" are distinct */
void record_digest(struct text *to, struct digest d);
/* The digest of all its bytes; frees the text. */
struct digest record_key(struct text *t);

struct record_reader {
    const char *at, *end;
    bool failed; /* past the end, or of another type; everything read from then on is 0 or NULL */
};
struct record_reader record_open(const void *bytes, size_t n); /* NULL: none */
int64_t record_read_number(struct record_reader *r);
int record_read_int(struct record_reader *r);   /* fails beyond what an int holds */
int record_read_count(struct record_reader *r); /* of items that follow: never more than fit */
const char *record_read_text(struct record_reader *r, struct arena *a);
/* The same for a required text: fails if it is NULL, and never returns NULL. */
const char *record_read_word(struct record_reader *r, struct arena *a);
const char *record_read_bytes(struct record_reader *r,
                              size_t *n); /* where they are; NULL: failed */
struct digest record_read_digest(struct record_reader *r);
bool record_ended(const struct record_reader *r); /* everything was read, and nothing failed */

/* ---- the store ------------------------------------------------------------------------------ */

struct store;

/* Opens the store in the folder, which need not exist and must stay open until the store is closed.
 * NULL: it cannot be used; e says why. A damaged store is set aside and replaced; e then says so as
 * well. */
struct store *store_open(struct state_folder *folder, struct error *e);
/* How long to wait for other writers; at first, several seconds. */
void store_set_patience(struct store *s, int milliseconds);
/* Writes what is new. False: it failed, e says why, and the store is unchanged. */
bool store_save(struct store *s, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/* ---- files ---------------------------------------------------------------------------------- */

/* The digest of the current contents of a file, or of the names in a folder, once per run. The
 * contents are not read again if device, inode, size, mtime and ctime are as when they were last
 * read, and mtime and ctime were then more than two seconds old: every change sets ctime, whatever
 * a program does to mtime, but one in the same clock tick as the reading would go unnoticed. False:
 * it cannot be read; the digest is then one that no contents have. */
bool store_file(struct store *s, const char *path, struct digest *d);

/* For this run the file has these contents, whether or not it exists, by whatever name. Nothing
 * about it is saved. To be called before any file is examined. */
void store_overlay(struct store *s, const char *path, struct digest d);

/* ---- units ---------------------------------------------------------------------------------- */

/* A file that was read for a unit, with its contents at that time. */
struct store_read {
    const char *path; /* absolute */
    struct digest digest;
};

typedef LIST(const char *) store_paths;

/* The inputs of a unit. In the folders a file with the name of one of them could appear that would
 * be read instead. */
struct store_unit {
    struct digest key; /* of everything else that it depends on */
    const char *path;  /* of the main file, absolute */
    LIST(struct store_read) files;
    LIST(const char *) folders; /* absolute; need not exist */
    const char *text;
    size_t length;
};

/* Whether there is a unit with that key whose inputs are unchanged. contents: their digest. */
bool store_unit_find(struct store *s, struct digest key, struct digest *contents);
/* Adds the paths of the files that a found unit was made of to the list. */
void store_unit_files(struct store *s, struct arena *a, struct digest key, store_paths *out);
/* The text of a found unit; NULL: it cannot be read after all. */
const char *store_unit_text(struct store *s, struct arena *a, struct digest key, size_t *length);
/* Adds a unit, which is copied, to be written by store_save. False: it is not added, since its
 * folders changed during this run, or contain an unreadable file that could become readable without
 * a change to the folder, or since the contents of one of its files are replaced. */
bool store_unit_put(struct store *s, const struct store_unit *u, struct digest *contents);

/* ---- values --------------------------------------------------------------------------------- */

/* All commands of a database, those of one file, findings, the parser of a
 * language, earlier runs. */
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
/* All of a kind that existed when the store was opened, the oldest first. */
void store_each(struct store *s, enum store_kind kind,
                void (*take)(void *context, const char *data, size_t length), void *context);

#endif
