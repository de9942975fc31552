/* Fuzzes the language server's message reader: any bytes, in whatever pieces they arrive, give the
 * same messages, and everything else is skipped. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/lsp/wire.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

/* What came out, as one number; how many messages. */
struct seen {
    uint64_t hash;
    unsigned long bodies;
};

static void take_all(struct wire *w, struct seen *s)
{
    const char *body = NULL;
    size_t length = 0;
    for (enum wire_event e; (e = wire_next(w, &body, &length)) != WIRE_MORE;) {
        if (e == WIRE_BODY) {
            s->hash = hash_bytes(body, length, s->hash);
            s->bodies++;
        }
        s->hash = hash_words(s->hash, e, 0);
    }
}

static struct seen read_in_pieces(const uint8_t *data, size_t size, size_t piece)
{
    struct wire w = {0};
    struct seen s = {0};
    for (size_t at = 0; at < size; at += piece) {
        wire_feed(&w, (const char *)data + at, piece < size - at ? piece : size - at);
        take_all(&w, &s);
    }
    wire_free(&w);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen whole = read_in_pieces(data, size, size ? size : 1);
    for (size_t piece = 1; piece <= 7; piece += 3) {
        struct seen some = read_in_pieces(data, size, piece);
        if (some.hash != whole.hash || some.bodies != whole.bodies)
            abort();
    }
    fuzz_loaded += whole.bodies > 0;
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static const char *const headers[] = {
    "Content-Length: %zu\r\n\r\n%s",
    "content-length:%zu\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s",
    "Content-Type: x\nContent-Length: %zu \n\n%s",
};
static const char *const bodies[] = {
    "{}", "", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\"}",
    "{\"method\": \"exit\"}"};

/* Up to three in a row. */
static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t size = 0;
    for (size_t n = 1 + which % 3; n > 0 && size < room; n--) {
        const char *body = bodies[(which / 3 + n) % COUNT(bodies)];
        size += (size_t)snprintf((char *)to + size, room - size, headers[which % COUNT(headers)],
                                 strlen(body), body);
    }
    return size < room ? size : room;
}

/* The first length becomes that of all that follows, if it has as many digits. */
static void repair(uint8_t *data, size_t size)
{
    uint8_t *end = memmem(data, size, "\r\n\r\n", 4);
    uint8_t *digits = end ? memmem(data, (size_t)(end - data), ": ", 2) : NULL;
    char number[24];
    if (!digits)
        return;
    digits += 2;
    size_t n = (size_t)(end - digits), left = size - (size_t)(end + 4 - data);
    if ((size_t)snprintf(number, sizeof number, "%zu", left) == n)
        memcpy(digits, number, n);
}

static const char *const words[] = {"Content-Length: ",
                                    "content-length:",
                                    "\r\n",
                                    "\n",
                                    "\r",
                                    "\r\n\r\n",
                                    ": ",
                                    "0",
                                    "1",
                                    "67108865",
                                    "1099511627777",
                                    "99999999999999999999",
                                    "-1",
                                    " ",
                                    NULL};

const struct fuzz_target fuzz_target = {
    .name = "lsp",
    .seed_count = 3 * 3 * COUNT(bodies),
    .seed = seed,
    .repair = repair,
    .words = words,
};
