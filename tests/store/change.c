/* One function per change, and a table of them. */
#include "tests/store/change.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------- */

static const char *full(struct changing *c, const char *path)
{
    return arena_printf(c->runner->arena, "%s/%s", c->p.folder, path);
}

/* "" if it cannot be read. */
static const char *read_text(struct changing *c, const char *path, size_t *length)
{
    struct error none = {0};
    const char *text = file_read(c->runner->arena, full(c, path), length, &none);
    if (!text)
        *length = 0;
    return text ? text : "";
}

/* Some editors write in place, some beside it and rename. */
static void write_text(struct changing *c, const char *path, const char *text, size_t length)
{
    struct error e = {0};
    const char *at = full(c, path);
    struct stat st;
    bool beside = roll(&c->dice, 2) && !stat(at, &st);
    bool ok = beside ? file_write(c->runner->arena, at, text, length, &e)
                     : put_file(c->runner->arena, at, text, length, &e);
    if (!ok || chmod(at, 0644))
        BUG("%s: %s", e.file, e.message);
}

static void write_commands(struct changing *c)
{
    struct error e = {0};
    if (!generate_commands(&c->p, &e))
        BUG("%s: %s", e.file, e.message);
}

static void say(struct changing *c, const char *what, const char *of)
{
    snprintf(c->what, sizeof c->what, "%s %s", what, of);
}

static struct made_unit *unit_by_chance(struct changing *c)
{
    return &c->p.units.items[roll(&c->dice, c->p.units.count)];
}

static const char *header_by_chance(struct changing *c)
{
    return c->p.headers.items[roll(&c->dice, c->p.headers.count)];
}

const char *any_unit(struct changing *c)
{
    return unit_by_chance(c)->path;
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *const words[][2] = {
    {"mc_float(", "mc_half("},
    {"mc_half(", "mc_float("},
    {"MC_F32", "MC_F16"},
    {"MC_F16", "MC_F64"},
    {"MC_BF16", "MC_F16"},
    {"cfg->half", "cfg->train"},
    {"mc_relu(", "mc_gelu("},
    {"mc_long(", "mc_int("},
    {"MC_I64", "MC_I32"},
    {"mc_to_dtype(l->", "mc_type_as(l->"},
    {"config_dtype(cfg)", "MC_BF16"},
    {"config_device(cfg)", "MC_CUDA"},
    {"true", "false"},
    {"small(false)", "small(true)"},
    {"mc_add(", "mc_sub("},
    {"static ", "static inline "},
    {"app_mask", "vision_scale"},
    {"static mc_tensor", "mc_tensor"},
    {"0.02", "0.04"},
    {"MC_CUDA", "MC_CPU"},
};
enum { WORDS = sizeof words / sizeof *words };

static int count_of(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

/* One of them, by chance, becomes another. */
static const char *replace_one(struct changing *c, const char *text, const char *word,
                               const char *by)
{
    int which = roll(&c->dice, count_of(text, word));
    const char *at = strstr(text, word);
    while (which--)
        at = strstr(at + strlen(word), word);
    return arena_printf(c->runner->arena, "%.*s%s%s", (int)(at - text), text, by,
                        at + strlen(word));
}

static const char *replace_a_word(struct changing *c, const char *text)
{
    int from = roll(&c->dice, WORDS);
    for (int i = 0; i < WORDS; i++) {
        const char *const *w = words[(from + i) % WORDS];
        if (strstr(text, w[0]))
            return replace_one(c, text, w[0], w[1]);
    }
    return text;
}

/* The beginning of some line; with end, of one that ends like that. */
static const char *line_by_chance(struct changing *c, const char *text, char end)
{
    const char *found = text;
    int seen = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t n = strcspn(at, "\n");
        if ((!end || (n && at[n - 1] == end)) && roll(&c->dice, ++seen) == 0)
            found = at;
    }
    return found;
}

static const char *with_line(struct changing *c, const char *text, const char *line)
{
    const char *at = line_by_chance(c, text, ';');
    return arena_printf(c->runner->arena, "%.*s%s%s", (int)(at - text), text, line, at);
}

static const char *without_a_line(struct changing *c, const char *text)
{
    const char *at = line_by_chance(c, text, ';'), *next = at + strcspn(at, "\n");
    return arena_printf(c->runner->arena, "%.*s%s", (int)(at - text), text, next + (*next == '\n'));
}

static const char *with_a_line_twice(struct changing *c, const char *text)
{
    const char *at = line_by_chance(c, text, ';');
    int n = (int)strcspn(at, "\n");
    return arena_printf(c->runner->arena, "%.*s%.*s\n%s", (int)(at - text), text, n, at, at);
}

static const char *with_a_blank_line(struct changing *c, const char *text)
{
    return arena_printf(c->runner->arena, "\n%s", text);
}

static const char *with_a_suppression(struct changing *c, const char *text)
{
    static const char *const lines[] = {
        "    // miscast: ignore[matmul-dtype] for now\n",
        "// miscast: ignore-file[dtype] an old file\n",
        "    /* NOLINTNEXTLINE(miscast-device-mismatch) */\n",
    };
    return with_line(c, text, lines[roll(&c->dice, 3)]);
}

static const char *with_a_function(struct changing *c, const char *text)
{
    int n = c->added++;
    return arena_printf(c->runner->arena,
                        "%s\nmc_tensor *late%d(mc_tensor *w)\n{\n    mc_tensor *x = "
                        "mc_ones(mc_shape(2, 2), .dtype = MC_F16);\n    %sreturn mc_matmul(x, "
                        "mc_to_dtype(w, %s));\n}\n",
                        text, n, n % 3 ? "" : "mc_print(mc_mean(mc_arange(4)));\n    ",
                        n % 2 ? "MC_F32" : "MC_F16");
}

static const char *(*const edits[])(struct changing *c, const char *text) = {
    replace_a_word,    replace_a_word,    replace_a_word,     without_a_line,
    with_a_line_twice, with_a_blank_line, with_a_suppression, with_a_function,
};
enum { EDITS = sizeof edits / sizeof *edits };

static void edit(struct changing *c, const char *path)
{
    size_t length;
    const char *text = read_text(c, path, &length);
    text = edits[roll(&c->dice, EDITS)](c, text);
    write_text(c, path, text, strlen(text));
}

void change_slightly(struct changing *c, const char *unit, int which)
{
    size_t length;
    const char *text = read_text(c, unit, &length), *mark = strstr(text, "\n/* changed ");
    if (mark)
        length = (size_t)(mark - text);
    text = arena_printf(c->runner->arena,
                        "%.*s\n/* changed %d */\nvoid changed_here(void)\n{\n"
                        "    mc_tensor *x = mc_ones(mc_shape(2, 2));\n    "
                        "mc_print(mc_matmul(mc_%s(x), mc_half(x)));\n}\n",
                        (int)length, text, which, which % 2 ? "float" : "half");
    write_text(c, unit, text, strlen(text));
}

/* ---- changes to files ----------------------------------------------------------------------- */

static void edit_unit(struct changing *c)
{
    const char *path = any_unit(c);
    edit(c, path);
    say(c, "edit", path);
}

static void edit_header(struct changing *c)
{
    const char *path = header_by_chance(c);
    edit(c, path);
    say(c, "edit", path);
}

/* As long as before, and with the times it had. */
static void edit_in_secret(struct changing *c)
{
    static const char *const same_size[][2] = {
        {"MC_F32", "MC_F16"}, {"return ", "retrun "}, {"mc_float(", "mc_short("}};
    const char *path = roll(&c->dice, 3) ? any_unit(c) : header_by_chance(c);
    size_t length;
    const char *text = read_text(c, path, &length);
    struct stat st;
    const char *const *w = same_size[roll(&c->dice, 3)];
    if (!strstr(text, w[0]) || stat(full(c, path), &st)) {
        edit_unit(c);
        return;
    }
    text = replace_one(c, text, w[0], w[1]);
    int fd = open(full(c, path), O_WRONLY);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        BUG("cannot write %s", path);
    close(fd);
    utimensat(AT_FDCWD, full(c, path), (struct timespec[2]){st.st_atim, st.st_mtim}, 0);
    say(c, "edit, and set its time back,", path);
}

static void touch(struct changing *c)
{
    const char *path = roll(&c->dice, 2) ? any_unit(c) : header_by_chance(c);
    static const time_t times[] = {0, 1000000000, 4000000000};
    struct timespec t = {.tv_sec = times[roll(&c->dice, 3)]};
    utimensat(AT_FDCWD, full(c, path), (struct timespec[2]){t, t}, 0);
    say(c, "touch", path);
}

static void revert(struct changing *c)
{
    const struct original *o = &c->originals.items[roll(&c->dice, c->originals.count)];
    write_text(c, o->path, o->text, o->length);
    say(c, "revert", o->path);
}

/* A copy, with functions of its own names. */
static void add(struct changing *c)
{
    const struct made_unit *from = unit_by_chance(c);
    struct made_unit u = *from;
    size_t length;
    const char *text = read_text(c, from->path, &length);
    bool listed = roll(&c->dice, 3);
    u.path = arena_printf(c->p.arena, "src/added/added%d.c", c->added++);
    write_text(c, u.path, text, length);
    if (listed) {
        LIST_ADD(c->p.arena, &c->p.units, u);
        write_commands(c);
    }
    say(c, listed ? "add" : "add, in no database,", u.path);
}

static void drop_unit(struct changing *c, struct made_unit *u)
{
    *u = c->p.units.items[--c->p.units.count];
    write_commands(c);
}

static void delete(struct changing *c)
{
    struct made_unit *u = unit_by_chance(c);
    if (c->p.units.count < 3) {
        edit_unit(c);
        return;
    }
    bool listed = roll(&c->dice, 3) == 0;
    unlink(full(c, u->path));
    say(c, listed ? "delete, but not from the database," : "delete", u->path);
    if (!listed)
        drop_unit(c, u);
}

static void rename_unit(struct changing *c)
{
    struct made_unit *u = unit_by_chance(c);
    const char *to =
        arena_printf(c->p.arena, "%.*s_moved%d.c", (int)strlen(u->path) - 2, u->path, c->added++);
    say(c, "rename", u->path);
    if (rename(full(c, u->path), full(c, to))) {
        edit_unit(c);
        return;
    }
    u->path = to;
    if (roll(&c->dice, 4))
        write_commands(c);
}

/* A header that is found before another, and is not quite the same. */
static void shadow(struct changing *c)
{
    const char *path = header_by_chance(c);
    size_t length;
    const char *at = arena_printf(c->runner->arena, "early%s", path + strlen("include"));
    if (!access(full(c, at), F_OK)) {
        unlink(full(c, at));
        say(c, "show again", path);
        return;
    }
    const char *text = read_text(c, path, &length);
    text = edits[roll(&c->dice, EDITS)](c, text);
    write_text(c, at, text, strlen(text));
    say(c, "shadow", path);
}

/* The header becomes a link to another place. */
static void link_header(struct changing *c)
{
    const char *path = header_by_chance(c);
    const char *to = arena_printf(c->runner->arena, "elsewhere/header%d.h", c->added++);
    size_t length;
    const char *text = read_text(c, path, &length);
    text = edits[roll(&c->dice, EDITS)](c, text);
    write_text(c, to, text, strlen(text));
    unlink(full(c, path));
    if (symlink(full(c, to), full(c, path)))
        BUG("cannot link %s", path);
    say(c, "link elsewhere", path);
}

/* ---- changes to all else -------------------------------------------------------------------- */

static void change_flags(struct changing *c)
{
    static const char *const flags[] = {"-O2",
                                        "-O0 -DNDEBUG",
                                        "-DMC_F16=MC_F32",
                                        "-DVISION_PROGRAM",
                                        "-Dapp_verbose=0",
                                        "-includestdbool.h",
                                        "-Iother",
                                        "-isystemearly",
                                        "-Dmc_op_half=mc_op_float"};
    struct made_unit *u = unit_by_chance(c);
    u->flags = flags[roll(&c->dice, (int)(sizeof flags / sizeof *flags))];
    write_commands(c);
    snprintf(c->what, sizeof c->what, "flags of %s: %s", u->path, u->flags);
}

static void shuffle_commands(struct changing *c)
{
    struct made_unit *a = unit_by_chance(c), *b = unit_by_chance(c), was = *a;
    *a = *b;
    *b = was;
    write_commands(c);
    say(c, "another order in", "compile_commands.json");
}

static void change_config(struct changing *c)
{
    static const char *const all[] = {
        "ignore: [matmul-dtype]\n",
        "select: all\n",
        "per-file-ignores: {\"src/vision/*\": [dtype]}\n",
        "packs: [own.yaml]\n",
        "packs: [own.yaml]\nbaseline: base.json\n",
        "baseline: base.json\n",
        "exclude: [tests]\n",
        "fail-on: error\n",
    };
    const char *text = all[roll(&c->dice, (int)(sizeof all / sizeof *all))];
    if (roll(&c->dice, 5))
        write_text(c, ".miscast.yaml", text, strlen(text));
    else
        unlink(full(c, ".miscast.yaml")), text = "none\n";
    snprintf(c->what, sizeof c->what, "configuration: %.*s", (int)strcspn(text, "\n"), text);
}

static void change_pack(struct changing *c)
{
    static const char *const functions[] = {"tanh", "relu", "square", "abs"};
    static const char *const dtypes[] = {"f64", "f16", "f32"};
    const char *function = functions[roll(&c->dice, 4)], *dtype = dtypes[roll(&c->dice, 3)];
    const char *text = arena_printf(c->runner->arena,
                                    "pack: own\ntensors: [mc_tensor]\nfunctions:\n- name: "
                                    "mc_op_%s\n  params: {at: skip, x: tensor}\n  result: "
                                    "{tensor: %s, device: x.device}\n",
                                    function, dtype);
    const char *config = "packs: [own.yaml]\n";
    write_text(c, "own.yaml", text, strlen(text));
    write_text(c, ".miscast.yaml", config, strlen(config));
    snprintf(c->what, sizeof c->what, "a pack, where %s gives %s", function, dtype);
}

static void change_baseline(struct changing *c)
{
    static const char *const arguments[] = {"baseline", "write", NULL};
    const char *config = "baseline: base.json\n";
    size_t length;
    write_text(c, ".miscast.yaml", config, strlen(config));
    if (roll(&c->dice, 2) || access(full(c, "base.json"), F_OK)) {
        run_here(c->runner, arguments, roll(&c->dice, 2), NULL);
        say(c, "write", "the baseline");
        return;
    }
    const char *text = read_text(c, "base.json", &length);
    if (strstr(text, "\"occurrence\": 0"))
        text = replace_one(c, text, "\"occurrence\": 0", "\"occurrence\": 3");
    write_text(c, "base.json", text, strlen(text));
    say(c, "edit", "the baseline");
}

/* ---- all ------------------------------------------------------------------------------------ */

static const struct {
    void (*make)(struct changing *c);
    int weight;
} changes[] = {
    {edit_unit, 8},     {edit_header, 4}, {edit_in_secret, 3},  {touch, 2},
    {revert, 4},        {add, 2},         {delete, 2},          {rename_unit, 2},
    {shadow, 3},        {link_header, 2}, {change_flags, 3},    {shuffle_commands, 1},
    {change_config, 3}, {change_pack, 2}, {change_baseline, 2},
};

void change(struct changing *c)
{
    int sum = 0, i = 0;
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        sum += changes[k].weight;
    int at = roll(&c->dice, sum);
    while ((at -= changes[i].weight) >= 0)
        i++;
    /* The same thing twice: then nothing else tells the two runs apart. */
    i = roll(&c->dice, 3) ? i : c->last;
    c->last = i;
    changes[i].make(c);
}

static void keep_original(struct changing *c, const char *path)
{
    struct original o = {.path = path};
    struct error e = {0};
    o.text = file_read(c->p.arena, full(c, path), &o.length, &e);
    if (!o.text)
        BUG("%s: %s", path, e.message);
    LIST_ADD(c->p.arena, &c->originals, o);
}

void changing_begin(struct changing *c, struct runner *r, uint64_t seed)
{
    c->runner = r;
    c->dice.state = seed;
    for (int i = 0; i < c->p.units.count; i++) {
        struct made_unit *u = &c->p.units.items[i];
        u->flags = arena_printf(c->p.arena, "%s -Iearly", u->flags);
        keep_original(c, u->path);
    }
    for (int i = 0; i < c->p.headers.count; i++)
        keep_original(c, c->p.headers.items[i]);
    c->unit_count_at_first = c->p.units.count;
    c->header_count_at_first = c->p.headers.count;
    c->units_at_first = arena_copy(c->p.arena, c->p.units.items,
                                   (size_t)c->p.units.count * sizeof *c->p.units.items);
    write_commands(c);
}

void change_back(struct changing *c)
{
    static const char *const added[] = {".miscast.yaml", "base.json", "own.yaml"};
    c->p.units.count = c->unit_count_at_first;
    memcpy(c->p.units.items, c->units_at_first,
           (size_t)c->unit_count_at_first * sizeof *c->units_at_first);
    write_commands(c);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        unlink(full(c, added[i]));
    const char *clear = arena_printf(
        c->runner->arena,
        "cd '%s' && rm -rf early elsewhere src/added && find . -name '*_moved*' -delete",
        c->p.folder);
    if (system(clear))
        BUG("cannot clear %s", c->p.folder);
    for (int i = 0; i < c->originals.count; i++) {
        const struct original *o = &c->originals.items[i];
        size_t length;
        struct stat st;
        bool link = !lstat(full(c, o->path), &st) && S_ISLNK(st.st_mode);
        if (link)
            unlink(full(c, o->path));
        const char *text = read_text(c, o->path, &length);
        if (length != o->length || memcmp(text, o->text, length) != 0)
            write_text(c, o->path, o->text, o->length);
    }
}
