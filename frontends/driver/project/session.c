/* A session, see session.h. Its memory is bounded: libclang keeps only the open units that changed
 * last, and units that were read are kept up to a number of bytes. */
#include "frontends/driver/project/session.h"
#include "frontends/driver/project/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PARSED_MAX_UNITS = 2, READ_BUCKETS = 1024, NOTES_MAX = 24 };
#define READ_MAX_BYTES ((size_t)256 << 20)

struct open_unit {
    const char *path;
    const struct frontend_editing *how;
    void *unit;          /* of the frontend */
    uint64_t used;       /* when it was last used, in steps of the session */
    struct digest made;  /* the digest of its last unit, */
    struct digest whole; /* and of the last one that was lowered completely */
    bool is_hopeless;    /* it cannot be parsed: it is not warmed up */
    struct open_unit *next;
};

struct read_unit {
    struct digest key, contents;
    struct ir_unit *unit;
    size_t bytes;
    int taken;
    bool is_old;            /* there is a newer one */
    struct read_unit *base; /* the unit that all but one function are shared with; NULL: none */
    struct digest *pieces;  /* see dependencies.h; NULL: not known yet */
    int piece_count;
    struct digest around;
    struct read_unit *next;
};

/* Packs stay loaded: earlier checks refer to them. */
struct loaded_packs {
    struct arena *arena;
    struct pack_set *packs;
    uint64_t key;
    bool well;
    struct loaded_packs *next;
};

struct noted {
    int kind; /* as in the store */
    struct digest key;
    char *data;
    size_t length;
    uint64_t used;
};

struct session {
    pthread_mutex_t lock; /* several threads lower */
    void *parsers[LANGUAGE_COUNT];
    struct open_unit *open;
    struct read_unit *read[READ_BUCKETS]; /* by key */
    size_t read_bytes;
    struct noted notes[NOTES_MAX];
    struct loaded_packs *packs;
    struct model_store *models; /* NULL: none yet */
    uint64_t now;
    struct session_watch *watch; /* NULL: nobody watches */
};

struct session *session_new(void)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s)
        BUG("no memory for a session");
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void *session_parser(struct session *s, enum language_id language, struct error *e)
{
    if (!s->parsers[language])
        s->parsers[language] = frontend_of(language)->open(e);
    return s->parsers[language];
}

void session_watch(struct session *s, struct session_watch *to)
{
    s->watch = to;
}

static int64_t clock_ms(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void watch_begin(struct session *s, const struct project *p, const char *path)
{
    if (!s->watch)
        return;
    snprintf(s->watch->file, sizeof s->watch->file, "%s", path);
    s->watch->seconds =
        p->request->limits.unit_timeout ? p->request->limits.unit_timeout : UNIT_SECONDS;
    s->watch->computed = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    s->watch->since = clock_ms(CLOCK_MONOTONIC);
}

static void watch_end(struct session *s)
{
    if (s->watch)
        s->watch->since = 0;
}

/* ---- units that are open -------------------------------------------------------------------- */

static void close_unit(struct open_unit **at)
{
    struct open_unit *o = *at;
    *at = o->next;
    o->how->close(o->unit);
    free((char *)(uintptr_t)o->path);
    free(o);
}

void session_forget(struct session *s, const char *path)
{
    for (struct open_unit **at = &s->open; *at;)
        if (!path || !strcmp((*at)->path, path))
            close_unit(at);
        else
            at = &(*at)->next;
}

static int count_parsed(const struct session *s)
{
    int count = 0;
    for (struct open_unit *o = s->open; o; o = o->next)
        count += o->how->is_parsed(o->unit);
    return count;
}

static struct open_unit *open_unit_at(const struct session *s, const char *path)
{
    struct open_unit *o = s->open;
    while (o && strcmp(o->path, path) != 0)
        o = o->next;
    return o;
}

void session_settle(struct session *s)
{
    for (int count = count_parsed(s); count > PARSED_MAX_UNITS; count--) {
        struct open_unit *oldest = NULL;
        for (struct open_unit *o = s->open; o; o = o->next)
            if (o->how->is_parsed(o->unit) && (!oldest || o->used < oldest->used))
                oldest = o;
        oldest->how->rest(oldest->unit);
    }
}

static struct open_unit *open_unit_of(struct session *s, const char *path, const struct input *in)
{
    struct open_unit *o = open_unit_at(s, path);
    struct frontend_input file = {
        .file = path, .directory = in->directory, .flags = in->flags, .flag_count = in->flag_count};
    if (o && o->how->is(o->unit, &file))
        return o;
    if (o)
        session_forget(s, path);
    o = calloc(1, sizeof *o);
    if (!o)
        BUG("no memory for a unit");
    o->path = strdup(path);
    o->how = frontend_of(in->language)->editing;
    o->unit = o->how->open(s->parsers[in->language], &file);
    o->next = s->open;
    s->open = o;
    return o;
}

/* ---- units that were read ------------------------------------------------------------------- */

static struct read_unit **bucket_of(struct session *s, struct digest key)
{
    return &s->read[key.low % READ_BUCKETS];
}

static void read_unit_free(struct session *s, struct read_unit *r)
{
    s->read_bytes -= r->bytes;
    if (r->base)
        r->base->taken--;
    ir_unit_free(r->unit);
    free(r->pieces);
    free(r);
}

/* An unused unit: there is a newer one, or there are too many. */
static bool drop_one(struct session *s, struct read_unit **bucket)
{
    for (; *bucket; bucket = &(*bucket)->next) {
        struct read_unit *r = *bucket;
        if (r->taken || (!r->is_old && s->read_bytes <= READ_MAX_BYTES))
            continue;
        *bucket = r->next;
        read_unit_free(s, r);
        return true;
    }
    return false;
}

/* Its base may then be unused, too. */
static void drop_unused(struct session *s, struct read_unit **bucket)
{
    while (drop_one(s, bucket))
        ;
}

static struct read_unit *read_unit_of(struct session *s, struct digest key, struct digest contents)
{
    for (struct read_unit *r = *bucket_of(s, key); r; r = r->next)
        if (digest_same(r->key, key) && digest_same(r->contents, contents))
            return r;
    return NULL;
}

struct ir_unit *session_take(struct session *s, struct digest key, struct digest contents)
{
    struct read_unit *found = NULL;
    for (struct read_unit *r = *bucket_of(s, key); r; r = r->next) {
        bool same = digest_same(r->key, key);
        r->is_old |= same && !digest_same(r->contents, contents);
        if (same && digest_same(r->contents, contents))
            found = r;
    }
    if (found) {
        found->taken++;
        found->is_old = false;
    }
    drop_unused(s, bucket_of(s, key));
    return found ? found->unit : NULL;
}

static struct read_unit *leave(struct session *s, struct digest key, struct digest contents,
                               struct ir_unit *unit)
{
    struct read_unit *r = calloc(1, sizeof *r);
    if (!r)
        BUG("no memory for a unit");
    *r = (struct read_unit){.key = key,
                            .contents = contents,
                            .unit = unit,
                            .bytes = arena_used(unit->arena),
                            .taken = 1,
                            .next = *bucket_of(s, key)};
    for (struct read_unit *o = *bucket_of(s, key); o; o = o->next)
        o->is_old |= digest_same(o->key, key);
    *bucket_of(s, key) = r;
    s->read_bytes += r->bytes;
    return r;
}

void session_leave(struct session *s, struct digest key, struct digest contents,
                   struct ir_unit *unit)
{
    leave(s, key, contents, unit);
}

void session_let_go(struct session *s, const char *path)
{
    struct digest key = digest_bytes(path, strlen(path));
    for (struct read_unit *r = *bucket_of(s, key); r; r = r->next)
        r->is_old |= digest_same(r->key, key);
    drop_unused(s, bucket_of(s, key));
}

void session_give_back(struct session *s, struct digest key, const struct ir_unit *unit)
{
    for (struct read_unit *r = *bucket_of(s, key); r; r = r->next)
        r->taken -= r->unit == unit;
    drop_unused(s, bucket_of(s, key));
}

/* ---- notes ---------------------------------------------------------------------------------- */

static struct noted *noted_find(struct session *s, int kind, struct digest key)
{
    for (int i = 0; i < NOTES_MAX; i++)
        if (s->notes[i].data && s->notes[i].kind == kind && digest_same(s->notes[i].key, key))
            return &s->notes[i];
    return NULL;
}

static struct noted *noted_oldest(struct session *s)
{
    struct noted *oldest = &s->notes[0];
    for (int i = 1; i < NOTES_MAX; i++)
        if (s->notes[i].used < oldest->used)
            oldest = &s->notes[i];
    return oldest;
}

void session_note(struct session *s, int kind, struct digest key, const char *data, size_t length)
{
    struct noted *n = noted_find(s, kind, key);
    n = n ? n : noted_oldest(s);
    free(n->data);
    *n = (struct noted){kind, key, malloc(length + 1), length, ++s->now};
    if (!n->data)
        BUG("no memory for a note");
    memcpy(n->data, data, length);
}

void session_unnote(struct session *s, int kind, struct digest key)
{
    struct noted *n = noted_find(s, kind, key);
    if (!n)
        return;
    free(n->data);
    *n = (struct noted){0};
}

const char *session_noted(struct session *s, struct arena *a, int kind, struct digest key,
                          size_t *length)
{
    struct noted *n = noted_find(s, kind, key);
    if (!n)
        return NULL;
    n->used = ++s->now;
    *length = n->length;
    return arena_text(a, n->data, n->length);
}

/* ---- pieces --------------------------------------------------------------------------------- */

static struct digest *copy_pieces(const struct digest *pieces, int count)
{
    struct digest *copy = malloc(sizeof *copy * (size_t)(count + 1));
    if (!copy)
        BUG("no memory for what a unit is made of");
    if (count) /* else there may be no list at all */
        memcpy(copy, pieces, sizeof *copy * (size_t)count);
    return copy;
}

void session_note_pieces(struct session *s, const struct input *in)
{
    struct read_unit *r = in->is_taken ? read_unit_of(s, in->key, in->contents) : NULL;
    if (!r || r->pieces)
        return;
    r->pieces = copy_pieces(in->pieces.items, in->pieces.count);
    r->piece_count = in->pieces.count;
    r->around = in->around;
}

bool session_pieces(struct session *s, struct arena *a, struct input *in)
{
    const struct read_unit *r = in->is_taken ? read_unit_of(s, in->key, in->contents) : NULL;
    if (!r || !r->pieces)
        return false;
    for (int i = 0; i < r->piece_count; i++)
        LIST_ADD(a, &in->pieces, r->pieces[i]);
    in->around = r->around;
    return true;
}

/* Of a unit that shares most functions with another. */
static void derive_pieces(struct read_unit *r, const bool *changed)
{
    if (!r->base->pieces)
        return;
    struct arena *a = arena_new();
    struct ir_digester *d = ir_digester_new(a, r->unit);
    r->piece_count = r->base->piece_count;
    r->pieces = copy_pieces(r->base->pieces, r->piece_count);
    for (int i = 0, piece = 0; i < r->unit->functions.count && piece < r->piece_count; i++) {
        const struct ir_function *f = r->unit->functions.items[i];
        if (f->has_body && changed[i])
            r->pieces[piece] = ir_digest_function(d, f);
        piece += f->has_body;
    }
    r->around = ir_digest_globals(d);
    arena_free(a);
}

/* ---- lowering ------------------------------------------------------------------------------- */

/* Lowers only the function that changed since the whole file was lowered; NULL: not possible. */
static struct ir_unit *lower_piece(struct session *s, struct open_unit *o, struct project *p,
                                   struct input *in)
{
    const bool *changed;
    pthread_mutex_lock(&s->lock);
    struct read_unit *base = read_unit_of(s, in->key, o->whole), *r;
    if (base)
        base->taken++;
    pthread_mutex_unlock(&s->lock);
    if (!base)
        return NULL;
    bool same_name = !strcmp(base->unit->file, in->file);
    struct ir_unit *u =
        same_name ? o->how->lower_changed(o->unit, base->unit, &p->overlay, &changed) : NULL;
    pthread_mutex_lock(&s->lock);
    if (u) {
        o->used = ++s->now;
        o->made = in->contents = (struct digest){o->used, 0};
        r = leave(s, in->key, in->contents, u);
        r->base = base; /* which stays taken */
        derive_pieces(r, changed);
    } else {
        base->taken--;
    }
    pthread_mutex_unlock(&s->lock);
    return u;
}

static struct ir_unit *lower_whole(struct session *s, struct open_unit *o, struct project *p,
                                   struct input *in, struct error *e)
{
    struct ir_unit *u = o->how->lower(o->unit, in->file, &p->overlay, e);
    if (!u)
        return NULL;
    pthread_mutex_lock(&s->lock);
    o->used = ++s->now;
    o->made = o->whole = in->contents = (struct digest){o->used, 0};
    session_leave(s, in->key, in->contents, u);
    pthread_mutex_unlock(&s->lock);
    return u;
}

/* The last unit is reused if nothing changed: several files of a program may be open, and usually
 * only one of them changes. */
struct ir_unit *session_lower(struct session *s, struct project *p, struct input *in,
                              struct error *e)
{
    pthread_mutex_lock(&s->lock);
    const char *path = project_real(p, in->file);
    struct open_unit *o = open_unit_of(s, path, in);
    in->key = digest_bytes(path, strlen(path));
    in->contents = o->made;
    pthread_mutex_unlock(&s->lock);
    bool current = o->how->is_current(o->unit, &p->overlay);
    pthread_mutex_lock(&s->lock);
    struct ir_unit *u = current ? session_take(s, in->key, in->contents) : NULL;
    pthread_mutex_unlock(&s->lock);
    watch_begin(s, p, path);
    u = u ? u : lower_piece(s, o, p, in);
    u = u ? u : lower_whole(s, o, p, in, e);
    watch_end(s);
    in->is_taken = u;
    return u;
}

bool session_warm(struct session *s, struct project *p, const struct input *in)
{
    struct error ignored = {0};
    const char *path = project_real(p, in->file);
    struct open_unit *o = open_unit_at(s, path);
    bool is_parsed = o && o->how->is_parsed(o->unit);
    if (!frontend_of(in->language)->editing || !session_parser(s, in->language, &ignored) ||
        (!is_parsed && count_parsed(s) >= PARSED_MAX_UNITS))
        return false;
    o = open_unit_of(s, path, in);
    if (o->is_hopeless || o->how->is_warm(o->unit))
        return false;
    if (!o->how->is_current(o->unit, &p->overlay))
        o->made = (struct digest){0};
    if (!digest_same(o->made, o->whole)) /* it was made of another text */
        o->whole = (struct digest){0};
    watch_begin(s, p, path);
    struct ir_unit *u = o->how->lower(o->unit, in->file, &p->overlay, &ignored);
    watch_end(s);
    o->is_hopeless = !u;
    if (u)
        ir_unit_free(u);
    return true;
}

/* ---- packs ---------------------------------------------------------------------------------- */

static uint64_t mix_files(uint64_t h, const text_list *files)
{
    for (int i = 0; i < files->count; i++) {
        struct stat st = {0};
        stat(files->items[i], &st);
        int64_t look[] = {(int64_t)st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
        h = hash_bytes(look, sizeof look, hash_bytes(files->items[i], strlen(files->items[i]), h));
    }
    return h;
}

bool session_packs(struct session *s, const text_list *files, const struct request *request,
                   struct pack_set **packs)
{
    uint64_t key = mix_files(mix_files(0, files), &request->packs);
    for (int i = 0; i < request->target.count; i++)
        key = hash_bytes(request->target.items[i], strlen(request->target.items[i]), key);
    for (struct loaded_packs *p = s->packs; p; p = p->next)
        if (p->key == key && p->well) {
            *packs = p->packs;
            return true;
        }
    struct arena *a = arena_new();
    struct loaded_packs *p = arena_one(a, struct loaded_packs);
    *p = (struct loaded_packs){.arena = a, .key = key, .next = s->packs};
    p->packs = *packs = packs_new(a, names_new(a));
    s->packs = p;
    return false;
}

void session_packs_loaded(struct session *s, bool well)
{
    struct loaded_packs *p = s->packs;
    p->well = well;
    if (well)
        return;
    s->packs = p->next;
    arena_free(p->arena);
}

struct model_store *session_models(struct session *s)
{
    s->models = s->models ? s->models : model_store_new();
    return s->models;
}

/* ---- the end -------------------------------------------------------------------------------- */

void session_free(struct session *s)
{
    while (s->packs) {
        struct loaded_packs *p = s->packs;
        s->packs = p->next;
        arena_free(p->arena);
    }
    model_store_free(s->models);
    session_forget(s, NULL);
    for (int i = 0; i < READ_BUCKETS; i++)
        while (s->read[i]) {
            struct read_unit *r = s->read[i];
            s->read[i] = r->next;
            r->base = NULL; /* which may be gone */
            read_unit_free(s, r);
        }
    for (int i = 0; i < NOTES_MAX; i++)
        free(s->notes[i].data);
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (s->parsers[i])
            frontend_of((enum language_id)i)->close(s->parsers[i]);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
