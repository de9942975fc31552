/* miscast check --shard I/N: of all units of the check, one share is lowered and written to a
 * summary, with the files that are checked. The distribution depends only on the files, so that N
 * machines need not communicate; 'miscast link' then continues with all summaries. */
#include "frontends/driver/shards/summary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The weight of a unit's headers, in bytes: they are most of what is parsed. */
enum { HEADERS = 20000 };

struct weight {
    const char *file; /* portable */
    int input;
    int64_t size;
};

/* The largest first. */
static int compare_weights(const void *x, const void *y)
{
    const struct weight *a = x, *b = y;
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size)
                              : strcmp(a->file, b->file);
}

static struct weight *weigh(struct project *p, const struct tree *t)
{
    struct weight *all = arena_array(p->arena, struct weight, p->inputs.count + 1);
    for (int i = 0; i < p->inputs.count; i++) {
        const char *file = p->inputs.items[i].file;
        struct stat st;
        int64_t size = stat(file, &st) ? 0 : st.st_size;
        all[i] = (struct weight){tree_portable(t, p->arena, file), i, size + HEADERS};
    }
    if (p->inputs.count)
        qsort(all, (size_t)p->inputs.count, sizeof *all, compare_weights);
    return all;
}

static int lightest(const int64_t *load, int shards)
{
    int least = 0;
    for (int i = 1; i < shards; i++)
        least = load[i] < load[least] ? i : least;
    return least;
}

/* Each unit goes to the shard with the least weight so far. Keeps those of our own. */
static void take_share(struct project *p, const struct tree *t, int shard, int shards)
{
    const struct weight *all = weigh(p, t);
    int64_t *load = arena_array(p->arena, int64_t, shards);
    bool *mine = arena_array(p->arena, bool, p->inputs.count + 1);
    int kept = 0;
    for (int i = 0; i < p->inputs.count; i++) {
        int to = lightest(load, shards);
        load[to] += all[i].size;
        mine[all[i].input] = to == shard - 1;
    }
    for (int i = 0; i < p->inputs.count; i++)
        if (mine[i])
            p->inputs.items[kept++] = p->inputs.items[i];
    p->inputs.count = kept;
}

/* What all shards of one run have in common. */
static void describe(struct checking *c, const struct tree *t, struct summary *s)
{
    struct project *p = &c->project;
    struct text all = {0};
    s->part = c->request->shard.number;
    s->parts = c->request->shard.count;
    s->near = tree_portable(t, p->arena, check_near(c->request));
    record_number(&all, s->parts);
    record_text(&all, s->near);
    for (int i = 0; i < p->asked.count; i++) {
        LIST_ADD(p->arena, &s->asked, tree_portable(t, p->arena, p->asked.items[i]));
        record_text(&all, s->asked.items[i]);
    }
    record_number(&all, p->inputs.count);
    for (int i = 0; i < p->inputs.count; i++)
        record_text(&all, tree_portable(t, p->arena, p->inputs.items[i].file));
    s->whole = record_key(&all);
}

static bool write_share(struct checking *c, const struct request *request, struct error *e)
{
    struct project *p = &c->project;
    struct tree t;
    struct summary s = {0};
    if (!tree_find(p->arena, request, &t, e))
        return false;
    describe(c, &t, &s);
    int of = p->inputs.count;
    take_share(p, &t, request->shard.number, request->shard.count);
    if (!project_read_units(p, e))
        return false;
    summary_collect(p, &t, &s);
    if (!output_allowed(p, request->shard.output, e) ||
        (request->shard.depfile &&
         !depfile_write(p, request->shard.depfile, request->shard.output, e)) ||
        !summary_write(p, &s, request->shard.output, e))
        return false;
    print_shown(stderr, "miscast: %s contains %d of %d unit%s: shard %d of %d\n",
                request->shard.output, p->inputs.count, of, of == 1 ? "" : "s",
                request->shard.number, request->shard.count);
    return true;
}

static bool is_possible(const struct request *request, struct error *e)
{
    if (!request->shard.output)
        return error_set(e, "--shard needs -o FILE");
    if (request->fix || request->diff || request->verify.wanted || request->unsaved_file)
        return error_set(e, "--shard only reads files: it does not go with --fix, --diff, --verify "
                            "and --stdin-filename");
    return true;
}

enum exit_code shard_run(const struct request *given)
{
    struct checking c = {0};
    struct request request = *given;
    struct error e = {0};
    request.notes_reads = true;
    bool ok = is_possible(&request, &e) && check_find_units(&c, &request, &e) &&
              write_share(&c, &request, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    check_free(&c);
    return code;
}
