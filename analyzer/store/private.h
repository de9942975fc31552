/* Shared by the files of the store. */
#ifndef ANALYZER_STORE_PRIVATE_H
#define ANALYZER_STORE_PRIVATE_H

#include "analyzer/store/store.h"

#include <sqlite3.h>

#define STORE_FILE "store.db"

/* The digest of a file or folder that does not exist. */
static const struct digest digest_of_nothing = {0, 1};

/* Identifies a row: a kind of value, or ROW_MADE_OF or ROW_TEXT, and its key. */
struct row_name {
    int kind;
    struct digest key;
};

/* Shows whether a file was modified, without reading it. */
struct look {
    int64_t device, inode, size, mtime, ctime; /* times in ns */
    int64_t when;                              /* when it was read; 0: never */
};

/* A file or folder that a unit depends on. */
struct known_file {
    int64_t id; /* in the database; 0: none yet */
    const char *path;
    uint64_t hash; /* of the path */
    struct look look;
    struct digest digest;
    bool looked_at;    /* in this run: the digest is current */
    bool changed;      /* differs from the row in the database */
    bool overlaid;     /* the digest is not that of the file on disk, and is never saved */
    bool is_needed;    /* by a unit that will be saved */
    struct map *names; /* of a folder, when first needed: by hash of the name */
    struct above {     /* of a folder that does not exist, when first needed; see folder_above */
        bool is_known;
        struct known_file *folder;
        uint64_t name;
    } above;
};

/* A file whose contents are replaced for this run. */
struct stand_in {
    const char *path;
    int64_t device, inode; /* 0: there is no such file */
    struct digest digest;
};

/* A folder that a unit depends on, and which of the relevant names are in it. */
struct watched {
    struct known_file *folder;
    struct digest listing;
    uint64_t has;
};

/* Relevant are the names of the unit's files, and the first names of folders that do not exist. */
struct new_unit {
    struct digest key;
    const char *path;
    LIST(struct known_file *) files;
    LIST(uint64_t) names; /* of folders, hashed */
    LIST(struct watched) folders;
    struct digest contents;
    const char *text;
    size_t length;
};

/* The inputs of a unit as stored in the database, now and when the unit was found. */
struct made_of {
    struct digest key;
    const char *data, *before;
    size_t length, length_before;
};

struct new_value {
    enum store_kind kind;
    struct digest key;
    const char *data;
    size_t length;
};

struct store {
    struct arena *arena;
    struct state_folder *folder;
    const char *path;   /* for people */
    sqlite3_vfs vfs;    /* files are opened from the open folder */
    sqlite3 *db;        /* NULL: it does not exist yet, or cannot be used */
    bool damaged;       /* the existing file is unusable and will be replaced */
    bool old;           /* the same, written by an older miscast: replaced silently */
    int64_t inode;      /* of the file, when it was opened */
    int64_t began;      /* in ns */
    int patience;       /* for other writers, in ms */
    bool files_loaded;  /* from the database */
    bool has_new_files; /* while saving: some were new */
    struct map *files_by_path;
    struct known_file **files_by_id;
    int64_t highest_id;
    LIST(struct known_file *) files;
    LIST(struct stand_in) overlay;
    LIST(struct new_unit *) units;
    LIST(struct new_value) values;
    LIST(struct made_of) noted; /* units that are still valid though a folder has changed */
    struct new_unit found;      /* the last lookup; its lists are reused */
    sqlite3_stmt *find_unit, *read_unit, *find_value;
    char *buffer; /* for reading files */
    size_t room;
};

/* inside.c */
void inside_begin(struct store *s);
void inside_end(struct store *s);
int inside_open(struct store *s, const char *name); /* an SQLite result code */

/* open.c */
bool store_set_aside(struct store *s, struct error *e);
bool store_make(struct store *s, struct error *e); /* creates an empty file and opens it */
/* Prepares a statement; NULL: the store is unusable, which is recorded. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql);
/* Whether there is a row. */
bool store_step(struct store *s, sqlite3_stmt *q);
int64_t store_now(void);

/* file.c */
void files_load(struct store *s);                                    /* as stored in the database */
struct known_file *known_file_of(struct store *s, const char *path); /* created if needed */
struct known_file *known_file_at(const struct store *s, int64_t id); /* NULL: none */
/* When it was looked at in this run; false also if it was not. */
bool known_file_was_there(const struct store *s, const char *path);
void known_file_look(struct store *s, struct known_file *f);
/* Whether its times will show in the next run that it changed. */
bool known_file_is_settled(const struct known_file *f);
/* Which of the relevant names are in the folder, which has been read. False: one of a file is there
 * but cannot be read, such as a dangling link: its becoming a file would go unnoticed. */
#define NOTHING_HAS UINT64_C(1) /* of a folder that does not exist, or has none of them */
bool folder_has(struct store *s, struct known_file *folder, const struct new_unit *u,
                const uint64_t *names, uint64_t *has);
/* For a folder that does not exist: the nearest existing folder above, and the name that would have
 * to appear in it. NULL: something else has that name, or it cannot be listed. */
const struct above *folder_above(struct store *s, struct known_file *folder);
uint64_t known_file_sum(const struct store *s, const struct known_file *f);
uint64_t base_name_hash(const char *path);

/* unit.c: the files' ids must be known. */
void made_of_print(const struct new_unit *u, struct text *out);
/* The ids of all files and folders in such a record. */
struct made_of_reader {
    struct record_reader *r;
    int files, folders; /* remaining; -1: not known yet */
};
struct made_of_reader made_of_open(struct record_reader *r);
bool made_of_next(struct made_of_reader *m, int64_t *id); /* false: there are no more */

/* value.c */
/* Bytes followed by a seal of the folder, the kind of row and its key: incomplete pages, rows
 * written by somebody else and rows that belong elsewhere are not mistaken for data. */
enum { ROW_MADE_OF = STORE_KINDS, ROW_TEXT };
void sealed_bind(struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                 const void *data, size_t length);
/* NULL: the seal does not match. Valid until the statement is stepped. */
const char *sealed_column(const struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                          size_t *length);
/* The key of a row, in that column. */
struct digest key_column(sqlite3_stmt *q, int column);

#endif
