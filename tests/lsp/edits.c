/* Random edits, realistic and unrealistic: words and lines are inserted, removed and moved, code is
 * broken and repaired, changes are undone; in every other file, only edits that leave most of it
 * intact, so that there is something to report. They reach the server in bursts; after some of
 * them, and at the end of a file, it must report what `miscast check` reports for the same bytes.
 *
 *     lsp_edits MISCAST INCLUDE CORPUS EDITS [SEED]
 *     lsp_edits MISCAST - FOLDER EDITS [SEED]
 *
 * CORPUS has programs with bugs, and models that have none; FOLDER has programs in Python. */
#include "tests/lsp/client.h"
#include "tests/lsp/edit_words.h"

#include <glob.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 20, UNDO_MAX = 16, EDITS_A_FILE = 100, BURST_MAX = 8 };

struct version {
    char *bytes;
    size_t length;
};

struct session {
    const char *program;
    struct client client;
    char file[128]; /* below the folder */
    char twin[300]; /* a folder where the same bytes are checked */
    struct version now, undo[UNDO_MAX];
    int undo_count;
    json_int_t version;
    uint64_t dice;
    bool is_gentle; /* edits keep the text a program */
    const struct edit_words *words;
    int edits, compared, with_findings;
};

static void fail(const struct session *s, const char *why)
{
    fprintf(stderr, "lsp_edits: %s, after %d edits, in %s\n", why, s->edits, s->file);
    exit(1);
}

static size_t roll(struct session *s, size_t n)
{
    uint64_t z = s->dice += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n ? (size_t)((z ^ z >> 31) % n) : 0;
}

/* ---- the text ---------------------------------------------------------------------------------
 */

static struct version copy_of(const struct version *v)
{
    struct version out = {malloc(v->length + 1), v->length};
    memcpy(out.bytes, v->bytes, v->length + 1);
    return out;
}

static bool is_within_character(const struct version *v, size_t at)
{
    return at < v->length && ((unsigned char)v->bytes[at] & 0xc0) == 0x80;
}

static size_t snap(const struct version *v, size_t at)
{
    while (at > 0 && is_within_character(v, at))
        at--;
    return at;
}

/* In UTF-16, which the server has to count in. */
static json_t *place_of(const struct version *v, size_t at)
{
    int line = 0, character = 0;
    for (size_t i = 0; i < at; i++) {
        unsigned char c = (unsigned char)v->bytes[i];
        if (c == '\n') {
            line++;
            character = 0;
        } else if ((c & 0xc0) != 0x80) {
            character += c >= 0xf0 ? 2 : 1;
        }
    }
    return json_pack("{s:i, s:i}", "line", line, "character", character);
}

static void push_undo(struct session *s)
{
    if (s->undo_count == UNDO_MAX) {
        free(s->undo[0].bytes);
        memmove(s->undo, s->undo + 1, sizeof *s->undo * --s->undo_count);
    }
    s->undo[s->undo_count++] = copy_of(&s->now);
}

/* ---- edits ------------------------------------------------------------------------------------
 */

static json_t *replace(struct session *s, size_t from, size_t to, const char *with, size_t length)
{
    struct version old = s->now;
    if (old.length - (to - from) + length >= TEXT_MAX)
        length = 0;
    char *text = malloc(length + 1);
    memcpy(text, with, length);
    text[length] = '\0';
    json_t *change = json_pack("{s:{s:o, s:o}, s:s#}", "range", "start", place_of(&old, from),
                               "end", place_of(&old, to), "text", text, (int)length);
    s->now.length = old.length - (to - from) + length;
    s->now.bytes = malloc(s->now.length + 1);
    memcpy(s->now.bytes, old.bytes, from);
    memcpy(s->now.bytes + from, text, length);
    memcpy(s->now.bytes + from + length, old.bytes + to, old.length - to + 1);
    free(old.bytes);
    free(text);
    return change;
}

static size_t line_start(const struct version *v, size_t at)
{
    while (at > 0 && v->bytes[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const struct version *v, size_t at)
{
    while (at < v->length && v->bytes[at] != '\n')
        at++;
    return at < v->length ? at + 1 : at;
}

/* One of a list that ends with NULL. */
static const char *pick(struct session *s, const char *const *list)
{
    size_t count = 0;
    while (list[count])
        count++;
    return list[roll(s, count)];
}

static json_t *delete_some(struct session *s)
{
    size_t from = snap(&s->now, roll(s, s->now.length + 1)), to = from + roll(s, 30);
    to = snap(&s->now, to < s->now.length ? to : s->now.length);
    return replace(s, from, to < from ? from : to, "", 0);
}

static json_t *move_line(struct session *s)
{
    size_t from = line_start(&s->now, roll(s, s->now.length + 1)), to = line_end(&s->now, from);
    size_t at = line_start(&s->now, roll(s, s->now.length + 1));
    return replace(s, at, at, s->now.bytes + from, to - from);
}

static json_t *delete_line(struct session *s)
{
    size_t from = line_start(&s->now, roll(s, s->now.length + 1));
    return replace(s, from, line_end(&s->now, from), "", 0);
}

static json_t *insert_word(struct session *s)
{
    const char *word = pick(s, s->words->words);
    size_t at = snap(&s->now, roll(s, s->now.length + 1));
    return replace(s, at, at, word, strlen(word));
}

/* What most often introduces a finding, or fixes one. */
static json_t *swap_word(struct session *s)
{
    size_t count = 0;
    while (s->words->pairs[count][0])
        count++;
    size_t first = roll(s, count), begin = roll(s, s->now.length + 1);
    for (size_t i = 0; i < count; i++) {
        const char *const *pair = s->words->pairs[(first + i) % count];
        const char *found = strstr(s->now.bytes + begin, pair[0]);
        if (!found)
            continue;
        size_t from = (size_t)(found - s->now.bytes);
        return replace(s, from, from + strlen(pair[0]), pair[1], strlen(pair[1]));
    }
    return insert_word(s);
}

/* Lines that move all that follows, and mean nothing; also before and behind all there is. */
static json_t *insert_line(struct session *s)
{
    const char *line = pick(s, s->words->lines);
    size_t which = roll(s, 8);
    size_t at = which == 0   ? 0
                : which == 1 ? s->now.length
                             : line_start(&s->now, roll(s, s->now.length + 1));
    return replace(s, at, at, line, strlen(line));
}

static bool is_idle(const struct session *s, size_t from, size_t to)
{
    const char *mark = s->words->comment;
    while (from < to && strchr(" \t\r\n", s->now.bytes[from]))
        from++;
    return from == to || !strncmp(s->now.bytes + from, mark, strlen(mark));
}

static json_t *delete_idle_line(struct session *s)
{
    size_t begin = line_start(&s->now, roll(s, s->now.length + 1));
    for (size_t from = begin, to; from < s->now.length; from = to)
        if ((to = line_end(&s->now, from)) > from && is_idle(s, from, to))
            return replace(s, from, to, "", 0);
    return insert_line(s);
}

/* Behind the end of one, at random; the length of the text: there is none. */
static size_t behind_function(struct session *s)
{
    const char *end = s->words->function_end;
    const char *found = strstr(s->now.bytes + roll(s, s->now.length + 1), end);
    return found ? (size_t)(found - s->now.bytes) + strlen(end) : s->now.length;
}

static json_t *insert_function(struct session *s)
{
    char text[256];
    size_t at = behind_function(s);
    s->words->write_function(text, sizeof text, s->edits, roll(s, 2), pick(s, s->words->bodies));
    return replace(s, at, at, text, strlen(text));
}

static json_t *delete_function(struct session *s)
{
    const char *mark = s->words->function_end;
    size_t from = behind_function(s);
    const char *end = strstr(s->now.bytes + from, mark);
    return end ? replace(s, from, (size_t)(end - s->now.bytes) + strlen(mark), "", 0)
               : insert_function(s);
}

static json_t *insert_statement(struct session *s)
{
    const char *text = pick(s, s->words->statements);
    const char *found =
        strstr(s->now.bytes + roll(s, s->now.length + 1), s->words->before_statement);
    size_t at = found ? (size_t)(found - s->now.bytes) + 1 : s->now.length;
    return found ? replace(s, at, at, text, strlen(text)) : insert_line(s);
}

static json_t *undo(struct session *s)
{
    if (!s->undo_count)
        return insert_word(s);
    struct version back = s->undo[--s->undo_count];
    json_t *change = replace(s, 0, s->now.length, back.bytes, back.length);
    free(back.bytes);
    if (roll(s, 2)) /* as the whole text */
        json_object_del(change, "range");
    return change;
}

typedef json_t *edit_function(struct session *s);

static json_t *edit(struct session *s)
{
    static edit_function *const rough[] = {
        swap_word,   swap_word,   swap_word, delete_some, delete_some, move_line,   delete_line,
        insert_word, insert_word, undo,      undo,        undo,        insert_line, undo};
    static edit_function *const gentle[] = {insert_line,
                                            insert_line,
                                            insert_line,
                                            delete_idle_line,
                                            delete_idle_line,
                                            insert_function,
                                            delete_function,
                                            insert_statement,
                                            swap_word,
                                            undo,
                                            undo,
                                            undo};
    edit_function *kind = s->is_gentle ? gentle[roll(s, sizeof gentle / sizeof *gentle)]
                                       : rough[roll(s, sizeof rough / sizeof *rough)];
    if (kind != undo)
        push_undo(s);
    s->edits++;
    return kind(s);
}

static void send(struct session *s, json_t *changes)
{
    json_t *params = document_json(&s->client, s->file);
    json_object_set_new(json_object_get(params, "textDocument"), "version",
                        json_integer(++s->version));
    json_object_set_new(params, "contentChanges", changes);
    client_notify(&s->client, "textDocument/didChange", params);
}

/* One to eight edits, in as many messages or fewer; the diagnostics after the last. */
static json_t *burst(struct session *s)
{
    for (size_t left = 1 + roll(s, BURST_MAX); left > 0;) {
        json_t *changes = json_array();
        for (size_t n = 1 + roll(s, 2); n > 0 && left > 0; n--, left--)
            json_array_append_new(changes, edit(s));
        send(s, changes);
    }
    return client_diagnostics(&s->client, s->file, s->version);
}

/* ---- the same bytes, checked ------------------------------------------------------------------
 */

static void put_bytes(const struct session *s, const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, s->file);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(s->now.bytes, 1, s->now.length, f) != s->now.length || fclose(f))
        fail(s, "a file cannot be written");
}

static json_t *check(const struct session *s)
{
    char command[1200];
    put_bytes(s, s->twin);
    snprintf(command, sizeof command,
             "cd '%s' && '%s' check --no-cache --exit-zero --format=json '%s' 2>/dev/null", s->twin,
             s->program, s->file);
    FILE *f = popen(command, "r");
    json_t *report = f ? json_loadf(f, 0, NULL) : NULL;
    pclose(f);
    return report;
}

static json_int_t line_of(const json_t *range, const char *end)
{
    return json_integer_value(json_object_get(json_object_get(range, end), "line")) + 1;
}

static bool is_range(const json_t *range, const json_t *found)
{
    return line_of(range, "start") == json_integer_value(json_object_get(found, "line")) &&
           line_of(range, "end") == json_integer_value(json_object_get(found, "end_line"));
}

/* The next place that is told, if it is to be one. */
static bool is_next(const json_t *related, size_t *next, const json_t *found)
{
    if (!json_object_get(found, "line"))
        return true;
    const json_t *location = json_object_get(json_array_get(related, (*next)++), "location");
    const char *uri = json_string_value(json_object_get(location, "uri"));
    const char *file = json_string_value(json_object_get(found, "file"));
    const char *name = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    return uri && name && strlen(uri) >= strlen(name) &&
           !strcmp(uri + strlen(uri) - strlen(name), name) &&
           is_range(json_object_get(location, "range"), found);
}

static bool is_same_lineage(const json_t *related, const json_t *lineage)
{
    size_t next = 0;
    for (size_t i = 0; i < json_array_size(lineage); i++) {
        const json_t *step = json_array_get(lineage, i);
        const json_t *called = json_object_get(step, "called_from");
        if (!is_next(related, &next, step) ||
            (json_is_object(called) && !is_next(related, &next, called)))
            return false;
    }
    return next == json_array_size(related);
}

static bool is_same(const json_t *told, const json_t *found)
{
    const char *own =
        json_string_value(json_object_get(json_object_get(told, "data"), "fingerprint"));
    const char *other = json_string_value(json_object_get(found, "fingerprint"));
    const char *message = json_string_value(json_object_get(told, "message"));
    const char *wanted = json_string_value(json_object_get(found, "message"));
    return own && other && !strcmp(own, other) && message && wanted &&
           !strncmp(message, wanted, strlen(wanted)) &&
           is_range(json_object_get(told, "range"), found) &&
           is_same_lineage(json_object_get(told, "relatedInformation"),
                           json_object_get(found, "lineage"));
}

static bool are_same(const struct session *s, const json_t *told, const json_t *found)
{
    size_t next = 0;
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *f = json_array_get(found, i);
        const char *file = json_string_value(json_object_get(f, "file"));
        if (!file || strcmp(file, s->file) != 0)
            continue; /* of a header: told there */
        if (next >= json_array_size(told) || !is_same(json_array_get(told, next++), f))
            return false;
    }
    return next == json_array_size(told);
}

static void compare(struct session *s, const json_t *told)
{
    json_t *report = check(s);
    if (!report)
        fail(s, "check says nothing");
    const json_t *found = json_object_get(report, "findings");
    if (!are_same(s, told, found)) {
        fprintf(stderr, "told:\n");
        json_dumpf(told, stderr, JSON_INDENT(1));
        fprintf(stderr, "\nfound:\n");
        json_dumpf(found, stderr, JSON_INDENT(1));
        fprintf(stderr, "\nthe text is in /%s of %s\n", s->file, s->twin);
        fail(s, "the server tells something else than check");
    }
    s->compared++;
    s->with_findings += json_array_size(told) > 0;
    json_decref(report);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void run_command(const struct session *s, const char *format, const char *a, const char *b)
{
    char command[1200];
    snprintf(command, sizeof command, format, a, b);
    if (system(command) != 0)
        fail(s, "a command failed");
}

/* The folder that the file is in, twice. */
static void lay_out(struct session *s, const char *path, const char *include)
{
    char folder[512];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    snprintf(s->file, sizeof s->file, "%s", slash + 1);
    const char *const to[] = {s->client.folder, s->twin};
    for (int i = 0; i < 2; i++) {
        char flags[900];
        if (s->words == &python_words) { /* by itself: hundreds are in one folder */
            run_command(s, "cp '%s' '%s'", path, to[i]);
            continue;
        }
        run_command(s, "cp -r '%s'/. '%s'", folder, to[i]);
        snprintf(flags, sizeof flags, "printf '%%%%s\\n' -I%s -I%s/.. >'%%s/compile_flags.txt'%%s",
                 include, folder);
        run_command(s, flags, to[i], "");
    }
}

static void read_file(struct session *s, const char *path)
{
    FILE *f = fopen(path, "r");
    s->now.bytes = calloc(1, TEXT_MAX);
    s->now.length = f ? fread(s->now.bytes, 1, TEXT_MAX / 2, f) : 0;
    if (!f)
        fail(s, "a file cannot be read");
    fclose(f);
}

/* Opened, edited, compared on the way and at the end, and closed. */
static void edit_file(struct session *s, const char *path, const char *include, int edits)
{
    int until = s->edits + edits;
    s->client = client_start(s->program);
    snprintf(s->twin, sizeof s->twin, "%s-twin", s->client.folder);
    run_command(s, "mkdir -p '%s'%s", s->twin, "");
    lay_out(s, path, include);
    read_file(s, path);
    json_decref(client_begin(
        &s->client,
        json_pack("{s:{s:{s:b}}}", "textDocument", "publishDiagnostics", "relatedInformation", 1),
        json_pack("{s:i}", "debounce", 0)));
    client_open(&s->client, s->file, s->now.bytes);
    s->version = 1;
    json_t *told = client_diagnostics(&s->client, s->file, 1);
    compare(s, told);
    while (s->edits < until) {
        json_decref(told);
        told = burst(s);
        if (roll(s, s->is_gentle ? 2 : 8) == 0)
            compare(s, told);
    }
    compare(s, told);
    json_decref(told);
    if (client_end(&s->client) != 0)
        fail(s, "the server did not end well");
    run_command(s, "rm -rf '%s'%s", s->twin, "");
    for (; s->undo_count > 0; s->undo_count--)
        free(s->undo[s->undo_count - 1].bytes);
    free(s->now.bytes);
}

/* C programs in folders of their own, or Python programs in one. */
static void find_files(struct session *s, const char *include, const char *corpus, glob_t *files)
{
    char pattern[600];
    s->words = strcmp(include, "-") != 0 ? &c_words : &python_words;
    snprintf(pattern, sizeof pattern, s->words == &c_words ? "%s/{bugs,models}/*/*.c" : "%s/*.py",
             corpus);
    if (glob(pattern, GLOB_BRACE, NULL, files) || !files->gl_pathc) {
        fprintf(stderr, "lsp_edits: there is nothing like %s\n", pattern);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    glob_t files;
    if (argc < 5) {
        fprintf(stderr, "usage: lsp_edits MISCAST INCLUDE CORPUS EDITS [SEED]\n");
        return 2;
    }
    struct session s = {.program = argv[1], .dice = argc > 5 ? strtoull(argv[5], NULL, 10) : 1};
    int wanted = atoi(argv[4]);
    find_files(&s, argv[2], argv[3], &files);
    while (s.edits < wanted) {
        int left = wanted - s.edits;
        s.is_gentle = !s.is_gentle;
        edit_file(&s, files.gl_pathv[roll(&s, files.gl_pathc)], argv[2],
                  left < EDITS_A_FILE ? left : EDITS_A_FILE);
    }
    printf("%d edits, %d times the same as check, %d times with findings\n", s.edits, s.compared,
           s.with_findings);
    globfree(&files);
    return 0;
}
