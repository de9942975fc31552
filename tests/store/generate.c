/* From templates to a project. A template is C with names and numbers left open, @n, and lines that
 * begin with % for what is there only sometimes; lines that begin with ^ go to the header of the
 * family.
 *
 *   @n @N the unit   @f @F its family   @a @b @c layers of the family   @m a model   @l a loader
 *   @q a layer of another family, @r that family   @1 a digit   @2 two of them
 *
 *   %either ... %or ... %end   one of them           %maybe ... %end    or not
 *   %bug RULE ... %or ... %end right, or a mistake   %foreign ... %end  if there is another family
 *   %next                      another one begins (helpers) */
#include "tests/store/generate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifndef PROJECT_TEMPLATES
#error "where the templates are"
#endif

enum role { LAYER, LOADER, MODEL, TRAIN, UTIL, TEST, ROLE_COUNT };

/* A family, or the beginning of one. Headers declare in the order of the roles. */
static const enum role plan[] = {LOADER, LAYER, LAYER,  LAYER, MODEL, TRAIN, TEST,
                                 LAYER,  LAYER, UTIL,   LAYER, TEST,  LAYER, MODEL,
                                 LAYER,  TRAIN, LOADER, LAYER, UTIL,  TEST};
enum { FAMILY = sizeof plan / sizeof *plan };

static const char *const layer_kinds[] = {"mlp",   "attention", "norm",    "embedding",
                                          "gated", "router",    "adapter", "cell"};
enum { KINDS = sizeof layer_kinds / sizeof *layer_kinds };

static const char *const role_names[ROLE_COUNT] = {
    [LAYER] = "layer", [LOADER] = "loader", [MODEL] = "model",
    [TRAIN] = "train", [UTIL] = "measure",  [TEST] = "test",
};

static const char *const fields[] = {"vision", "text",  "audio",   "ranking", "speech",
                                     "graph",  "video", "control", "tabular", "music"};
static const char *const sizes[] = {"", "_small", "_base", "_large", "_tiny", "_wide", "_deep"};

struct family {
    const char *name;
    const char *names[FAMILY]; /* of its units */
    bool planted[FAMILY];      /* those that are to have a mistake */
    int count;
    struct text declared[ROLE_COUNT];
};

struct writer {
    struct made_project *p;
    struct dice dice;
    struct family *families;
    int family_count;
};

/* What a template is filled with. */
struct filling {
    struct writer *w;
    const char *values[128]; /* by letter */
    bool foreign, plant;
    const char *planted;
    struct text *out, *header;
};

int roll(struct dice *d, int n)
{
    uint64_t x = d->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((x ^ x >> 31) % (uint64_t)n);
}

/* ---- filling -------------------------------------------------------------------------------- */

static void add_line(struct filling *f, const char *line, size_t n)
{
    struct text *to = f->out;
    if (n && *line == '^') {
        to = f->header;
        line++, n--;
    }
    for (size_t i = 0; i < n; i++) {
        const char *value = line[i] == '@' && i + 1 < n ? f->values[line[i + 1] & 0x7f] : NULL;
        if (value)
            text_add(to, value), i++;
        else
            text_add_range(to, line + i, 1);
    }
    text_add(to, "\n");
}

static bool is_word(const char *line, size_t n, const char *word)
{
    size_t k = strlen(word);
    return n >= k && !memcmp(line, word, k) && (n == k || line[k] == ' ');
}

static size_t length_of(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    size_t n = length_of(line);
    return line + n + (line[n] == '\n');
}

static bool opens(const char *line, size_t n)
{
    return is_word(line, n, "%either") || is_word(line, n, "%maybe") || is_word(line, n, "%bug") ||
           is_word(line, n, "%foreign");
}

/* How many ways there are to go on behind the line. */
static int count_ways(const char *line)
{
    int ways = 1, depth = 0;
    for (; *line; line = next_line(line)) {
        size_t n = length_of(line);
        depth += opens(line, n);
        ways += !depth && is_word(line, n, "%or");
        if (is_word(line, n, "%end") && depth-- == 0)
            break;
    }
    return ways;
}

/* Which of them; -1: none. */
static int choose(struct filling *f, const char *line, size_t n)
{
    if (is_word(line, n, "%maybe"))
        return roll(&f->w->dice, 2) - 1;
    if (is_word(line, n, "%foreign"))
        return f->foreign ? 0 : -1;
    if (is_word(line, n, "%either"))
        return roll(&f->w->dice, count_ways(next_line(line)));
    if (!f->plant || f->planted)
        return 0;
    f->planted = arena_text(f->w->p->arena, line + 5, n - 5);
    return 1;
}

/* Up to the %end, and behind it. way: that is wanted, -1 none. */
static const char *fill(struct filling *f, const char *at, int way)
{
    int here = 0;
    while (*at) {
        size_t n = length_of(at);
        if (is_word(at, n, "%end") || is_word(at, n, "%next"))
            return next_line(at);
        if (is_word(at, n, "%or"))
            here++;
        else if (opens(at, n)) {
            at = fill(f, next_line(at), here == way ? choose(f, at, n) : -1);
            continue;
        } else if (here == way)
            add_line(f, at, n);
        at = next_line(at);
    }
    return at;
}

static bool fill_from(struct filling *f, const char *name, struct error *e)
{
    size_t length;
    struct arena *a = f->w->p->arena;
    const char *path = arena_printf(a, "%s/%s.in", PROJECT_TEMPLATES, name);
    const char *text = file_read(a, path, &length, e);
    if (text)
        fill(f, text, 0);
    return text;
}

/* So many of them, each once. */
static bool fill_helpers(struct filling *f, int count, struct error *e)
{
    size_t length;
    struct arena *a = f->w->p->arena;
    const char *path = arena_printf(a, "%s/helpers.in", PROJECT_TEMPLATES), *at;
    const char *text = file_read(a, path, &length, e);
    int all = 1, seen = 0;
    if (!text)
        return false;
    for (at = text; (at = strstr(at, "\n%next\n")); at++)
        all++;
    for (at = text; *at; seen++) {
        bool taken = roll(&f->w->dice, all - seen) < count;
        count -= taken;
        at = fill(f, at, taken ? 0 : -1);
    }
    return true;
}

/* ---- files ---------------------------------------------------------------------------------- */

bool put_file(struct arena *a, const char *path, const char *text, size_t length, struct error *e)
{
    char *folders = arena_printf(a, "%s", path);
    for (char *at = folders + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        if (mkdir(folders, 0777) && errno != EEXIST)
            return error_at(e, folders, 0, 0, "%s", strerror(errno));
    }
    FILE *to = fopen(path, "w");
    if (!to || fwrite(text, 1, length, to) != length)
        error_at(e, path, 0, 0, "%s", strerror(errno));
    return to && !fclose(to) && !e->message[0];
}

static bool put(struct writer *w, const char *path, struct text *t, struct error *e)
{
    struct arena *a = w->p->arena;
    const char *full = arena_printf(a, "%s/%s", w->p->folder, path);
    bool ok = put_file(a, full, t->data ? t->data : "", t->length, e);
    text_free(t);
    return ok;
}

static bool put_header(struct writer *w, const char *name, struct text *body, struct error *e)
{
    struct arena *a = w->p->arena;
    struct text t = {0};
    char *guard = arena_printf(a, "%s_H", name);
    for (char *c = guard; *c; c++)
        *c = *c == '/' ? '_' : (char)toupper(*c);
    text_printf(&t, "#ifndef %s\n#define %s\n\n%s#endif\n", guard, guard,
                body->data ? body->data : "");
    text_free(body);
    const char *path = arena_printf(a, "include/%s.h", name);
    LIST_ADD(a, &w->p->headers, path);
    return put(w, path, &t, e);
}

static int count_lines(const struct text *t)
{
    int lines = 0;
    for (size_t i = 0; i < t->length; i++)
        lines += t->data[i] == '\n';
    return lines;
}

bool generate_commands(const struct made_project *p, struct error *e)
{
    struct text t = {0};
    for (int i = 0; i < p->units.count; i++)
        text_printf(&t,
                    "%s{\"directory\": \"%s\", \"file\": \"%s\",\n  \"command\": \"cc -std=c17 %s "
                    "-Iinclude -I%s -c %s\"}",
                    i ? ",\n " : "[", p->folder, p->units.items[i].path, p->units.items[i].flags,
                    p->include, p->units.items[i].path);
    text_add(&t, "]\n");
    const char *path = arena_printf(p->arena, "%s/compile_commands.json", p->folder);
    bool ok = put_file(p->arena, path, t.data, t.length, e);
    text_free(&t);
    return ok;
}

/* ---- units ---------------------------------------------------------------------------------- */

static const char *upper(struct arena *a, const char *name)
{
    char *s = arena_printf(a, "%s", name);
    for (char *c = s; *c; c++)
        *c = (char)toupper(*c);
    return s;
}

/* One of the family's of that role, from the given one on; tested: one with a mistake, if any. */
static const char *one_of(const struct family *f, enum role role, int from, bool tested)
{
    const char *any = f->names[0];
    for (int i = f->count; i-- > 0;) {
        int k = (from + i) % f->count;
        if (plan[k] == role)
            any = f->names[k];
    }
    for (int i = 0; i < f->count && tested; i++) {
        int k = (from + i) % f->count;
        if (plan[k] == role && f->planted[k])
            return f->names[k];
    }
    return any;
}

static void choose_values(struct filling *f, const struct family *family, int number, int unit)
{
    struct arena *a = f->w->p->arena;
    struct dice *d = &f->w->dice;
    const struct family *other = &f->w->families[number ? roll(d, number) : 0];
    int from = roll(d, FAMILY);
    bool tested = plan[unit] == TEST;
    const char *name = family->names[unit];
    f->foreign = number && roll(d, 2);
    f->values['n'] = name, f->values['N'] = upper(a, name);
    f->values['f'] = family->name, f->values['F'] = upper(a, family->name);
    f->values['a'] = one_of(family, LAYER, from, tested);
    f->values['b'] = one_of(family, LAYER, from + 4, tested);
    f->values['c'] = one_of(family, LAYER, from + 9, tested);
    f->values['m'] = one_of(family, MODEL, from, tested);
    f->values['l'] = one_of(family, LOADER, from, tested);
    f->values['q'] = one_of(other, LAYER, from, false), f->values['r'] = other->name;
    f->values['1'] = arena_printf(a, "%d", 2 + roll(d, 8));
    f->values['2'] = arena_printf(a, "%d", 10 + roll(d, 90));
}

static bool fill_unit(struct filling *f, int number, int unit, struct error *e)
{
    static const char *const templates[ROLE_COUNT] = {
        [LOADER] = "loader", [MODEL] = "model", [TRAIN] = "train", [UTIL] = "util", [TEST] = "test",
    };
    const struct family *family = &f->w->families[number];
    enum role role = plan[unit];
    const char *kind = strrchr(family->names[unit], '_') + 1, *name = templates[role];
    struct dice *d = &f->w->dice;
    char letters[16];
    size_t n = strspn(kind, "abcdefghijklmnopqrstuvwxyz");
    snprintf(letters, sizeof letters, "%.*s", (int)n, kind);
    if (role == LAYER)
        name = arena_printf(f->w->p->arena, "layer_%s", letters);
    bool ok = fill_from(f, name, e) && (role != LAYER || fill_from(f, "layer_tail", e));
    if (ok && !unit) /* the first has what the family shares */
        ok = fill_from(f, "globals", e);
    static const int counts[] = {0, 0, 0, 1, 1, 2, 3, 4, 6, 8};
    return ok && fill_helpers(f, counts[roll(d, 10)], e);
}

static bool write_unit(struct writer *w, int number, int unit, struct error *e)
{
    struct family *family = &w->families[number];
    struct made_project *p = w->p;
    struct text out = {0};
    struct filling f = {.w = w, .out = &out, .header = &family->declared[plan[unit]]};
    f.plant = family->planted[unit];
    choose_values(&f, family, number, unit);
    if (!fill_unit(&f, number, unit, e))
        return false;
    bool test = plan[unit] == TEST, program = plan[unit] == TRAIN;
    struct made_unit u = {.planted = f.planted, .lines = count_lines(&out)};
    u.path = arena_printf(p->arena, "%s/%s/%s.c", test ? "tests" : "src", family->name,
                          family->names[unit]);
    u.flags =
        program ? arena_printf(p->arena, "-O2 -D%s_PROGRAM", upper(p->arena, family->name)) : "-O2";
    LIST_ADD(p->arena, &p->units, u);
    return put(w, u.path, &out, e);
}

static bool write_core(struct writer *w, struct error *e)
{
    struct text out = {0}, header = {0};
    struct filling f = {.w = w, .out = &out, .header = &header};
    if (!fill_from(&f, "core", e))
        return false;
    struct made_unit u = {.path = "src/core/config.c", .flags = "-O2", .lines = count_lines(&out)};
    LIST_ADD(w->p->arena, &w->p->units, u);
    return put_header(w, "core/config", &header, e) && put(w, u.path, &out, e);
}

/* ---- families ------------------------------------------------------------------------------- */

static void name_family(struct writer *w, int number)
{
    enum { FIELDS = sizeof fields / sizeof *fields, SIZES = sizeof sizes / sizeof *sizes };
    struct arena *a = w->p->arena;
    struct family *f = &w->families[number];
    int counts[ROLE_COUNT] = {0}, round = number / (FIELDS * SIZES);
    f->name = arena_printf(a, "%s%s", fields[number % FIELDS], sizes[number / FIELDS % SIZES]);
    if (round)
        f->name = arena_printf(a, "%s%d", f->name, round + 1);
    for (int i = 0; i < f->count; i++) {
        enum role role = plan[i];
        int n = counts[role]++;
        const char *kind = role == LAYER ? layer_kinds[(n + 3 * number) % KINDS] : role_names[role];
        int which = (role == LAYER ? n / KINDS : n) + 1;
        f->names[i] = arena_printf(a, "%s_%s%d", f->name, kind, which);
        f->planted[i] = roll(&w->dice, 8) == 0;
    }
}

static bool write_family(struct writer *w, int number, struct error *e)
{
    struct family *family = &w->families[number];
    struct text header = {0}, unused = {0};
    struct filling f = {.w = w, .out = &unused, .header = &header};
    f.values['f'] = family->name;
    bool ok = fill_from(&f, "family", e);
    for (int i = 0; i < family->count && ok; i++)
        ok = write_unit(w, number, i, e);
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (family->declared[role].length)
            text_add(&header, family->declared[role].data);
        text_free(&family->declared[role]);
    }
    text_free(&unused);
    return ok && put_header(w, arena_printf(w->p->arena, "%s/%s", family->name, family->name),
                            &header, e);
}

bool generate(struct made_project *p, const char *folder, const char *include, int units,
              uint64_t seed, struct error *e)
{
    struct writer w = {.p = p, .dice = {seed}};
    *p = (struct made_project){.arena = arena_new(), .include = include};
    p->folder = arena_printf(p->arena, "%s", folder);
    w.family_count = (units - 1 + FAMILY - 1) / FAMILY;
    w.families = arena_array(p->arena, struct family, w.family_count + 1);
    for (int i = 0; i < w.family_count; i++) {
        int left = units - 1 - i * FAMILY;
        w.families[i].count = left < FAMILY ? left : FAMILY;
        name_family(&w, i);
    }
    bool ok = write_core(&w, e);
    for (int i = 0; i < w.family_count && ok; i++)
        ok = write_family(&w, i, e);
    return ok && generate_commands(p, e);
}
