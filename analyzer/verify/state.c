/* The state of everything that goes into the run of a finding, as one number: the files and flags
 * of the programs that it can be run in, the tools, and what the caller adds. Where that is the
 * same, so is the verdict; that something was not reached depends on the limits, too. */
#include "analyzer/verify/state.h"

#include "analyzer/verify/command.h"
#include "analyzer/verify/runner.h"

#include <string.h>

struct states {
    struct verifier *v;
    uint64_t common;
    uint64_t *units;           /* of each unit; 0: not yet known */
    struct program **programs; /* of each unit; NULL: not yet known */
};

static uint64_t mix_text(uint64_t h, const char *text)
{
    return hash_bytes(text, strlen(text) + 1, h);
}

static uint64_t mix_file(struct verifier *v, uint64_t h, const char *path)
{
    const struct source *s = sources_get(v->sources, path);
    return s ? hash_bytes(s->text, s->length, h) : mix_text(h, "not there");
}

static uint64_t hash_unit(struct verifier *v, const struct verify_unit *u)
{
    text_list files = {0};
    uint64_t h = mix_text(0, u->file);
    for (int i = 0; i < u->flag_count; i++)
        h = mix_text(h, u->flags[i]);
    v->in->runner->unit_files(v, u, &files);
    for (int i = 0; i < files.count; i++)
        h = mix_file(v, mix_text(h, files.items[i]), files.items[i]);
    return h ? h : 1;
}

struct states *states_new(struct verifier *v)
{
    const struct verify_input *in = v->in;
    struct states *s = arena_one(v->arena, struct states);
    s->v = v;
    s->common = in->runner->hash_tools(v, in->world);
    s->units = arena_array(v->arena, uint64_t, in->unit_count);
    s->programs = arena_array(v->arena, struct program *, in->unit_count);
    return s;
}

static struct program *program_at(struct states *s, int i)
{
    if (!s->programs[i])
        s->programs[i] = s->v->in->runner->program_of(s->v, &s->v->in->units[i]);
    return s->programs[i];
}

static void mark_program(struct states *s, const struct program *p, bool *marks)
{
    for (int i = 0; i < p->units.count; i++)
        marks[p->units.items[i] - s->v->in->units] = true;
}

/* All programs that contain the units, and everything that the units need. */
static void mark_units(struct states *s, const struct verify_unit *const *at, int count,
                       bool *marks)
{
    for (int i = 0; i < s->v->in->unit_count; i++) {
        const struct verify_unit *u = &s->v->in->units[i];
        bool is_main = function_of(u, s->v->in->runner->start);
        for (int k = 0; k < count; k++)
            if (at[k] && (at[k] == u || (is_main && program_holds(program_at(s, i), at[k]))))
                mark_program(s, program_at(s, i), marks);
    }
}

uint64_t state_within_limits(const struct verify_input *in, uint64_t state)
{
    uint64_t numbers[] = {(uint64_t)in->limits.wall_ms, (uint64_t)in->limits.runs, in->limits.bytes,
                          in->uncontained, command_is_asked(in)};
    return hash_bytes(numbers, sizeof numbers, state);
}

uint64_t state_of(struct states *s, const struct finding *f, const struct verify_unit *root)
{
    const struct verify_unit *at[] = {unit_of(s->v, f), root};
    int count = s->v->in->unit_count;
    bool *marks = arena_array(s->v->arena, bool, count ? count : 1);
    uint64_t h = mix_text(mix_text(s->common, f->message), severity_name(f->severity));
    mark_units(s, at, 2, marks);
    for (int i = 0; i < count; i++) {
        if (!marks[i])
            continue;
        if (!s->units[i])
            s->units[i] = hash_unit(s->v, &s->v->in->units[i]);
        h = hash_bytes(&s->units[i], sizeof s->units[i], h);
    }
    return h;
}
