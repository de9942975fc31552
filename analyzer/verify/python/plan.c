/* What is to be reported of a run: findings come in, and out goes a file for the watcher: the lines
 * whose operations are reported in full, and whether others are mentioned. Nothing is built. */
#include "analyzer/verify/python/private.h"

#include "analyzer/verify/judge.h"
#include "analyzer/verify/proof.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 16 };
/* Of the time of a run, what a harness may take to find arguments. */
#define SEARCH_SHARE 0.6

struct planning {
    struct verifier *v;
    json_t *wanted; /* by file: lines */
};

/* ---- places -----------------------------------------------------------------------------------
 */

static void want(struct planning *p, const struct span *s)
{
    enum { MOST_LINES = 40 };
    if (!s->line || !s->file)
        return;
    const char *file = path_real(p->v, NULL, s->file);
    json_t *lines = json_object_get(p->wanted, file);
    if (!lines) {
        lines = json_array();
        json_object_set_new(p->wanted, file, lines);
    }
    for (int n = s->line; n <= s->end_line && n < s->line + MOST_LINES; n++)
        json_array_append_new(lines, json_integer(n));
}

static void want_steps(struct planning *p, const struct step *s)
{
    for (int i = 0; s && i < MOST_STEPS; i++, s = s->from[0])
        want(p, &s->span);
}

static void want_finding(struct planning *p, const struct finding *f)
{
    want(p, &f->span);
    want(p, proof_span(f));
    for (int i = 0; i < f->origins.count; i++)
        want(p, &f->origins.items[i].span);
    if (!f->failure)
        return;
    want(p, &f->failure->function->insts.items[f->failure->inst].span);
    for (int i = 0; i < f->failure->operand_count; i++)
        want_steps(p, f->failure->operands[i].how);
}

/* ---- what else --------------------------------------------------------------------------------
 */

/* Whether its proof is what happens to tensors elsewhere. */
static bool needs_history(const struct finding *f)
{
    static const bool needs[WAY_COUNT] = {
        [WAY_UNUSED] = true, [WAY_LOST] = true,  [WAY_SHARED] = true,
        [WAY_WASTED] = true, [WAY_STALE] = true, [WAY_AGAIN] = true,
    };
    return !f->failure && needs[way_of(f)];
}

/* Folders whose files are the program's, not a library's. */
static json_t *roots_of(struct verifier *v, const struct program *p)
{
    json_t *roots = json_array();
    if (v->in->root)
        json_array_append_new(roots, json_string(v->in->root));
    for (int i = 0; i < p->units.count; i++) {
        const char *path = path_real(v, NULL, p->units.items[i]->file);
        const char *slash = strrchr(path, '/');
        json_array_append_new(roots, json_stringn(path, slash ? (size_t)(slash - path) : 0));
    }
    return roots;
}

json_t *span_json(struct verifier *v, const struct span *s)
{
    return json_pack("{s:s,s:i,s:i,s:i,s:i}", "file", path_real(v, NULL, s->file), "line", s->line,
                     "column", s->column, "end_line", s->end_line, "end_column", s->end_column);
}

/* NumPy is not seen by any mode: the program is compiled with calls around its operations. */
static bool is_of_arrays(struct verifier *v, const struct finding *f)
{
    const struct pack_function *callee = callee_at(v, f);
    return callee && !strcmp(pack_of(callee), "numpy");
}

static void add_measures(struct planning *p, const finding_list *findings, json_t *out,
                         json_t *arrays)
{
    static const char *const words[] = {
        [INSTRUMENT_WIDE] = "wide",     [INSTRUMENT_FLOAT] = "float",
        [INSTRUMENT_REPEAT] = "repeat", [INSTRUMENT_INDEX] = "index",
        [INSTRUMENT_DRAW] = "wide",     [INSTRUMENT_QUOTIENT] = "quotient",
        [INSTRUMENT_MEMORY] = NULL,
    };
    for (int i = 0; findings && i < findings->count; i++) {
        const struct finding *f = findings->items[i];
        const struct span *at = proof_span(f);
        const char *word = words[proof_instrument(f)];
        if (!word || !at->line)
            continue;
        json_t *measure = span_json(p->v, at);
        json_object_set_new(measure, "how", json_string(word));
        json_array_append_new(is_of_arrays(p->v, f) ? arrays : out, measure);
    }
}

static json_t *branches_in(struct verifier *v, const condition_list *branches)
{
    json_t *out = json_array();
    for (int i = 0; branches && i < branches->count; i++)
        json_array_append_new(out, span_json(v, &branches->items[i]->span));
    return out;
}

/* What a file holds that was not saved yet, or a fix would make of it. */
static json_t *texts_of(struct verifier *v)
{
    json_t *texts = json_object();
    if (v->in->unsaved)
        json_object_set_new(texts, path_real(v, NULL, v->in->unsaved),
                            json_string(v->in->unsaved_text));
    return texts;
}

static json_t *plan_of(struct verifier *v, const struct build_plan *plan)
{
    struct planning p = {v, json_object()};
    json_t *measures = json_array(), *arrays = json_array();
    bool history = false;
    for (int i = 0; plan->judged && i < plan->judged->count; i++) {
        want_finding(&p, plan->judged->items[i]);
        history |= needs_history(plan->judged->items[i]);
    }
    add_measures(&p, plan->judged, measures, arrays);
    json_t *out =
        json_pack("{s:[s,s],s:o,s:o,s:b,s:o,s:o}", "modules", "simulate", "observe", "roots",
                  roots_of(v, plan->program), "wanted", p.wanted, "history", history, "measures",
                  measures, "branches", branches_in(v, plan->branches));
    json_object_set_new(out, "texts", texts_of(v));
    json_object_set_new(out, "arrays", arrays);
    if (plan->function)
        json_object_set_new(out, "call",
                            json_pack("{s:s,s:f}", "function", plan->function, "seconds",
                                      v->in->limits.wall_ms / 1000.0 * SEARCH_SHARE));
    return out;
}

const char *plan_write(struct verifier *v, const struct build_plan *plan, struct error *e)
{
    const char *folder = make_folder(v, "plan");
    if (!folder) {
        error_set(e, "cannot make a folder in %s", v->room);
        return NULL;
    }
    json_t *o = plan_of(v, plan);
    char *text = json_dumps(o, JSON_COMPACT);
    const char *path = arena_printf(v->arena, "%s/plan.json", folder);
    bool written = text && file_write(v->arena, path, text, strlen(text), e);
    free(text);
    json_decref(o);
    return written ? path : NULL;
}
