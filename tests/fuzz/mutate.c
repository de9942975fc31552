/* Mutations of text that keep most of it well-formed: tokens, lines, statements and bracketed
 * groups are exchanged, repeated and removed, within an input or between it and a valid one.
 * Changing single bytes hardly ever gets past the first syntax error of C, YAML or the IR. */
#include "tests/fuzz/mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- chance -------------------------------------------------------------------------------- */

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t below(uint64_t *state, size_t n)
{
    return n ? (size_t)(next_random(state) % n) : 0;
}

/* ---- pieces of text ------------------------------------------------------------------------- */

struct piece {
    size_t at, size;
};

enum token { WORD, NUMBER, MARK };

static bool in_word(uint8_t c)
{
    return isalnum(c) || c == '_';
}

static enum token token_of(const struct bytes *b, struct piece p)
{
    uint8_t c = p.size ? b->data[p.at] : ' ';
    return isdigit(c) ? NUMBER : in_word(c) ? WORD : MARK;
}

/* The word or number around a place, or the single character there. */
static struct piece any_token(const struct bytes *b, uint64_t *r)
{
    struct piece p = {below(r, b->size), b->size > 0};
    while (p.at + 1 < b->size && isspace(b->data[p.at]))
        p.at++;
    if (!b->size || !in_word(b->data[p.at]))
        return p;
    while (p.at > 0 && in_word(b->data[p.at - 1]))
        p.at--;
    while (p.at + p.size < b->size && in_word(b->data[p.at + p.size]))
        p.size++;
    return p;
}

/* From behind one of the marks to behind the next. */
static struct piece any_between(const struct bytes *b, const char *marks, uint64_t *r)
{
    struct piece p = {below(r, b->size), 0};
    while (p.at > 0 && !memchr(marks, b->data[p.at - 1], strlen(marks)))
        p.at--;
    while (p.at + p.size < b->size && !memchr(marks, b->data[p.at + p.size], strlen(marks)))
        p.size++;
    p.size += p.at + p.size < b->size;
    return p;
}

static struct piece any_line(const struct bytes *b, uint64_t *r)
{
    return any_between(b, "\n", r);
}

static struct piece any_statement(const struct bytes *b, uint64_t *r)
{
    return any_between(b, ";{}", r);
}

static struct piece any_operand(const struct bytes *b, uint64_t *r)
{
    return any_between(b, ",(;", r);
}

/* The bracket that is open at a place, up to where it closes; empty if there is none. */
static struct piece any_group(const struct bytes *b, uint64_t *r)
{
    size_t at = below(r, b->size), tries = b->size;
    while (tries-- && !memchr("([{", b->data[at], 3))
        at = at + 1 < b->size ? at + 1 : 0;
    struct piece p = {at, 0};
    int depth = 0;
    while (p.at + p.size < b->size) {
        uint8_t c = b->data[p.at + p.size++];
        depth += memchr("([{", c, 3) ? 1 : memchr(")]}", c, 3) ? -1 : 0;
        if (depth == 0)
            return p;
    }
    return (struct piece){at, 0};
}

static struct piece (*const pieces[])(const struct bytes *, uint64_t *) = {
    any_token, any_token, any_line, any_statement, any_operand, any_group};
#define PIECE_COUNT (sizeof pieces / sizeof pieces[0])

/* ---- changes -------------------------------------------------------------------------------- */

void replace(struct bytes *b, size_t at, size_t n, const void *with, size_t size)
{
    if (at > b->size || n > b->size - at || b->size - n + size > FUZZ_ROOM)
        return;
    memmove(b->data + at + size, b->data + at + n, b->size - at - n);
    memcpy(b->data + at, with, size);
    b->size += size - n;
}

static void any_seed(struct bytes *b, uint64_t *r)
{
    b->size = fuzz_target.seed(below(r, fuzz_target.seed_count), b->data, FUZZ_ROOM);
}

/* A piece of this or a valid input takes the place of one of its kind, or comes before it. */
static void exchange(struct bytes *b, uint64_t *r)
{
    struct bytes other = *b;
    size_t kind = below(r, PIECE_COUNT);
    if (below(r, 2))
        any_seed(&other, r);
    struct piece to = pieces[kind](b, r), from = pieces[kind](&other, r);
    for (int i = 0; i < 16 && kind < 2 && token_of(b, to) != token_of(&other, from); i++)
        from = pieces[kind](&other, r);
    size_t over = below(r, 3) ? to.size : 0;
    replace(b, to.at, over, other.data + from.at, from.size);
}

static void erase_piece(struct bytes *b, uint64_t *r)
{
    struct piece p = pieces[below(r, PIECE_COUNT)](b, r);
    replace(b, p.at, p.size, "", 0);
}

static void put_known_word(struct bytes *b, uint64_t *r)
{
    size_t count = 0;
    while (fuzz_target.words[count])
        count++;
    const char *word = fuzz_target.words[below(r, count)];
    struct piece p = any_token(b, r);
    replace(b, p.at, below(r, 2) ? p.size : 0, word, strlen(word));
}

static void put_any_number(struct bytes *b, uint64_t *r)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "7",
                                          "8",
                                          "63",
                                          "64",
                                          "255",
                                          "256",
                                          "65536",
                                          "2147483647",
                                          "2147483648",
                                          "1e9",
                                          "1e400",
                                          "0x1p",
                                          "4294967295",
                                          "9223372036854775807",
                                          "18446744073709551615"};
    struct piece p = any_token(b, r);
    for (int i = 0; i < 16 && token_of(b, p) != NUMBER; i++)
        p = any_token(b, r);
    const char *text = numbers[below(r, sizeof numbers / sizeof numbers[0])];
    if (token_of(b, p) == NUMBER)
        replace(b, p.at, p.size, text, strlen(text));
}

/* A group within itself: nesting. */
static void nest(struct bytes *b, uint64_t *r)
{
    struct piece p = any_group(b, r);
    uint8_t whole[FUZZ_ROOM];
    if (p.size < 2)
        return;
    memcpy(whole, b->data + p.at, p.size);
    replace(b, p.at + 1 + below(r, p.size - 1), 0, whole, p.size);
}

static void (*const changes[])(struct bytes *, uint64_t *) = {
    exchange, exchange, exchange, exchange, erase_piece, put_known_word, put_any_number, nest};

void mutate_text(struct bytes *b, uint64_t *r)
{
    if (below(r, 256) == 0 || !b->size)
        any_seed(b, r);
    for (size_t i = below(r, 2) ? 1 : 1 + below(r, 4); i > 0 && b->size; i--)
        changes[below(r, sizeof changes / sizeof changes[0])](b, r);
}
