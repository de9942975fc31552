/* Summaries as bytes: a magic line, the fields (analyzer/store's records), and a digest. The same
 * units give the same bytes. Reading any file gives a summary or an error. */
#include "frontends/driver/shards/summary.h"

#include <string.h>
#include <sys/stat.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

enum {
    FORMAT = 1,        /* of the fields, and of the IR's text */
    MOST_PARTS = 10000 /* as --shard accepts */
};

static const char magic[] = "miscast summary\n";
enum { MAGIC_LENGTH = sizeof magic - 1 };

/* ---- to bytes ------------------------------------------------------------------------------- */

static void put_unit(struct text *to, const struct summary_unit *u)
{
    record_text(to, u->file);
    record_text(to, u->ir);
    record_text(to, u->error_file);
    record_text(to, u->error);
    record_number(to, u->flags_left_out);
    record_number(to, u->reads.count);
    for (int i = 0; i < u->reads.count; i++)
        record_number(to, u->reads.items[i]);
}

void summary_print(const struct summary *s, struct text *to)
{
    text_add_range(to, magic, MAGIC_LENGTH);
    record_number(to, FORMAT);
    record_text(to, MISCAST_VERSION);
    record_number(to, s->part);
    record_number(to, s->parts);
    record_digest(to, s->whole);
    record_text(to, s->near);
    record_number(to, s->asked.count);
    for (int i = 0; i < s->asked.count; i++)
        record_text(to, s->asked.items[i]);
    record_number(to, s->files.count);
    for (int i = 0; i < s->files.count; i++) {
        record_text(to, s->files.items[i].path);
        record_digest(to, s->files.items[i].digest);
    }
    record_number(to, s->units.count);
    for (int i = 0; i < s->units.count; i++)
        put_unit(to, &s->units.items[i]);
    record_digest(to, digest_bytes(to->data, to->length));
}

bool summary_write(struct project *p, const struct summary *s, const char *path, struct error *e)
{
    struct text out = {0};
    summary_print(s, &out);
    bool ok = output_replace(p, path, &out, e);
    text_free(&out);
    return ok;
}

/* ---- and back ------------------------------------------------------------------------------- */

struct reading {
    struct arena *arena;
    struct record_reader r;
    struct summary *s;
};

static const char *read_text(struct reading *d)
{
    return record_read_word(&d->r, d->arena);
}

static struct summary_unit read_unit(struct reading *d)
{
    struct summary_unit u = {.file = read_text(d)};
    u.ir = record_read_text(&d->r, d->arena);
    u.error_file = record_read_text(&d->r, d->arena);
    u.error = u.ir ? record_read_text(&d->r, d->arena) : read_text(d);
    u.flags_left_out = record_read_int(&d->r);
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        int file = record_read_int(&d->r);
        d->r.failed |= file < 0 || file >= d->s->files.count;
        LIST_ADD(d->arena, &u.reads, file);
    }
    return u;
}

static void read_fields(struct reading *d)
{
    struct summary *s = d->s;
    s->part = record_read_int(&d->r);
    s->parts = record_read_int(&d->r);
    d->r.failed |=
        s->parts < 0 || s->parts > MOST_PARTS || s->part < !!s->parts || s->part > s->parts;
    s->whole = record_read_digest(&d->r);
    s->near = record_read_text(&d->r, d->arena);
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--)
        LIST_ADD(d->arena, &s->asked, read_text(d));
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        struct store_read f = {.path = read_text(d)};
        f.digest = record_read_digest(&d->r);
        LIST_ADD(d->arena, &s->files, f);
    }
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--)
        LIST_ADD(d->arena, &s->units, read_unit(d));
}

static bool is_whole(const char *data, size_t length)
{
    struct digest end;
    if (length < MAGIC_LENGTH + sizeof end)
        return false;
    memcpy(&end, data + length - sizeof end, sizeof end);
    return digest_same(end, digest_bytes(data, length - sizeof end));
}

/* Another version is distinguished from damage, if the beginning can be read. */
static bool check_version(struct reading *d, struct error *e)
{
    int64_t format = record_read_number(&d->r);
    const char *version = record_read_text(&d->r, d->arena);
    if (d->r.failed || !version ||
        version[strspn(version, "0123456789.abcdefghijklmnopqrstuvwxyz-")])
        return error_at(e, d->s->path, 0, 0, "is damaged or truncated");
    return (format == FORMAT && !strcmp(version, MISCAST_VERSION)) ||
           error_at(e, d->s->path, 0, 0,
                    "is a summary of miscast %.32s, and this is %s: make it anew", version,
                    MISCAST_VERSION);
}

bool summary_read(struct arena *a, const char *path, struct summary *s, struct error *e)
{
    size_t length;
    struct stat st;
    *s = (struct summary){.path = path};
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) /* a pipe may never be written to */
        return error_at(e, path, 0, 0, "is not a regular file");
    const char *data = file_read_kind(a, path, FILE_SUMMARY, &length, e);
    if (!data)
        return false;
    if (length < MAGIC_LENGTH || memcmp(data, magic, MAGIC_LENGTH) != 0)
        return error_at(e, path, 0, 0, "is not a summary made by miscast");
    /* The checksum at the end is not part of any field. */
    const size_t around = MAGIC_LENGTH + sizeof(struct digest);
    struct reading d = {
        .arena = a,
        .s = s,
        .r = record_open(data + MAGIC_LENGTH, length > around ? length - around : 0)};
    if (!check_version(&d, e))
        return false;
    if (!is_whole(data, length))
        return error_at(e, path, 0, 0, "is damaged or truncated");
    read_fields(&d);
    return record_ended(&d.r) || error_at(e, path, 0, 0, "is damaged or truncated");
}
