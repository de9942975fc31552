/* See way.h. */
#include "tests/robust/way.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/report.h"
#include "frontends/clang/clang.h"
#include "tests/fuzz/findings.h"

enum {
    VISITS = 20000, /* of instructions: loops end sooner than in a check */
    STATES = 8
};

static const char path[] = "/fuzzed/unit.c"; /* is not there */

static struct world {
    struct arena *arena;
    struct clang *clang;
    struct pack_set *packs;
    LIST(const char *) seeds;
} world;

void way_broken(const char *what, const struct error *e)
{
    fprintf(stderr, "fuzz: %s: %s: %s\n", what, e->file, e->message);
    abort();
}

/* ---- once ----------------------------------------------------------------------------------- */

static void load_packs(void)
{
    glob_t found = {0};
    struct error e = {0};
    world.packs = packs_new(world.arena, names_new(world.arena));
    if (glob(arena_printf(world.arena, "%s/*.yaml", packs_builtin_dir()), 0, NULL, &found) != 0)
        way_broken("no packs", &e);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!packs_load(world.packs, found.gl_pathv[i], &e))
            way_broken("a pack", &e);
    globfree(&found);
}

static struct world *world_open(void)
{
    struct error e = {0};
    if (world.arena)
        return &world;
    world.arena = arena_new();
    world.clang = clang_open(&e);
    if (!world.clang)
        way_broken("no libclang", &e);
    load_packs();
    return &world;
}

/* ---- one file ------------------------------------------------------------------------------- */

/* Reading the API takes longer than most of these files do: only where it is used. */
static bool names_tensors(const char *text, size_t length)
{
    return memmem(text, length, "mc_", 3) || memmem(text, length, "MC_", 3);
}

struct ir_unit *way_lower(struct arena *a, const char *text, size_t length)
{
    /* For a machine with few built-in functions and macros, for the same reason. */
    static const char *const flags[] = {"-std=gnu17", "--target=sparcv9", "-undef", "-fno-builtin",
                                        "-nostdinc",  "-include",         LOWER_API};
    struct overlay files = {0};
    struct overlaid unit = {path, text, length};
    struct error e = {0};
    int count = names_tensors(text, length) ? COUNT(flags) : COUNT(flags) - 2;
    LIST_ADD(a, &files.files, unit);
    return clang_lower_noting(world_open()->clang, path, &files, flags, count, "/", NULL, &e);
}

/* What is kept from run to run is the text: it must say all. */
void way_check_text(const struct ir_unit *u)
{
    struct text once = {0}, twice = {0};
    struct error e = {0};
    ir_print(u, &once);
    struct ir_unit *again = ir_parse(once.data, &e);
    if (!again)
        way_broken("IR that does not parse", &e);
    ir_print(again, &twice);
    if (strcmp(once.data, twice.data) != 0)
        abort();
    ir_unit_free(again);
    text_free(&once);
    text_free(&twice);
}

/* In one of the formats: all of them would take as long as the rest. */
static void report_some(struct arena *a, struct sources *sources, const finding_list *l,
                        size_t which)
{
    struct text out = {0};
    struct report r = {.arena = a, .findings = l, .sources = sources, .root = "/", .version = "0"};
    report_formats[which % (size_t)report_format_count].print(&r, &out);
    text_free(&out);
}

static void check_rules(struct arena *a, struct ir_unit *u, const struct flow *f, const char *text,
                        size_t length)
{
    bool selected[RULE_COUNT];
    finding_list found = {0};
    suppression_list comments = {0};
    struct sources *sources = sources_new(a);
    sources_put(sources, path, text, length);
    memset(selected, true, sizeof selected);
    struct check_input in = {.arena = a,
                             .flow = f,
                             .units = &u,
                             .unit_count = 1,
                             .packs = world.packs,
                             .sources = sources};
    rules_check(&in, selected, &found);
    findings_settle(a, &found, sources, same_name, NULL);
    findings_fold(a, &found);
    apply_edits(a, sources, &found);
    report_some(a, sources, &found, length);
    suppressions_find(a, sources_get(sources, path), &comments);
}

void way_analyse(struct arena *a, struct ir_unit *u, const char *text, size_t length)
{
    struct flow_options options = {.max_visits = VISITS, .max_states = STATES};
    struct error e = {0};
    world_open();
    if (!ir_verify(u, &e))
        way_broken("IR that breaks its rules", &e);
    struct flow *f = flow_run(&u, 1, world.packs, &options, &e);
    if (!f)
        way_broken("flow", &e);
    check_rules(a, u, f, text, length);
    flow_free(f);
}

/* ---- valid inputs --------------------------------------------------------------------------- */

/* A file's declarations are apart by empty lines, and none is in a function. */
static void add_seeds(struct world *w, const char *from)
{
    struct error e = {0};
    size_t length;
    const char *text = file_read(w->arena, from, &length, &e);
    if (!text)
        way_broken("a file of valid inputs", &e);
    for (const char *end; *text; text = end) {
        end = strstr(text, "\n\n");
        end = end ? end + 2 : text + strlen(text);
        LIST_ADD(w->arena, &w->seeds, arena_text(w->arena, text, (size_t)(end - text)));
    }
}

static void find_seeds(struct world *w)
{
    glob_t found = {0};
    add_seeds(w, LOWER_TENSORS);
    if (glob(LOWER_FIXTURES "/*.c", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_seeds(w, found.gl_pathv[i]);
    globfree(&found);
}

/* One to three declarations in a row. */
size_t way_seed(size_t which, uint8_t *to, size_t room)
{
    struct world *w = world_open();
    size_t used = 0;
    if (!w->seeds.count)
        find_seeds(w);
    for (size_t n = 0; n <= which % 3; n++) {
        const char *text = w->seeds.items[(which / 3 + n) % (size_t)w->seeds.count];
        size_t length = strlen(text);
        if (used + length > room)
            break;
        memcpy(to + used, text, length);
        used += length;
    }
    return used;
}
