/* analyzer/base: memory by lifetime, text, tables, files and errors. Everything in the analyzer is
 * built on this; it knows nothing about programs or tensors. No globals: all state is passed in.
 *
 *   arena.c        memory by lifetime; lists in it
 *   names.c        interned names
 *   map.c          maps from 64-bit keys to pointers
 *   nearest.c      the name that was probably meant
 *   error.c        errors, and bugs of our own
 *   text.c         text that grows
 *   show.c         printf for people: untrusted text is escaped
 *   shown.c        what of untrusted text may be shown
 *   json.c         text as JSON
 *   glob.c         patterns of names
 *   path.c         absolute and real paths, the root of a repository
 *   file.c         reading files
 *   notebook.c     the code of notebooks
 *   write_file.c   replacing files atomically
 *   written.c      writing files in place
 *   program.c      finding programs in PATH
 *   folder.c       a folder of cached results that this user made
 *   folder_file.c  files in it
 *   secret.c       the user's key for sealing results
 *   seal.c         seals (SipHash) */
#ifndef ANALYZER_BASE_H
#define ANALYZER_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

/* Ends the process: an invariant of our own is broken. */
#define BUG(...) base_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void base_bug(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The number of items of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- arenas: what is allocated lives until the arena is freed or rewound -------------------- */

struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *a);
void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned to 16; never NULL */
void *arena_copy(struct arena *a, const void *from, size_t size);
char *arena_text(struct arena *a, const char *text, size_t length); /* ends with NUL */
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
size_t arena_used(const struct arena *a);
/* Frees everything allocated since arena_used() returned `used`. */
void arena_rewind(struct arena *a, size_t used);
#define arena_one(a, type)      ((type *)arena_alloc(a, sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc(a, sizeof(type) * (size_t)(n)))

/* ---- growing arrays in an arena ------------------------------------------------------------ */

/* struct { T *items; int count, room; } list; LIST_ADD(arena, &list, item); */
#define LIST(T)                                                                                    \
    struct {                                                                                       \
        T *items;                                                                                  \
        int count, room;                                                                           \
    }
#define LIST_ADD(arena, list, item)                                                                \
    ((list)->count == (list)->room                                                                 \
         ? (void)((list)->items =                                                                  \
                      list_grow(arena, (list)->items, &(list)->room, sizeof *(list)->items))       \
         : (void)0,                                                                                \
     (list)->items[(list)->count++] = (item))
void *list_grow(struct arena *a, void *items, int *room, size_t size);

typedef LIST(const char *) text_list;
bool text_list_has(const text_list *l, const char *text);

/* ---- interned names: equal text is the same pointer ----------------------------------------- */

struct names;
struct names *names_new(struct arena *a);
const char *name_of(struct names *n, const char *text);
const char *name_of_range(struct names *n, const char *text, size_t length);

/* ---- names that are nearly right ------------------------------------------------------------- */

/* struct nearest n = nearest_to("matmul-dtyp"); nearest_try(&n, each name there is); n.name */
struct nearest {
    const char *wanted, *name; /* name NULL: nothing is near */
    int far;
};
struct nearest nearest_to(const char *wanted);
void nearest_try(struct nearest *n, const char *name);

/* ---- maps from 64-bit keys (pointers, hashes) to pointers ----------------------------------- */

struct map;
struct map *map_new(struct arena *a);
struct map *map_new_for(struct arena *a, int count);    /* makes room for so many keys */
void *map_get(const struct map *m, uint64_t key);       /* NULL if absent */
void map_put(struct map *m, uint64_t key, void *value); /* replaces */
int map_count(const struct map *m);

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed); /* XXH3 */
int64_t text_key(const char *text); /* a number that stands for it, as an index */

/* A hash of contents wide enough to identify them. */
struct digest {
    uint64_t low, high;
};
struct digest digest_bytes(const void *bytes, size_t n); /* XXH3, 128 bits */
static inline bool digest_same(struct digest a, struct digest b)
{
    return a.low == b.low && a.high == b.high;
}

/* A hash of three words. Each step is a bijection, so that keys that differ in one word never
 * collide. */
static inline uint64_t hash_words(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t h = (a ^ a >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    h = ((h ^ h >> 29) + b) * UINT64_C(0xbf58476d1ce4e5b9);
    h = ((h ^ h >> 32) + c) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

/* ---- text that grows, for dumps and reports ------------------------------------------------- */

struct text {
    char *data; /* ends with NUL once anything was added */
    size_t length, room;
};
void text_add(struct text *t, const char *s);
void text_add_range(struct text *t, const char *s, size_t length);
void text_add_number(struct text *t, int64_t n); /* decimal, much faster than printf */
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The bytes of the UTF-8 character at the start of a NUL-terminated text; 0: it is invalid. */
size_t utf8_letter(const char *text);
/* As a JSON string, with control characters escaped; invalid UTF-8 becomes U+FFFD. */
void text_add_json(struct text *t, const char *s);
void text_pad(struct text *out, int columns);
const char *text_end(const struct text *t); /* behind the last byte; NULL if nothing was added */
void text_free(struct text *t);

/* ---- text from outside ----------------------------------------------------------------------- */

/* Untrusted text: file names, source, messages of other programs. Whatever is shown on a terminal,
 * or written to a log that a program searches for commands, goes through one of these. */

/* The length in bytes of the character, and its code point; 0 bytes: invalid UTF-8. */
size_t letter_at(const char *c, size_t length, uint32_t *letter);
/* Whether it is shown as "?": a terminal, an editor or a parser could interpret it. */
bool letter_is_obeyed(uint32_t letter);
/* Adds one line: tabs expanded to every eighth column, unsafe characters replaced. Returns its
 * width in columns. */
int text_add_line(struct text *out, const char *line, size_t length);
int text_width(const char *text);
/* Cut to so many columns, with … where something was cut off. */
const char *text_cut(struct arena *a, const char *text, int columns);
/* As printf, with the arguments of %s added as by text_add_line. */
void text_show(struct text *out, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_show_list(struct text *out, const char *fmt, va_list list);
void print_shown(FILE *out, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- texts that stand for files: an editor's buffers, what is staged ------------------------- */

/* An absolute path without symbolic links; if the file does not exist, that of its folder. */
struct overlaid {
    const char *path, *text; /* the text ends with NUL */
    size_t length;
};
struct overlay {
    LIST(struct overlaid) files;
    bool are_files; /* even where the folder has a link by that name */
};
const struct overlaid *overlay_find(const struct overlay *o, const char *real); /* NULL: none */

/* ---- errors of the world: files, flags, packs. Untouched on success. ------------------------- */

struct error {
    char file[512];   /* empty: none */
    int line, column; /* 0: none */
    char message[512];
};
/* Fills e and returns false. */
bool error_set(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool error_at(struct error *e, const char *file, int line, int column, const char *fmt, ...)
    PRINTF_LIKE(5, 6);
/* Takes "." and ".." out of an absolute path. */
void path_tidy(char *path);
/* Absolute and tidy; below the directory if it was relative (NULL: the current one). */
char *path_absolute(struct arena *a, const char *directory, const char *path);
/* The same with symbolic links followed, if the file exists. */
const char *path_resolve(struct arena *a, const char *path);
/* Whether the folder is the root of a repository (of git, hg, svn or jj); and the nearest one that
 * is, upward from a folder; NULL: there is none. */
bool path_is_repository(struct arena *a, const char *folder);
const char *path_repository(struct arena *a, const char *folder);
/* "train.py" of "src/train.py". */
const char *path_last(const char *path);
/* Whether its name ends in one of these: ".c .h". */
bool path_ends_in(const char *path, const char *endings);
/* Whether it is in the folder, at whatever depth; both are absolute. */
bool path_is_below(const char *path, const char *folder);
/* As fnmatch without flags, in time at most proportional to the product of the lengths. */
bool glob_matches(const char *pattern, const char *text);
/* Each kind has a maximum size; larger files are not read. */
enum file_kind {
    FILE_SOURCE,   /* and other files written by hand */
    FILE_SETTINGS, /* .miscast.yaml */
    FILE_PACK,
    FILE_DATABASE, /* compile_commands.json */
    FILE_RESULTS,  /* saved reports, baselines and verdicts */
    FILE_SUMMARY,  /* of a shard */
};
size_t file_most_bytes(enum file_kind kind);
/* Reads a whole file into the arena, with a NUL behind it; NULL after error_at. Folders, pipes,
 * sockets and devices are refused without blocking. */
char *file_read_kind(struct arena *a, const char *path, enum file_kind kind, size_t *length,
                     struct error *e);
char *file_read(struct arena *a, const char *path, size_t *length, struct error *e); /* a source */
/* The contents of a file, those of the overlay first, which may be NULL. NULL: e says why. */
const char *overlay_read(struct arena *a, const struct overlay *o, const char *file, size_t *length,
                         struct error *e);
/* Reads a stream, which may be a pipe, to its end; at most the size of a source file. */
char *stream_read(struct arena *a, int fd, const char *name, size_t *length, struct error *e);
/* Whether the file can be read, of whatever size; and whether it could be a source file. Errors
 * refer to it by the name. */
bool file_is_regular(const char *path, struct error *e);
bool file_is_source(const char *path, const char *name, struct error *e);
/* Replaces the file atomically. */
bool file_write(struct arena *a, const char *path, const char *text, size_t length,
                struct error *e);
/* written.c: files that the user names for output are written in place. An existing file keeps its
 * contents until the first write; a pipe without a reader is an error. -1 after error_at. */
int written_open(const char *path, struct error *e);
bool written_put(int fd, const char *text, size_t length);
bool written_close(int fd, bool ok); /* ok: what came before; errno says what failed */
bool written_whole(const char *path, const char *text, size_t length, struct error *e);
/* Whether there is no link between the folder and the file below it: the user named the folder, but
 * its contents may have come with the code. */
bool written_below(const char *folder, const char *path, struct error *e);
/* The absolute folders of PATH: "." would be the project that is checked, which is not trusted. */
const char *program_path(struct arena *a);
/* The program of that name in them; NULL: none. */
const char *program_find(struct arena *a, const char *name);
struct program_start {
    const char *program; /* its path */
    const char *const *words, *const *variables;
    int streams[3];   /* open files; -1: /dev/null */
    size_t memory;    /* bytes that it may allocate; 0: no limit */
    unsigned seconds; /* of CPU time; 0: no limit */
};
/* It is killed when the calling thread ends. */
bool program_start(const struct program_start *s, pid_t *pid);

/* ---- notebooks ------------------------------------------------------------------------------- */

/* By its name. */
bool is_notebook(const char *path);
/* The code of its cells, as one program; *length: of the JSON, and then of that. NULL: e says why.
 */
const char *notebook_code(struct arena *a, const char *path, const char *json, size_t *length,
                          struct error *e);
/* The number of the cell that begins with this line of the code; 0: none does. */
int notebook_cell(const char *line, size_t length);

/* ---- what is kept from run to run, and by whom ---------------------------------------------- */

/* A secret key, and the seal of some bytes, which cannot be forged without it. */
struct seal {
    uint64_t secret[2];
};
struct digest seal_of(const struct seal *key, const void *bytes, size_t n);

/* The user's key, in secret_folder()/key; created if needed. False: there is none, so nothing can
 * be cached; e says why. */
bool secret_read(struct arena *a, struct seal *out, struct error *e);
/* $XDG_STATE_HOME/miscast or ~/.local/state/miscast; NULL: neither is known. */
const char *secret_folder(struct arena *a);

/* A folder of cached results. */
struct state_folder {
    struct arena *arena;
    const char *path;   /* as shown in messages */
    const char *name;   /* in its parent folder */
    int parent, fd;     /* the parent and the folder itself; -1: it does not exist */
    struct seal secret; /* the user's key */
    struct seal seal;   /* the folder's own key, derived from the user's: seals everything in it */
    bool is_sealed;     /* this user made it; otherwise nothing in it is trusted */
    bool leads_through_link; /* it cannot be used */
};
/* Opens the folder, which need not exist. Symbolic links are followed only in the first `trusted`
 * bytes of the path. NULL: it cannot be used, or belongs to another user; e says why.
 * through_link: it lies behind a symbolic link. */
struct state_folder *state_open(const char *path, size_t trusted, const struct seal *secret,
                                bool *through_link, struct error *e);
void state_close(struct state_folder *f); /* NULL is fine */
bool state_is_writable(const struct state_folder *f);
/* Creates it if it does not exist, with its seal and the files that keep it out of backups and
 * repositories. */
bool state_make(struct state_folder *f, struct error *e);
/* Removes the results in it, and the folder if it is then empty. any: something was removed. */
bool state_remove(struct state_folder *f, bool *any, struct error *e);

/* Whether it is a regular file with a single name, or does not exist: another process may remove it
 * at any time. */
bool state_is_plain(const struct state_folder *f, const char *name);
/* NULL: there is no such file, or it is not a regular one. */
char *state_read(const struct state_folder *f, struct arena *a, const char *name, size_t *length);
/* Replaces the file atomically. first: keeps one that already exists. */
bool state_write(const struct state_folder *f, const char *name, const char *text, size_t length,
                 bool first, struct error *e);
/* Creates a new file next to that one, open for writing; -1: it failed, see errno. */
int state_create(const struct state_folder *f, const char *name, char *made, size_t room);

#endif
