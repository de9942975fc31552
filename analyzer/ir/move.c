/* Moving code: lines that are inserted or deleted move what comes after them. Of a unit that
 * shares most of another, what moves is copied and gets new lines; the rest stays shared. */
#include "analyzer/ir/private.h"

#include <string.h>

struct mover {
    struct ir_unit *unit;
    const struct ir_move *moves;
    int count;
    const char *other; /* the last name that was not this file's */
};

static int line_after(const struct mover *m, int line)
{
    for (int i = 0; i < m->count; i++)
        line += line > m->moves[i].behind ? m->moves[i].more : 0;
    return line;
}

static bool is_in_file(struct mover *m, const char *file)
{
    if (!file || file == m->other)
        return false;
    if (file == m->unit->file || !strcmp(file, m->unit->file))
        return true;
    m->other = file;
    return false;
}

/* Whether it moves. */
static bool moves(struct mover *m, const struct span *s)
{
    return s->line && is_in_file(m, s->file) &&
           (line_after(m, s->line) != s->line || line_after(m, s->end_line) != s->end_line);
}

/* bent: not as far as what encloses it; or nothing encloses it that moves. */
static void move(struct mover *m, struct span *s, const struct span *in, bool *bent)
{
    if (!s->line || !is_in_file(m, s->file))
        return;
    int line = s->line, end = s->end_line;
    bool within = in->line && line >= in->line && end <= in->end_line && is_in_file(m, in->file);
    int far = within ? line_after(m, in->line) - in->line : 0;
    s->line = line_after(m, line);
    s->end_line = line_after(m, end);
    *bent |= s->line - line != far || s->end_line - end != far;
}

static bool any_moves(struct mover *m, const struct ir_function *f)
{
    bool any = moves(m, &f->span);
    for (int i = 0; i < f->locals.count && !any; i++)
        any = moves(m, &f->locals.items[i].span);
    for (int i = 1; i < f->insts.count && !any; i++)
        any = moves(m, &f->insts.items[i].span);
    return any;
}

static struct ir_function *moved_function(struct mover *m, const struct ir_function *f, bool *bent)
{
    struct ir_unit *u = m->unit;
    struct ir_function *to = arena_copy(u->arena, f, sizeof *f);
    to->locals.items =
        arena_copy(u->arena, f->locals.items, sizeof *f->locals.items * (size_t)f->locals.count);
    to->insts.items =
        arena_copy(u->code, f->insts.items, sizeof *f->insts.items * (size_t)f->insts.count);
    to->locals.room = to->locals.count;
    to->insts.room = to->insts.count;
    move(m, &to->span, &f->span, bent);
    for (int i = 0; i < to->locals.count; i++)
        move(m, &to->locals.items[i].span, &f->span, bent);
    for (int i = 1; i < to->insts.count; i++)
        move(m, &to->insts.items[i].span, &f->span, bent);
    return to;
}

void ir_unit_move(struct ir_unit *u, const struct ir_move *moves_of, int count, bool *bent)
{
    struct mover m = {.unit = u, .moves = moves_of, .count = count};
    const struct span nothing = {0};
    bool ignored = false;
    if (!count)
        return;
    for (int i = 0; i < u->functions.count; i++)
        if (any_moves(&m, u->functions.items[i]))
            u->functions.items[i] = moved_function(&m, u->functions.items[i], &bent[i]);
    for (int i = 0; i < u->globals.count; i++)
        if (moves(&m, &u->globals.items[i]->span)) {
            u->globals.items[i] =
                arena_copy(u->arena, u->globals.items[i], sizeof *u->globals.items[i]);
            move(&m, &u->globals.items[i]->span, &nothing, &ignored);
        }
    for (int i = 0; i < u->notes.count; i++)
        move(&m, &u->notes.items[i].span, &nothing, &ignored);
    ir_put_names(u);
}
