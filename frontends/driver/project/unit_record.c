/* A unit that is lowered in another process: there a file comes in and bytes go out; here these
 * become the unit and its dependencies, or the error. The unit is sent in its text form, which is
 * also what is cached. */
#include "frontends/driver/project/cache.h"
#include "frontends/driver/project/workers.h"

#include <string.h>

/* For the cache, and to know which units were touched. */
static bool wants_reads(const struct project *p)
{
    return p->cache || p->request->touched.count || p->request->notes_reads;
}

/* ---- there ----------------------------------------------------------------------------------- */

static void put_error(struct text *out, const struct error *e)
{
    record_text(out, e->file);
    record_number(out, e->line);
    record_number(out, e->column);
    record_text(out, e->message);
}

static void put_reads(struct text *out, const struct unit_reads *reads)
{
    record_number(out, reads->whole);
    record_number(out, reads->files.count);
    for (int i = 0; i < reads->files.count; i++) {
        record_text(out, reads->files.items[i].path);
        record_digest(out, reads->files.items[i].digest);
    }
    record_number(out, reads->folders.count);
    for (int i = 0; i < reads->folders.count; i++)
        record_text(out, reads->folders.items[i]);
}

void unit_record_make(struct project *p, const struct input *in, struct text *out)
{
    struct unit_reads reads = {.arena = arena_new()};
    struct error e = {0};
    struct text printed = {0};
    struct frontend_input file = project_input(p, in);
    struct ir_unit *u =
        frontend_of(in->language)
            ->lower(p->parsers[in->language], &file, wants_reads(p) ? &reads : NULL, &e);
    record_number(out, u != NULL);
    if (!u)
        put_error(out, &e);
    if (u) {
        put_reads(out, &reads);
        ir_print(u, &printed);
        record_bytes(out, printed.data, printed.length + 1); /* with its NUL */
        ir_unit_free(u);
    }
    text_free(&printed);
    arena_free(reads.arena);
}

/* ---- here ------------------------------------------------------------------------------------ */

static bool take_error(struct record_reader *r, struct input *in)
{
    struct arena *a = arena_new();
    const char *file = record_read_text(r, a);
    int line = (int)record_read_number(r), column = (int)record_read_number(r);
    const char *message = record_read_text(r, a);
    bool fine = file && message && record_ended(r);
    if (fine)
        error_at(&in->error, file, line, column, "%s", message);
    arena_free(a);
    return fine;
}

static struct unit_reads *take_reads(struct record_reader *r)
{
    struct arena *a = arena_new();
    struct unit_reads *reads = arena_one(a, struct unit_reads);
    reads->arena = a;
    reads->whole = record_read_number(r);
    for (int i = record_read_count(r); i > 0; i--) {
        struct unit_read file = {.path = record_read_text(r, a)};
        file.digest = record_read_digest(r);
        LIST_ADD(a, &reads->files, file);
    }
    for (int i = record_read_count(r); i > 0; i--)
        LIST_ADD(a, &reads->folders, record_read_text(r, a));
    return reads;
}

static bool take_unit(struct project *p, struct input *in, struct record_reader *r)
{
    struct unit_reads *reads = take_reads(r);
    size_t length;
    struct error unread = {0};
    const char *text = record_read_bytes(r, &length);
    bool fine = text && length && !text[length - 1] && record_ended(r);
    in->unit = fine ? ir_parse(text, &unread) : NULL;
    if (fine && !in->unit)
        error_at(&in->error, in->file, 0, 0, "its IR cannot be read back: %s", unread.message);
    if (in->unit && p->cache && reads->whole)
        text_add_range(&in->printed, text, length - 1);
    if (in->unit && wants_reads(p))
        in->reads = reads;
    else
        arena_free(reads->arena);
    return fine;
}

bool unit_record_take(struct project *p, struct input *in, const char *bytes, size_t length)
{
    struct record_reader r = record_open(bytes, length);
    return record_read_number(&r) ? take_unit(p, in, &r) : take_error(&r, in);
}
