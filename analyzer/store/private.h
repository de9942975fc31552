/* What the files of the store share. */
#ifndef ANALYZER_STORE_PRIVATE_H
#define ANALYZER_STORE_PRIVATE_H

#include "analyzer/store/store.h"

#include <sqlite3.h>

#define STORE_FILE "store.db"

/* Of a file or folder that is not there. */
static const struct digest digest_of_nothing = {0, 1};

/* What a row is: a kind of value, or ROW_MADE_OF or ROW_TEXT; and by which key it is found. */
struct row_name {
    int kind;
    struct digest key;
};

/* What tells whether a file was changed, without reading it. */
struct look {
    int64_t device, inode, size, mtime, ctime; /* times in ns */
    int64_t when;                              /* it was read; 0: it never was */
};

/* A file or folder that some unit depends on. */
struct known_file {
    int64_t id; /* in the database; 0: not there yet */
    const char *path;
    uint64_t hash; /* of the path */
    struct look look;
    struct digest digest;
    bool looked_at;    /* in this run: the digest is that of now */
    bool changed;      /* the row in the database is not this */
    bool overlaid;     /* the digest is not that of the file, and is never saved */
    bool is_needed;    /* by a unit that is to be kept */
    struct map *names; /* of a folder, once asked for: by hash of the name */
    struct above {     /* of a folder that is not there, once asked for; see folder_above */
        bool is_known;
        struct known_file *folder;
        uint64_t name;
    } above;
};

/* A file that is taken to contain something else. */
struct stand_in {
    const char *path;
    int64_t device, inode; /* 0: there is no such file */
    struct digest digest;
};

/* A folder of a unit: the names in it, and which of those that matter to the unit. */
struct watched {
    struct known_file *folder;
    struct digest listing;
    uint64_t has;
};

/* Names matter that the unit's files have; and, in the place of folders that are not there, those
 * by which they would begin to be. */
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

/* What a unit was made of, as the database has it; and as it had it when the unit was found. */
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
    sqlite3 *db;        /* NULL: there is no file yet, or it cannot be used */
    bool damaged;       /* what is there is no good: it is made anew */
    bool old;           /* of an older miscast, which is no good either, but needs no word */
    int64_t inode;      /* of the file, when it was opened */
    int64_t began;      /* in ns */
    int patience;       /* for others that write, in ms */
    bool files_loaded;  /* from the database */
    bool has_new_files; /* while saving: some were not there yet */
    struct map *files_by_path;
    struct known_file **files_by_id;
    int64_t highest_id;
    LIST(struct known_file *) files;
    LIST(struct stand_in) overlay;
    LIST(struct new_unit *) units;
    LIST(struct new_value) values;
    LIST(struct made_of) noted; /* units that hold, though a folder has changed */
    struct new_unit found;      /* the last that was looked for; its lists are used again */
    sqlite3_stmt *find_unit, *read_unit, *find_value;
    char *buffer; /* for reading files */
    size_t room;
};

/* inside.c */
void inside_begin(struct store *s);
void inside_end(struct store *s);
int inside_open(struct store *s, const char *name); /* a code of SQLite's */

/* open.c */
bool store_set_aside(struct store *s, struct error *e);
bool store_make(struct store *s, struct error *e); /* a file with nothing in it, and opens it */
/* A statement; NULL if the store is of no use, which is then noted. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql);
/* Whether there is a row. */
bool store_step(struct store *s, sqlite3_stmt *q);
int64_t store_now(void);

/* file.c */
void files_load(struct store *s); /* what the database knows of them */
struct known_file *known_file_of(struct store *s, const char *path); /* made if need be */
struct known_file *known_file_at(const struct store *s, int64_t id); /* NULL: none */
void known_file_look(struct store *s, struct known_file *f);
/* As it was looked at, its times will tell next time whether it changed. */
bool known_file_is_settled(const struct known_file *f);
/* Which of the names that matter are in the folder, which was looked at. False: a file's is there
 * and cannot be read, such as a link to nowhere. Nobody would see it become a file. */
#define NOTHING_HAS UINT64_C(1) /* of a folder that is not there, or has none of them */
bool folder_has(struct store *s, struct known_file *folder, const struct new_unit *u,
                const uint64_t *names, uint64_t *has);
/* Of a folder that is not there: the one above that is, which has to change before it can be, and
 * the name that would appear in it. NULL: something else is called so, or it cannot be listed. */
const struct above *folder_above(struct store *s, struct known_file *folder);
uint64_t known_file_sum(const struct store *s, const struct known_file *f);
uint64_t base_name_hash(const char *path);

/* unit.c: the files' ids must be known. */
void made_of_print(const struct new_unit *u, struct text *out);
/* The ids of all files and folders in such a record. */
struct made_of_reader {
    struct record_reader *r;
    int files, folders; /* still to come; -1: not known yet */
};
struct made_of_reader made_of_open(struct record_reader *r);
bool made_of_next(struct made_of_reader *m, int64_t *id); /* false: there are no more */

/* value.c */
/* Bytes with a seal behind them, of the folder, of what they are and of their key: half a page that
 * was never written, what another put there, and what belongs elsewhere is not taken for data. */
enum { ROW_MADE_OF = STORE_KINDS, ROW_TEXT };
void sealed_bind(struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                 const void *data, size_t length);
/* NULL: it is not whole. Valid until the statement is stepped. */
const char *sealed_column(const struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                          size_t *length);
/* The key of a row, in that column. */
struct digest key_column(sqlite3_stmt *q, int column);

#endif
