/* Fields encoded as bytes and back. Numbers are varints of seven bits a byte; texts are preceded by
 * their length. Reading arbitrary bytes terminates and stays within them. */
#include "analyzer/store/store.h"

#include <string.h>

void record_number(struct text *to, int64_t n)
{
    /* Zigzag encoding: small numbers of either sign become small unsigned ones. */
    uint64_t rest = (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
    char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (char)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        rest >>= 7;
    } while (rest);
    text_add_range(to, bytes, count);
}

void record_bytes(struct text *to, const void *bytes, size_t n)
{
    record_number(to, (int64_t)n);
    if (n)
        text_add_range(to, bytes, n);
}

void record_text(struct text *to, const char *s)
{
    if (s)
        record_bytes(to, s, strlen(s));
    else
        record_number(to, -1);
}

void record_digest(struct text *to, struct digest d)
{
    text_add_range(to, (const char *)&d, sizeof d);
}

struct digest record_key(struct text *t)
{
    struct digest d = digest_bytes(t->data ? t->data : "", t->length);
    text_free(t);
    return d;
}

struct record_reader record_open(const void *bytes, size_t n)
{
    const char *at = bytes ? bytes : "";
    return (struct record_reader){.at = at, .end = at + (bytes ? n : 0)};
}

static size_t left(const struct record_reader *r)
{
    return r->failed ? 0 : (size_t)(r->end - r->at);
}

int64_t record_read_number(struct record_reader *r)
{
    uint64_t n = 0;
    for (int shift = 0; shift < 64 && left(r); shift += 7) {
        unsigned char byte = (unsigned char)*r->at++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return (int64_t)(n >> 1 ^ (n & 1 ? UINT64_MAX : 0));
    }
    r->failed = true;
    return 0;
}

int record_read_int(struct record_reader *r)
{
    int64_t n = record_read_number(r);
    r->failed |= n < INT32_MIN || n > INT32_MAX;
    return r->failed ? 0 : (int)n;
}

/* Each takes at least one byte. */
int record_read_count(struct record_reader *r)
{
    int64_t n = record_read_number(r);
    if (n < 0 || (uint64_t)n > left(r) || n > INT32_MAX)
        r->failed = true;
    return r->failed ? 0 : (int)n;
}

const char *record_read_text(struct record_reader *r, struct arena *a)
{
    int64_t n = record_read_number(r);
    if (n < -1 || (n > 0 && (uint64_t)n > left(r)))
        r->failed = true;
    if (r->failed || n < 0)
        return NULL;
    r->at += n;
    return arena_text(a, r->at - n, (size_t)n);
}

const char *record_read_word(struct record_reader *r, struct arena *a)
{
    const char *text = record_read_text(r, a);
    r->failed |= !text;
    return text ? text : "";
}

const char *record_read_bytes(struct record_reader *r, size_t *n)
{
    int64_t count = record_read_number(r);
    if (count < 0 || (uint64_t)count > left(r))
        r->failed = true;
    *n = r->failed ? 0 : (size_t)count;
    r->at += *n;
    return r->failed ? NULL : r->at - *n;
}

struct digest record_read_digest(struct record_reader *r)
{
    struct digest d = {0};
    if (left(r) < sizeof d) {
        r->failed = true;
        return d;
    }
    memcpy(&d, r->at, sizeof d);
    r->at += sizeof d;
    return d;
}

bool record_ended(const struct record_reader *r)
{
    return !r->failed && r->at == r->end;
}
