/* The source of a unit that reports its branches: those on the way to findings come in, its text
 * goes out with each of their conditions in a call that passes its value on, and if asked for with
 * functions in front that report what it does with what it reads (follow/inputs.h). Line numbers do
 * not change. */
#include "analyzer/verify/c/private.h"

#include <stdlib.h>
#include <string.h>

extern const char follow_inputs[]; /* the text of follow/inputs.h */

struct piece {
    size_t from, to;
    int branch;
    bool is_case;
};
typedef LIST(struct piece) piece_list;

static int compare_pieces(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* None within another: the first of them stays. */
static piece_list pieces_of(struct verifier *v, const struct source *s, const char *file,
                            const condition_list *branches)
{
    piece_list found = {0};
    for (int i = 0; i < branches->count; i++) {
        const struct span *at = &branches->items[i]->span;
        struct piece p = {source_offset(s, at->line, at->column),
                          source_offset(s, at->end_line, at->end_column), i,
                          branches->items[i]->is_case};
        if (path_real(v, NULL, at->file) == file && p.from < p.to && p.to <= s->length)
            LIST_ADD(v->arena, &found, p);
    }
    if (found.count)
        qsort(found.items, (size_t)found.count, sizeof *found.items, compare_pieces);
    int kept = 0;
    for (int i = 0; i < found.count; i++)
        if (!kept || found.items[i].from >= found.items[kept - 1].to)
            found.items[kept++] = found.items[i];
    found.count = kept;
    return found;
}

const char *branches_source(struct verifier *v, const struct verify_unit *u,
                            const condition_list *branches, bool follows)
{
    const struct source *s = sources_get(v->sources, u->file);
    const char *file = path_real(v, NULL, u->file);
    piece_list pieces = s ? pieces_of(v, s, file, branches) : (piece_list){0};
    struct text out = {0};
    size_t at = 0;
    if (!s || (!pieces.count && !follows))
        return NULL;
    text_add(&out, follows ? follow_inputs : "#include <miscast/probe.h>\n");
    text_printf(&out, "#line 1 \"%s\"\n", file);
    for (int i = 0; i < pieces.count; i++) {
        const struct piece *p = &pieces.items[i];
        text_add_range(&out, s->text + at, p->from - at);
        text_printf(&out, "mc_probe_branch(%d, ", p->branch);
        text_add(&out, p->is_case ? "(int64_t)(" : "(");
        text_add_range(&out, s->text + p->from, p->to - p->from);
        text_add(&out, p->is_case ? "))" : ") ? 1 : 0)");
        at = p->to;
    }
    text_add_range(&out, s->text + at, s->length - at);
    return text_keep(v->arena, &out);
}
