/* The store by itself: records, files, units, values, and damaged files. Each test has a folder of
 * its own. */
#include "analyzer/store/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

struct scene {
    struct state_folder *state;
    struct seal secret;
    struct arena *arena;
    char folder[64];
    const char *kept; /* the store's folder */
    struct error e;
};

static const char *in(struct scene *s, const char *name)
{
    return arena_printf(s->arena, "%s/%s", s->folder, name);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* As if it had been there for long: else no run takes a file's times for its contents. */
static void age(const char *path)
{
    struct timespec long_ago[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    utimensat(AT_FDCWD, path, long_ago, 0);
}

static int setup(void **state)
{
    struct arena *a = arena_new();
    struct scene *s = arena_one(a, struct scene);
    s->arena = a;
    strcpy(s->folder, "/tmp/miscast-store-XXXXXX");
    if (!mkdtemp(s->folder))
        return -1;
    s->kept = in(s, ".miscast");
    s->secret = (struct seal){{1, 2}};
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    struct scene *s = *state;
    const char *command = arena_printf(s->arena, "rm -rf '%s'", s->folder);
    int code = system(command);
    state_close(s->state);
    arena_free(s->arena);
    return code;
}

/* The folder of one store after the other: what is open is closed with the next. */
static struct state_folder *folder_of(struct scene *s, struct error *e)
{
    bool through_link;
    state_close(s->state);
    s->state = state_open(s->kept, 0, &s->secret, &through_link, e);
    return s->state;
}

static struct store *open_store(struct scene *s, struct error *e)
{
    struct state_folder *f = folder_of(s, e);
    return f ? store_open(f, e) : NULL;
}

static bool remove_store(struct scene *s, bool *any)
{
    struct state_folder *f = folder_of(s, &s->e);
    return f && state_remove(f, any, &s->e);
}

static struct store *opened(struct scene *s)
{
    s->e = (struct error){0};
    struct store *store = open_store(s, &s->e);
    assert_string_equal(s->e.message, "");
    assert_non_null(store);
    return store;
}

static void saved(struct scene *s, struct store *store)
{
    s->e = (struct error){0};
    if (!store_save(store, &s->e))
        fail_msg("%s: %s", s->e.file, s->e.message);
    store_close(store);
}

static struct digest key_of(const char *text)
{
    return digest_bytes(text, strlen(text));
}

/* A unit of a.c and h/a.h, which could be found in h and in g. */
static void put_unit(struct scene *s, struct store *store, const char *text)
{
    struct store_unit u = {
        .key = key_of("a"), .path = in(s, "a.c"), .text = text, .length = strlen(text)};
    const char *files[] = {in(s, "a.c"), in(s, "h/a.h")};
    const char *folders[] = {s->folder, in(s, "h"), in(s, "g")};
    struct digest contents;
    for (int i = 0; i < 2; i++) {
        struct store_read r = {.path = files[i]};
        store_file(store, files[i], &r.digest);
        LIST_ADD(s->arena, &u.files, r);
    }
    for (int i = 0; i < 3; i++)
        LIST_ADD(s->arena, &u.folders, folders[i]);
    store_unit_put(store, &u, &contents);
}

static void lay_out(struct scene *s)
{
    struct timespec a_while = {.tv_nsec = 20000000};
    mkdir(in(s, "h"), 0777);
    put(in(s, "a.c"), "#include <a.h>\n");
    put(in(s, "h/a.h"), "int a;\n");
    nanosleep(&a_while, NULL); /* the folders are older than the run */
    struct store *store = opened(s);
    put_unit(s, store, "unit");
    saved(s, store);
}

static bool holds(struct scene *s)
{
    struct store *store = opened(s);
    struct digest contents;
    size_t length = 0;
    bool found = store_unit_find(store, key_of("a"), &contents);
    const char *text = found ? store_unit_text(store, s->arena, key_of("a"), &length) : NULL;
    if (found) {
        assert_int_equal(length, 4);
        assert_string_equal(text, "unit");
    }
    saved(s, store);
    return found;
}

/* ---- records -------------------------------------------------------------------------------- */

static void test_records(void **state)
{
    struct scene *s = *state;
    static const int64_t numbers[] = {0, 1, -1, 63, 64, -64, -65, INT64_MAX, INT64_MIN, 1 << 20};
    struct text t = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        record_number(&t, numbers[i]);
    record_text(&t, NULL);
    record_text(&t, "");
    record_text(&t, "text");
    record_digest(&t, key_of("d"));
    struct record_reader r = record_open(t.data, t.length);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(record_read_number(&r) == numbers[i]);
    assert_null(record_read_text(&r, s->arena));
    assert_string_equal(record_read_text(&r, s->arena), "");
    assert_string_equal(record_read_text(&r, s->arena), "text");
    assert_true(digest_same(record_read_digest(&r), key_of("d")));
    assert_true(record_ended(&r));
    /* Whatever is left out at the end is noticed. */
    for (size_t n = 0; n < t.length; n++) {
        struct record_reader cut = record_open(t.data, n);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            record_read_number(&cut);
        for (int i = 0; i < 3; i++)
            record_read_text(&cut, s->arena);
        record_read_digest(&cut);
        assert_false(record_ended(&cut));
    }
    text_free(&t);
}

/* ---- units ---------------------------------------------------------------------------------- */

static void test_unit_holds(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    assert_true(holds(s));
    assert_true(holds(s));
    put(in(s, "h/a.h"), "int a;\n"); /* written again as it was */
    assert_true(holds(s));
    age(in(s, "h/a.h"));
    assert_true(holds(s));
}

static void test_contents_change(void **state)
{
    struct scene *s = *state;
    struct stat before;
    lay_out(s);
    age(in(s, "h/a.h"));
    assert_true(holds(s));
    /* The same size and the same mtime: only the contents, and ctime, tell. */
    stat(in(s, "h/a.h"), &before);
    put(in(s, "h/a.h"), "int b;\n");
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    utimensat(AT_FDCWD, in(s, "h/a.h"), times, 0);
    assert_false(holds(s));
    put(in(s, "h/a.h"), "int a;\n");
    assert_true(holds(s));
    unlink(in(s, "h/a.h"));
    assert_false(holds(s));
}

/* A file that was left alone for long enough is not read again: then ctime alone tells. */
static void test_ctime_tells(void **state)
{
    struct scene *s = *state;
    struct timespec long_enough = {.tv_sec = 2, .tv_nsec = 100000000};
    struct stat before;
    lay_out(s);
    nanosleep(&long_enough, NULL);
    assert_true(holds(s));
    stat(in(s, "h/a.h"), &before);
    put(in(s, "h/a.h"), "int b;\n");
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    utimensat(AT_FDCWD, in(s, "h/a.h"), times, 0);
    assert_false(holds(s));
}

/* What is found before the header that was read makes another unit. */
static void test_file_appears(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    put(in(s, "h/b.h"), "");
    assert_true(holds(s)); /* nobody asked for that */
    assert_true(holds(s));
    put(in(s, "a.h"), "int other;\n");
    assert_false(holds(s));
    unlink(in(s, "a.h"));
    assert_true(holds(s));
    mkdir(in(s, "g"), 0777); /* a folder that was not there: what comes into it is not watched */
    assert_false(holds(s));
    put(in(s, "g/a.h"), "int other;\n");
    assert_false(holds(s));
    unlink(in(s, "g/a.h"));
    rmdir(in(s, "g"));
    assert_true(holds(s));
    assert_int_equal(symlink("nowhere", in(s, "g")), 0);
    assert_false(holds(s));
}

/* A name that stands for nothing yet: nothing above would tell when it does. */
static void test_link_to_nowhere(void **state)
{
    struct scene *s = *state;
    assert_int_equal(symlink("target", in(s, "g")), 0);
    lay_out(s);
    assert_true(holds(s));
    mkdir(in(s, "target"), 0777);
    assert_true(holds(s)); /* it is empty */
    put(in(s, "target/a.h"), "int other;\n");
    assert_false(holds(s));
}

/* Nobody knows whether a unit saw what came into its folders while it was read. */
static void test_folder_changes_meanwhile(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    struct store *store = opened(s);
    put(in(s, "h/a.h"), "int b;\n");
    put(in(s, "h/new.h"), "");
    put_unit(s, store, "unit");
    saved(s, store);
    assert_false(holds(s));
}

/* With a text in place of a file, by another name than it is asked for. */
static bool holds_with(struct scene *s, const char *name, const char *text)
{
    struct store *store = opened(s);
    struct digest contents, seen;
    store_overlay(store, in(s, name), key_of(text));
    bool found = store_unit_find(store, key_of("a"), &contents);
    store_file(store, in(s, arena_printf(s->arena, "h/../%s", name)), &seen);
    assert_true(digest_same(seen, key_of(text)));
    put_unit(s, store, "made of that");
    saved(s, store);
    return found;
}

/* It decides whether a unit holds, and nothing of it is kept: afterwards all is as before. */
static void test_overlay(void **state)
{
    struct scene *s = *state;
    struct digest d;
    lay_out(s);
    age(in(s, "h/a.h"));
    assert_true(holds(s));
    assert_false(holds_with(s, "h/a.h", "int b;\n"));
    assert_true(holds(s));
    assert_true(holds_with(s, "h/a.h", "int a;\n"));
    assert_true(holds(s));
    /* One that is not there would be found first. */
    assert_false(holds_with(s, "a.h", "int b;\n"));
    struct store *store = opened(s);
    assert_true(store_file(store, in(s, "h/a.h"), &d));
    assert_true(digest_same(d, key_of("int a;\n")));
    assert_false(store_file(store, in(s, "a.h"), &d));
    store_close(store);
}

static void test_units_of_one_file(void **state)
{
    struct scene *s = *state;
    struct digest contents;
    lay_out(s);
    struct store *store = opened(s);
    for (int i = 0; i < 10; i++) {
        struct store_unit u = {.key = key_of(arena_printf(s->arena, "%d", i)),
                               .path = in(s, "a.c"),
                               .text = "",
                               .length = 0};
        assert_true(store_unit_put(store, &u, &contents));
    }
    saved(s, store);
    store = opened(s);
    assert_true(store_unit_find(store, key_of("9"), &contents));
    assert_true(store_unit_find(store, key_of("6"), &contents));
    assert_false(store_unit_find(store, key_of("5"), &contents));
    store_close(store);
}

/* ---- values --------------------------------------------------------------------------------- */

static void test_values(void **state)
{
    struct scene *s = *state;
    size_t length = 0;
    struct store *store = opened(s);
    assert_null(store_get(store, s->arena, STORE_RESULT, key_of("k"), &length));
    store_put(store, STORE_RESULT, key_of("k"), "a\0b", 3);
    saved(s, store);
    store = opened(s);
    const char *data = store_get(store, s->arena, STORE_RESULT, key_of("k"), &length);
    assert_int_equal(length, 3);
    assert_memory_equal(data, "a\0b", 3);
    assert_null(store_get(store, s->arena, STORE_COMMANDS, key_of("k"), &length));
    store_close(store);
    assert_int_equal(access(in(s, ".miscast/CACHEDIR.TAG"), F_OK), 0);
    assert_int_equal(access(in(s, ".miscast/.gitignore"), F_OK), 0);
    bool any;
    put(in(s, ".miscast/seal.0123abcd"), ""); /* of a run that was ended */
    assert_true(remove_store(s, &any) && any);
    assert_int_not_equal(access(s->kept, F_OK), 0);
    assert_true(remove_store(s, &any) && !any);
}

struct counted {
    int count, first, last;
};

static void count(void *context, const char *data, size_t length)
{
    struct counted *c = context;
    char text[8] = "";
    assert_true(length > 0 && length < sizeof text);
    memcpy(text, data, length);
    int n = atoi(text);
    if (!c->count++)
        c->first = n;
    assert_true(c->count == 1 || n == c->last + 1);
    c->last = n;
}

static void test_old_runs_go(void **state)
{
    struct scene *s = *state;
    struct store *store = opened(s);
    struct counted c = {0};
    for (int i = 0; i < 600; i++) {
        const char *n = arena_printf(s->arena, "%d", i);
        store_put(store, STORE_RUN, key_of(n), n, strlen(n));
    }
    assert_true(store_save(store, &s->e));
    store_close(store);
    store = opened(s);
    store_each(store, STORE_RUN, count, &c);
    assert_int_equal(c.count, 500);
    assert_int_equal(c.first, 100);
    assert_int_equal(c.last, 599);
    store_close(store);
}

static void test_nothing_is_made_for_nothing(void **state)
{
    struct scene *s = *state;
    saved(s, opened(s));
    assert_int_not_equal(access(s->kept, F_OK), 0);
}

/* ---- files that are no good ------------------------------------------------------------------ */

static void sql(struct scene *s, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in(s, ".miscast/store.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* A run with it goes on; what it says is asked for. The next one finds all in order. */
static void run_with(struct scene *s, const char *message)
{
    struct digest contents;
    s->e = (struct error){0};
    struct store *store = open_store(s, &s->e);
    if (store && !store_unit_find(store, key_of("a"), &contents))
        put_unit(s, store, "unit");
    if (store)
        store_save(store, &s->e);
    store_close(store);
    if (!strstr(s->e.message, message))
        fail_msg("'%s' is not in '%s'", message, s->e.message);
}

static void test_damage(void **state)
{
    struct scene *s = *state;
    const char *path = in(s, ".miscast/store.db");
    lay_out(s);
    put(path, "this is no database, but it is long enough to be looked at as if it were one; "
              "the first hundred bytes of a database are its header\n");
    run_with(s, "is damaged");
    assert_true(holds(s));
    assert_int_equal(access(in(s, ".miscast/store.db.damaged"), F_OK), 0);
    put(path, "");
    run_with(s, "");
    assert_string_equal(s->e.message, ""); /* nothing is lost with it */
    assert_true(holds(s));
    struct stat st;
    stat(path, &st);
    for (off_t size = st.st_size - 4096; size > 0; size -= 4096) {
        assert_int_equal(truncate(path, size), 0);
        run_with(s, "");
        assert_true(holds(s));
    }
}

/* Bytes that changed under it are never taken for data. */
static void test_flipped_bytes(void **state)
{
    struct scene *s = *state;
    const char *path = in(s, ".miscast/store.db");
    lay_out(s);
    sql(s, "PRAGMA wal_checkpoint(TRUNCATE)");
    size_t length;
    char *whole = file_read(s->arena, path, &length, &s->e);
    for (size_t at = 0; at < length; at += 499) {
        FILE *f = fopen(path, "w");
        whole[at] ^= 0x55;
        fwrite(whole, 1, length, f);
        whole[at] ^= 0x55;
        fclose(f);
        s->e = (struct error){0};
        struct store *store = open_store(s, &s->e);
        struct digest contents;
        size_t n;
        const char *text = store && store_unit_find(store, key_of("a"), &contents)
                               ? store_unit_text(store, s->arena, key_of("a"), &n)
                               : NULL;
        if (text)
            assert_string_equal(text, "unit");
        if (store)
            store_save(store, &s->e);
        store_close(store);
        unlink(in(s, ".miscast/store.db-wal"));
        unlink(in(s, ".miscast/store.db-shm"));
    }
}

static int number(struct scene *s, const char *query)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    const char *path = arena_printf(s->arena, "%s/store.db", s->kept);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

/* Files that a unit no longer reads, and values that are old, do not stay for ever. */
static void test_growth(void **state)
{
    struct scene *s = *state;
    struct digest contents;
    char *large = calloc(1, 3 << 20);
    lay_out(s);
    for (int i = 0; i < 100; i++) {
        const char *header = in(s, arena_printf(s->arena, "h/%d.h", i));
        struct store *store = opened(s);
        struct store_unit u = {.key = key_of("b"), .path = in(s, "a.c"), .text = "", .length = 0};
        struct store_read r = {.path = header};
        put(header, "int x;");
        store_file(store, header, &r.digest);
        LIST_ADD(s->arena, &u.files, r);
        assert_true(store_unit_put(store, &u, &contents));
        store_put(store, STORE_DATABASE, key_of(header), large, i < 50 ? 3 << 20 : 100);
        saved(s, store);
    }
    free(large);
    assert_true(number(s, "SELECT count(*) FROM files") < 12);
    assert_int_equal(number(s, "SELECT count(*) FROM kept"), 16);
    assert_true(number(s, "SELECT sum(length(data)) FROM kept") < 32 << 20);
    assert_true(holds(s)); /* the other unit, which nobody touched */
}

static void test_newer(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    int version = number(s, "PRAGMA user_version");
    sql(s, "PRAGMA user_version = 1000");
    run_with(s, "newer");
    sql(s, arena_printf(s->arena, "PRAGMA user_version = %d", version));
    assert_true(holds(s));
}

static void test_older(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    sql(s, "PRAGMA user_version = 0");
    run_with(s, "");
    assert_string_equal(s->e.message, "");
    assert_true(holds(s));
}

static void test_foreign(void **state)
{
    struct scene *s = *state;
    mkdir(s->kept, 0777);
    sql(s, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    run_with(s, "holds results that you did not make");
    sql(s, "SELECT x FROM theirs"); /* it is still theirs */
    unlink(in(s, ".miscast/store.db"));
    lay_out(s);
    unlink(in(s, ".miscast/store.db"));
    sql(s, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    run_with(s, "not a miscast store"); /* in a folder that is ours */
    sql(s, "SELECT x FROM theirs");
}

static void test_unwritable(void **state)
{
    struct scene *s = *state;
    s->kept = "/proc/nowhere/.miscast";
    struct store *store = opened(s);
    store_put(store, STORE_RESULT, key_of("k"), "v", 1);
    assert_false(store_save(store, &s->e));
    assert_true(s->e.message[0]);
    store_close(store);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Another who writes is waited for as long as it is said, and what was there stays. */
static void test_locked(void **state)
{
    struct scene *s = *state;
    sqlite3 *other;
    struct store *store = opened(s);
    store_put(store, STORE_RESULT, key_of("k"), "v", 1);
    saved(s, store);
    assert_int_equal(sqlite3_open(in(s, ".miscast/store.db"), &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    store = opened(s);
    store_set_patience(store, 10);
    store_put(store, STORE_RESULT, key_of("k"), "w", 1);
    double begin = seconds();
    assert_false(store_save(store, &s->e));
    assert_true(seconds() - begin < 1.5); /* at first, it is three */
    assert_non_null(strstr(s->e.message, "locked"));
    store_close(store);
    sqlite3_close(other);
}

/* ---- seals and links ------------------------------------------------------------------------- */

/* The values that the authors of SipHash publish: of no byte, of 0, of 0 1, of 0 1 2. */
static void test_seal(void **state)
{
    (void)state;
    static const unsigned char wanted[4][16] = {{0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
                                                 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93},
                                                {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44,
                                                 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45},
                                                {0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7,
                                                 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff, 0xe4},
                                                {0x9c, 0x70, 0xb6, 0x0c, 0x52, 0x67, 0xa9, 0x4e,
                                                 0x5f, 0x33, 0xb6, 0xb0, 0x29, 0x85, 0xed, 0x51}};
    const struct seal key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
    const unsigned char bytes[] = {0, 1, 2};
    for (size_t n = 0; n < 4; n++) {
        struct digest d = seal_of(&key, bytes, n);
        for (int i = 0; i < 16; i++) {
            uint64_t half = i < 8 ? d.low : d.high;
            assert_int_equal(half >> 8 * (i % 8) & 0xff, wanted[n][i]);
        }
    }
}

/* A folder that was made with another secret. */
static void test_another_user(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    s->secret.secret[0]++;
    run_with(s, "holds results that you did not make");
    s->secret.secret[0]--;
    assert_true(holds(s));
}

/* Rows that were made for one key are not taken for another's, nor those of another folder. */
static void test_rows_that_moved(void **state)
{
    struct scene *s = *state;
    size_t length;
    struct store *store = opened(s);
    store_put(store, STORE_RESULT, key_of("k"), "good", 4);
    store_put(store, STORE_RESULT, key_of("l"), "bad", 3);
    saved(s, store);
    sql(s, "UPDATE kept SET data = (SELECT data FROM kept WHERE id = 2) WHERE id = 1");
    store = opened(s);
    assert_null(store_get(store, s->arena, STORE_RESULT, key_of("k"), &length));
    assert_non_null(store_get(store, s->arena, STORE_RESULT, key_of("l"), &length));
    store_close(store);
    sql(s, "UPDATE kept SET kind = 3 WHERE id = 2");
    store = opened(s);
    assert_null(store_get(store, s->arena, STORE_TOOL, key_of("l"), &length));
    store_close(store);
}

/* Whatever is put into the place of the folder while it is used, what is written goes to it. */
static void test_swapped(void **state)
{
    struct scene *s = *state;
    lay_out(s);
    struct store *store = opened(s);
    mkdir(in(s, "other"), 0755);
    assert_int_equal(rename(s->kept, in(s, "moved")), 0);
    assert_int_equal(symlink(in(s, "other"), s->kept), 0);
    store_put(store, STORE_RESULT, key_of("k"), "v", 1);
    saved(s, store);
    assert_int_equal(rmdir(in(s, "other")), 0); /* it is empty */
    run_with(s, "is a link, which is not followed");
    bool any;
    assert_false(remove_store(s, &any));
    assert_int_equal(unlink(s->kept), 0);
    assert_int_equal(rename(in(s, "moved"), s->kept), 0);
    size_t length;
    store = opened(s);
    assert_non_null(store_get(store, s->arena, STORE_RESULT, key_of("k"), &length));
    store_close(store);
}

/* A folder that was removed while it is used is made again. */
static void test_removed(void **state)
{
    struct scene *s = *state;
    mkdir(s->kept, 0700);
    struct store *store = opened(s);
    assert_int_equal(rmdir(s->kept), 0);
    store_put(store, STORE_RESULT, key_of("k"), "v", 1);
    saved(s, store);
    size_t length;
    store = opened(s);
    assert_non_null(store_get(store, s->arena, STORE_RESULT, key_of("k"), &length));
    store_close(store);
}

/* ---- several processes ----------------------------------------------------------------------- */

static void test_processes(void **state)
{
    enum { PROCESSES = 6, ROUNDS = 8 };
    struct scene *s = *state;
    pid_t children[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        if (children[p])
            continue;
        for (int i = 0; i < ROUNDS; i++) {
            struct error e = {0};
            struct store *store = open_store(s, &e);
            const char *name = arena_printf(s->arena, "%d.%d", p, i);
            struct digest d;
            if (!store) {
                fprintf(stderr, "process %d, round %d: %s: %s\n", p, i, e.file, e.message);
                _exit(2);
            }
            store_set_patience(store, 60000); /* the disk may be slow; nothing may be lost */
            store_file(store, "/etc/passwd", &d);
            store_put(store, STORE_COMMANDS, key_of(name), name, strlen(name));
            if (!store_save(store, &e) || e.message[0]) {
                fprintf(stderr, "process %d, round %d: %s: %s\n", p, i, e.file, e.message);
                _exit(1);
            }
            store_close(store);
        }
        _exit(0);
    }
    int failed = 0;
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        failed += waitpid(children[p], &status, 0) != children[p] || status;
    }
    assert_int_equal(failed, 0); /* after all have ended: the folder is theirs until then */
    struct store *store = opened(s);
    for (int p = 0; p < PROCESSES; p++)
        for (int i = 0; i < ROUNDS; i++) {
            size_t length;
            const char *name = arena_printf(s->arena, "%d.%d", p, i);
            assert_non_null(store_get(store, s->arena, STORE_COMMANDS, key_of(name), &length));
        }
    store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_records),
        TEST(test_unit_holds),
        TEST(test_contents_change),
        TEST(test_ctime_tells),
        TEST(test_file_appears),
        TEST(test_link_to_nowhere),
        TEST(test_folder_changes_meanwhile),
        TEST(test_overlay),
        TEST(test_units_of_one_file),
        TEST(test_values),
        TEST(test_old_runs_go),
        TEST(test_nothing_is_made_for_nothing),
        TEST(test_damage),
        TEST(test_flipped_bytes),
        TEST(test_growth),
        TEST(test_newer),
        TEST(test_older),
        TEST(test_foreign),
        TEST(test_unwritable),
        TEST(test_locked),
        TEST(test_seal),
        TEST(test_another_user),
        TEST(test_rows_that_moved),
        TEST(test_swapped),
        TEST(test_removed),
        TEST(test_processes),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
