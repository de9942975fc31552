/* .miscast.yaml, or a section of pyproject.toml: a file comes in, struct config goes out. An
 * unknown key is an error, with its line and the nearest known key. */
#include "frontends/driver/config/config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

static const char file_name[] = ".miscast.yaml";

/* Lists may be aliased: words count each time they are used. */
enum { MOST_WORDS = 20000 };

struct reader {
    struct arena *arena;
    int words; /* so far */
    yaml_document_t document;
    const char *path;
    struct config *config;
    struct error *e;
};

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool wrong(struct reader *r, const yaml_node_t *n, const char *message)
{
    return error_at(r->e, r->path, (int)n->start_mark.line + 1, (int)n->start_mark.column + 1, "%s",
                    message);
}

static const char *text_of(struct reader *r, const yaml_node_t *n)
{
    return arena_text(r->arena, (const char *)n->data.scalar.value, n->data.scalar.length);
}

static bool read_text(struct reader *r, const yaml_node_t *n, const char **out)
{
    if (++r->words > MOST_WORDS)
        return wrong(r, n, arena_printf(r->arena, "more than %d words", MOST_WORDS));
    if (n->type != YAML_SCALAR_NODE)
        return wrong(r, n, "expected a word");
    if (memchr(n->data.scalar.value, 0, n->data.scalar.length))
        return wrong(r, n, "a word with a NUL in it");
    *out = text_of(r, n);
    return true;
}

/* A key by itself, such as one whose list is commented out. */
static bool is_nothing(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE && !n->data.scalar.length &&
           n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* A list of words, or a single one. */
static bool read_texts(struct reader *r, const yaml_node_t *n, text_list *out,
                       bool (*check)(struct reader *r, const yaml_node_t *n, const char *word))
{
    const char *word = NULL;
    if (is_nothing(n))
        return wrong(r, n, "expected a word or a list of words: an empty list is []");
    if (n->type == YAML_SCALAR_NODE) {
        if (!read_text(r, n, &word) || (check && !check(r, n, word)))
            return false;
        LIST_ADD(r->arena, out, word);
        return true;
    }
    if (n->type != YAML_SEQUENCE_NODE)
        return wrong(r, n, "expected a list of words");
    yaml_node_item_t *item = n->data.sequence.items.start;
    for (; item < n->data.sequence.items.top; item++) {
        const yaml_node_t *member = yaml_document_get_node(&r->document, *item);
        if (!read_text(r, member, &word) || (check && !check(r, member, word)))
            return false;
        LIST_ADD(r->arena, out, word);
    }
    return true;
}

static bool check_rule(struct reader *r, const yaml_node_t *n, const char *word)
{
    const char *near = rule_word_nearest(word);
    if (rule_word_known(word))
        return true;
    return wrong(r, n,
                 near ? arena_printf(r->arena, "unknown rule '%s'; did you mean '%s'?", word, near)
                      : arena_printf(r->arena, "unknown rule '%s'", word));
}

static bool check_format(struct reader *r, const yaml_node_t *n, const char *word)
{
    const char *name = arena_text(r->arena, word, strcspn(word, "="));
    return report_format_named(name) ||
           wrong(r, n,
                 arena_printf(r->arena, "unknown format '%s': there are %s", name,
                              report_format_names(r->arena)));
}

/* ---- keys ----------------------------------------------------------------------------------- */

static bool set_select(struct reader *r, const yaml_node_t *n)
{
    r->config->selects = true;
    return read_texts(r, n, &r->config->select, check_rule);
}

static bool set_ignore(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->ignore, check_rule);
}

static bool set_extend_select(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->extend_select, check_rule);
}

static bool set_per_file_ignores(struct reader *r, const yaml_node_t *n)
{
    if (n->type != YAML_MAPPING_NODE)
        return wrong(r, n, "expected patterns of files, each with a list of rules");
    yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (; pair < n->data.mapping.pairs.top; pair++) {
        struct file_ignore i = {0};
        if (!read_text(r, yaml_document_get_node(&r->document, pair->key), &i.pattern) ||
            !read_texts(r, yaml_document_get_node(&r->document, pair->value), &i.rules, check_rule))
            return false;
        LIST_ADD(r->arena, &r->config->per_file_ignores, i);
    }
    return true;
}

/* A number or a truth value is a mistake; a file of that name is written in quotes. */
static bool check_pattern(struct reader *r, const yaml_node_t *n, const char *word)
{
    bool is_plain = n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    bool is_other = !word[strspn(word, "+-.0123456789")] || !strcmp(word, "~") ||
                    !strcmp(word, "null") || !strcmp(word, "true") || !strcmp(word, "false");
    return !is_plain || !is_other || !strcmp(word, ".") || !strcmp(word, "..") ||
           wrong(r, n,
                 arena_printf(r->arena, "expected a pattern of files, not %s",
                              *word ? word : "nothing"));
}

static bool set_exclude(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->exclude, check_pattern);
}

static const char *below_folder(struct reader *r, const char *path)
{
    return *path == '/' ? path : arena_printf(r->arena, "%s/%s", r->config->folder, path);
}

static bool set_target(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->target, NULL);
}

static bool set_packs(struct reader *r, const yaml_node_t *n)
{
    text_list packs = {0};
    if (!read_texts(r, n, &packs, NULL))
        return false;
    for (int i = 0; i < packs.count; i++)
        LIST_ADD(r->arena, &r->config->packs, below_folder(r, packs.items[i]));
    return true;
}

/* "sarif=FILE": the file is relative to the folder, like all paths in the file. */
static bool set_format(struct reader *r, const yaml_node_t *n)
{
    text_list formats = {0};
    if (!read_texts(r, n, &formats, check_format))
        return false;
    for (int i = 0; i < formats.count; i++) {
        const char *format = formats.items[i], *to = strchr(format, '=');
        const char *why = to && to[1] ? config_why_not_written(r->arena, r->config, to + 1) : NULL;
        if (why)
            return wrong(r, n, arena_printf(r->arena, "%s %s; --format can name it", to + 1, why));
        if (to && to[1])
            format = arena_printf(r->arena, "%.*s%s", (int)(to - format + 1), format,
                                  below_folder(r, to + 1));
        LIST_ADD(r->arena, &r->config->formats, format);
    }
    return true;
}

static bool set_database(struct reader *r, const yaml_node_t *n)
{
    const char *path = NULL;
    if (!read_text(r, n, &path))
        return false;
    r->config->database = below_folder(r, path);
    return true;
}

static bool set_baseline(struct reader *r, const yaml_node_t *n)
{
    const char *path = NULL;
    if (!read_text(r, n, &path))
        return false;
    r->config->baseline = below_folder(r, path);
    return true;
}

static bool set_fail_on(struct reader *r, const yaml_node_t *n)
{
    const char *word = NULL;
    return read_text(r, n, &word) && (severity_named(word, &r->config->fail_on) ||
                                      wrong(r, n, "expected error, warning or note"));
}

static bool read_number(struct reader *r, const yaml_node_t *n, int most, int *out)
{
    const char *word = NULL;
    char *end = NULL;
    if (!read_text(r, n, &word))
        return false;
    long number = strtol(word, &end, 10);
    bool fine = *word && !*end && number > 0 && number <= most;
    *out = fine ? (int)number : 0;
    return fine || wrong(r, n, arena_printf(r->arena, "expected a number from 1 to %d", most));
}

static bool set_unit_timeout(struct reader *r, const yaml_node_t *n)
{
    return read_number(r, n, UNIT_TIMEOUT_MAX, &r->config->unit_timeout);
}

static bool set_unit_memory(struct reader *r, const yaml_node_t *n)
{
    return read_number(r, n, UNIT_MEMORY_MAX, &r->config->unit_memory);
}

static bool set_run(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->run, NULL);
}

/* A name alone is that of a program in PATH. */
static bool set_python(struct reader *r, const yaml_node_t *n)
{
    const char *path = NULL;
    if (!read_text(r, n, &path))
        return false;
    const char *found = strchr(path, '/') ? below_folder(r, path) : program_find(r->arena, path);
    r->config->python = found ? found : path;
    return true;
}

static bool set_flags(struct reader *r, const yaml_node_t *n)
{
    return read_texts(r, n, &r->config->flags, NULL);
}

static const struct key {
    const char *name;
    bool (*set)(struct reader *r, const yaml_node_t *n);
} keys[] = {
#define KEY(name, set, kind, summary) {name, set_##set},
#include "frontends/driver/config/key.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static bool unknown_key(struct reader *r, const yaml_node_t *n, const char *name)
{
    struct nearest near = nearest_to(name);
    for (int i = 0; i < KEY_COUNT; i++)
        nearest_try(&near, keys[i].name);
    return wrong(
        r, n,
        near.name ? arena_printf(r->arena, "unknown key '%s'; did you mean '%s'?", name, near.name)
                  : arena_printf(r->arena, "unknown key '%s'", name));
}

static bool read_pair(struct reader *r, const yaml_node_pair_t *pair, unsigned *seen)
{
    const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
    const yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
    const char *name = NULL;
    if (!read_text(r, key, &name))
        return false;
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        if (*seen >> i & 1)
            return wrong(r, key, arena_printf(r->arena, "duplicate key '%s'", name));
        *seen |= 1u << i;
        return keys[i].set(r, value);
    }
    return unknown_key(r, key, name);
}

static bool read_document(struct reader *r)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    unsigned seen = 0;
    if (!root || (root->type == YAML_SCALAR_NODE && !root->data.scalar.length))
        return true; /* an empty file */
    if (root->type != YAML_MAPPING_NODE)
        return wrong(r, root, "expected keys and values");
    yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    for (; pair < root->data.mapping.pairs.top; pair++)
        if (!read_pair(r, pair, &seen))
            return false;
    return true;
}

/* The folder a file is in, absolute. */
static const char *folder_of(struct arena *a, const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    const char *folder = !real           ? "."
                         : slash == real ? "/"
                                         : arena_text(a, real, (size_t)(slash - real));
    free(real);
    return folder;
}

/* libyaml takes time quadratic in the depth and in the number of aliases to load a document: its
 * events are checked first. */
enum { MOST_EVENTS = 50000, MOST_NAMES = 100, DEEPEST = 20 };

struct extent {
    int events, names, depth, documents;
};

static bool is_bounded(struct extent *x, const yaml_event_t *event)
{
    bool begins =
        event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    bool ends = event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
    const yaml_char_t *name =
        event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
        : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
        : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                   : NULL;
    x->depth += begins - ends;
    x->names += name != NULL;
    x->documents += event->type == YAML_DOCUMENT_START_EVENT;
    return ++x->events <= MOST_EVENTS && x->names <= MOST_NAMES && x->depth <= DEEPEST &&
           x->documents <= 1;
}

static const char *beyond(const struct extent *x)
{
    return x->documents > 1     ? "expected one document, this begins a second"
           : x->depth > DEEPEST ? "nested too deep"
                                : "too many words";
}

/* Other errors are found when it is loaded. */
static bool check_extent(const char *path, const char *text, size_t length, struct error *e)
{
    struct extent x = {0};
    yaml_parser_t parser;
    yaml_event_t event = {0};
    bool fine = true;
    if (!yaml_parser_initialize(&parser))
        BUG("out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (fine && event.type != YAML_STREAM_END_EVENT && yaml_parser_parse(&parser, &event)) {
        yaml_event_type_t type = event.type;
        if (!is_bounded(&x, &event))
            fine = error_at(e, path, (int)event.start_mark.line + 1,
                            (int)event.start_mark.column + 1, "%s", beyond(&x));
        yaml_event_delete(&event);
        event.type = type;
    }
    yaml_parser_delete(&parser);
    return fine;
}

bool config_read(struct arena *a, const char *path, struct config *out, struct error *e)
{
    struct reader r = {.arena = a, .path = path, .config = out, .e = e};
    yaml_parser_t parser;
    size_t length;
    const char *text = file_read_kind(a, path, FILE_SETTINGS, &length, e);
    if (text && path_ends_in(path, ".toml")) {
        if (!toml_translate(a, path, text, &text, e))
            return false;
        text = text ? text : ""; /* it has no such section */
        length = strlen(text);
    }
    if (!text || !check_extent(path, text, length, e))
        return false;
    out->path = path;
    out->folder = folder_of(a, path);
    if (!yaml_parser_initialize(&parser))
        BUG("out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool ok = yaml_parser_load(&parser, &r.document);
    if (!ok)
        error_at(e, path, (int)parser.problem_mark.line + 1, (int)parser.problem_mark.column + 1,
                 "%s", parser.problem ? parser.problem : "is not YAML");
    else {
        ok = read_document(&r);
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* ---- which file ----------------------------------------------------------------------------- */

static const char *real_folder(struct arena *a, const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *kept = arena_printf(a, "%s", real ? real : folder);
    free(real);
    return kept;
}

/* Whether it has our section; one that is wrong has it, and is reported when it is read. */
static bool is_ours(struct arena *a, const char *path)
{
    struct error e = {0};
    size_t length;
    const char *text =
        access(path, R_OK) ? NULL : file_read_kind(a, path, FILE_SETTINGS, &length, &e);
    return text && strstr(text, "miscast") && (!toml_translate(a, path, text, &text, &e) || text);
}

/* Also a link that leads nowhere: whoever made it expects it to be read. */
static bool is_there(const char *path)
{
    struct stat st;
    return !lstat(path, &st);
}

/* The nearest to the folder, upward; NULL: none. */
static const char *nearest_config(struct arena *a, const char *folder)
{
    char *path = arena_text(a, folder, strlen(folder));
    for (;;) {
        const char *candidate = arena_printf(a, "%s/%s", strcmp(path, "/") ? path : "", file_name);
        if (is_there(candidate))
            return candidate;
        candidate = arena_printf(a, "%s/pyproject.toml", strcmp(path, "/") ? path : "");
        if (is_ours(a, candidate))
            return candidate;
        char *slash = strrchr(path, '/');
        if (!slash || !strcmp(path, "/"))
            return NULL;
        slash[slash == path] = '\0';
    }
}

static void apply_options(struct arena *a, const struct request *request, struct config *c)
{
    if (request->select.count) {
        c->selects = true;
        c->select = request->select;
    }
    for (int i = 0; i < request->ignore.count; i++)
        LIST_ADD(a, &c->ignore, request->ignore.items[i]);
    for (int i = 0; i < request->extend_select.count; i++)
        LIST_ADD(a, &c->extend_select, request->extend_select.items[i]);
    for (int i = 0; i < request->packs.count; i++)
        LIST_ADD(a, &c->packs, request->packs.items[i]);
    if (request->formats.count)
        c->formats = request->formats;
    c->database = request->database ? request->database : c->database;
    c->baseline = request->baseline ? request->baseline : c->baseline;
    if (request->fails_on)
        c->fail_on = request->fail_on;
    c->unit_timeout = request->limits.unit_timeout ? request->limits.unit_timeout : c->unit_timeout;
    c->unit_memory = request->limits.unit_memory ? request->limits.unit_memory : c->unit_memory;
}

bool config_find(struct arena *a, const struct request *request, const char *near,
                 struct config *out, struct error *e)
{
    char here[PATH_MAX];
    const char *path = request->config;
    *out = (struct config){.fail_on = SEVERITY_WARNING};
    if (!getcwd(here, sizeof here))
        return error_set(e, "the current folder: %s", strerror(errno));
    out->folder = arena_printf(a, "%s", here);
    /* The configuration inside a folder applies to the folder itself. */
    const char *within = arena_printf(a, "%s/.", near);
    if (!path && !request->isolated)
        path = nearest_config(a, access(within, F_OK) ? folder_of(a, near) : real_folder(a, near));
    if (path && !config_read(a, path, out, e))
        return false;
    apply_options(a, request, out);
    return true;
}

/* ---- what it says --------------------------------------------------------------------------- */

static bool is_meant(const text_list *words, const struct rule *r)
{
    for (int i = 0; i < words->count; i++)
        if (rule_is_meant(words->items[i], r))
            return true;
    return false;
}

void config_select(const struct config *c, bool selected[RULE_COUNT])
{
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *r = &rules[i];
        bool on = c->selects ? is_meant(&c->select, r) : r->on;
        selected[i] = (on && !is_meant(&c->ignore, r)) || is_meant(&c->extend_select, r);
    }
}

const char *path_below(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    bool below = n > 1 && !strncmp(folder, path, n) && path[n] == '/';
    return below ? path + n + 1 : path;
}

/* A pattern without a slash may also match the name alone, or any folder on the way. */
static bool matches(const struct config *c, const char *pattern, const char *file)
{
    char *real = realpath(file, NULL);
    const char *path = path_below(c->folder, real ? real : file);
    bool found = glob_matches(pattern, path);
    size_t n = strlen(pattern);
    bool folder = n && pattern[n - 1] == '/';
    if (!found && folder)
        found = !strncmp(path, pattern, n);
    for (const char *part = path; !found && !strchr(pattern, '/') && part;) {
        const char *slash = strchr(part, '/');
        char name[NAME_MAX + 1];
        snprintf(name, sizeof name, "%.*s", (int)(slash ? slash - part : NAME_MAX), part);
        found = glob_matches(pattern, name);
        part = slash ? slash + 1 : NULL;
    }
    free(real);
    return found;
}

bool config_ignores(const struct config *c, const char *file, const struct rule *r)
{
    for (int i = 0; i < c->per_file_ignores.count; i++) {
        const struct file_ignore *ignore = &c->per_file_ignores.items[i];
        if (is_meant(&ignore->rules, r) && matches(c, ignore->pattern, file))
            return true;
    }
    return false;
}

bool config_excludes(const struct config *c, const char *file)
{
    for (int i = 0; i < c->exclude.count; i++)
        if (matches(c, c->exclude.items[i], file))
            return true;
    return false;
}
