/* analyzer/base: memory by lifetime, text, tables, errors of the world. Everything in the analyzer
 * stands on this; it knows nothing of programs or tensors. No globals: all state is handed in. */
#ifndef ANALYZER_BASE_H
#define ANALYZER_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

/* A broken promise of our own. */
#define BUG(...) base_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void base_bug(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Of the items of an array. */
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
/* Gives up what was allocated since arena_used() answered `used`. */
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
struct map *map_new_for(struct arena *a, int count);    /* so many are to come */
void *map_get(const struct map *m, uint64_t key);       /* NULL if absent */
void map_put(struct map *m, uint64_t key, void *value); /* replaces */
int map_count(const struct map *m);

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed); /* XXH3 */

/* What stands for contents: no two that anybody has are taken for the same. */
struct digest {
    uint64_t low, high;
};
struct digest digest_bytes(const void *bytes, size_t n); /* XXH3, 128 bits */
static inline bool digest_same(struct digest a, struct digest b)
{
    return a.low == b.low && a.high == b.high;
}

/* Of three words. Each step loses nothing of what it is given, so that keys that differ in one word
 * never meet. */
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
void text_add_number(struct text *t, int64_t n); /* decimal, and many times as fast as printf */
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Bytes of the UTF-8 letter there, in a text that ends with NUL; 0: it is none. */
size_t utf8_letter(const char *text);
/* In quotes, as JSON has it, with escapes for what a terminal would obey; what is not UTF-8 becomes
 * U+FFFD. */
void text_add_json(struct text *t, const char *s);
void text_pad(struct text *out, int columns);
const char *text_end(const struct text *t); /* behind the last byte; NULL where nothing was added */
void text_free(struct text *t);

/* ---- text from outside ----------------------------------------------------------------------- */

/* Names of files, source, what other programs say: whatever goes where it is read by people, or by
 * a program that looks for commands in it, goes through one of these. */

/* Bytes of the letter there, and its code; 0 bytes: it is no UTF-8. */
size_t letter_at(const char *c, size_t length, uint32_t *letter);
/* Whether it is shown as "?": a terminal, an editor or a parser could take it for more than text.
 */
bool letter_is_obeyed(uint32_t letter);
/* Adds a line with tabs to every eighth column and nothing that could be obeyed; the columns it
 * takes. */
int text_add_line(struct text *out, const char *line, size_t length);
int text_width(const char *text);
/* Cut to so many columns, with … where something is left out. */
const char *text_cut(struct arena *a, const char *text, int columns);
/* As printf, with what %s puts in as text_add_line does it. */
void text_show(struct text *out, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_show_list(struct text *out, const char *fmt, va_list list);
void print_shown(FILE *out, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- texts that stand for files: an editor's buffers, what is staged ------------------------- */

/* The path is absolute and real; of a file that is not there, its folder is. */
struct overlaid {
    const char *path, *text; /* the text ends with NUL */
    size_t length;
};
struct overlay {
    LIST(struct overlaid) files;
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
/* Whether its name ends in one of these: ".c .h". */
bool path_ends_in(const char *path, const char *endings);
/* As fnmatch does it without flags, in time that grows with the product of the lengths at most. */
bool glob_matches(const char *pattern, const char *text);
/* Each kind has a size beyond which it is not read. */
enum file_kind {
    FILE_SOURCE,   /* and whatever else people write by hand */
    FILE_SETTINGS, /* .miscast.yaml */
    FILE_PACK,
    FILE_DATABASE, /* compile_commands.json */
    FILE_RESULTS,  /* what reports, baselines and verdicts were saved in */
    FILE_SUMMARY,  /* of a shard */
};
size_t file_most_bytes(enum file_kind kind);
/* Whole file into the arena, with a NUL behind; NULL after error_at. Neither a folder nor a pipe, a
 * socket or a device is a file, and none of them is waited for. */
char *file_read_kind(struct arena *a, const char *path, enum file_kind kind, size_t *length,
                     struct error *e);
char *file_read(struct arena *a, const char *path, size_t *length, struct error *e); /* a source */
/* What comes to its end in the stream, which may be a pipe; no more than a source may have. */
char *stream_read(struct arena *a, int fd, const char *name, size_t *length, struct error *e);
/* Whether a file is there to be read, of whatever size; and whether it may be a source. Errors are
 * told of the name. */
bool file_is_regular(const char *path, struct error *e);
bool file_is_source(const char *path, const char *name, struct error *e);
/* The file is there whole or not at all, whoever looks. */
bool file_write(struct arena *a, const char *path, const char *text, size_t length,
                struct error *e);
/* written.c: what the user names to be written in place. A file that is there keeps its contents
 * until something is put; a pipe that nothing reads is an error. -1 after error_at. */
int written_open(const char *path, struct error *e);
bool written_put(int fd, const char *text, size_t length);
bool written_close(int fd, bool ok); /* ok: what came before; errno says what failed */
bool written_whole(const char *path, const char *text, size_t length, struct error *e);
/* Whether what leads from the folder to the file, which it begins with, is no link: the folder was
 * named by the user, and what is in it may have come with the code. */
bool written_below(const char *folder, const char *path, struct error *e);
/* PATH, of which only absolute folders are left: what "." leads to is whatever is being checked. */
const char *program_path(struct arena *a);
/* The program of that name in them; NULL: there is none. */
const char *program_find(struct arena *a, const char *name);

/* ---- what is kept from run to run, and by whom ---------------------------------------------- */

/* A secret, and what only somebody who has it can make of bytes. */
struct seal {
    uint64_t secret[2];
};
struct digest seal_of(const struct seal *key, const void *bytes, size_t n);

/* The user's, in secret_folder()/key; made if need be. False: there is none, so nothing can be
 * kept; e says why. */
bool secret_read(struct arena *a, struct seal *out, struct error *e);
/* $XDG_STATE_HOME/miscast, else ~/.local/state/miscast; NULL: neither is known. */
const char *secret_folder(struct arena *a);

/* A folder of results. */
struct state_folder {
    struct arena *arena;
    const char *path;   /* for people */
    const char *name;   /* in the one above */
    int parent, fd;     /* the folder above and it; -1: there is none */
    struct seal secret; /* the user's */
    struct seal seal;   /* the folder's, made from that: of all that is kept in it */
    bool is_sealed;     /* it is the user's; else it has nothing in it that would be believed */
    bool leads_through_link; /* so it cannot be used */
};
/* The folder, which need not be there. Links in the first bytes of the path that are trusted are
 * followed, and no others. NULL: it cannot be used, or is not this user's; e says why.
 * through_link: that is for a link on the way there. */
struct state_folder *state_open(const char *path, size_t trusted, const struct seal *secret,
                                bool *through_link, struct error *e);
void state_close(struct state_folder *f); /* NULL is fine */
bool state_is_writable(const struct state_folder *f);
/* Makes it where it is not there, with its seal and the marks that keep it out of backups and
 * repositories. */
bool state_make(struct state_folder *f, struct error *e);
/* Removes what is kept in it, and the folder if nothing else is. any: something was removed. */
bool state_remove(struct state_folder *f, bool *any, struct error *e);

/* Whether that file is there, is a plain one, and has no other name. */
bool state_is_plain(const struct state_folder *f, const char *name);
/* NULL: there is no such file, or it is not plain. */
char *state_read(const struct state_folder *f, struct arena *a, const char *name, size_t *length);
/* The file is there whole or not at all, whoever looks. first: one that is there stays. */
bool state_write(const struct state_folder *f, const char *name, const char *text, size_t length,
                 bool first, struct error *e);
/* A new file next to that one, open for writing, and its name; -1: errno says why there is none. */
int state_create(const struct state_folder *f, const char *name, char *made, size_t room);

#endif
