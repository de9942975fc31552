/* What both ends of the channel of events agree on: `miscast verify`, which runs a program, and the
 * runtime inside it. Every event is numbered and sealed with a key that only the two know. Both are
 * on one machine, so numbers are as that machine has them. */
#ifndef RUNTIME_SEAL_H
#define RUNTIME_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The descriptor that the runtime looks at, before any code of the program can run. */
enum { CHANNEL_DESCRIPTOR = 200 };
/* So many events are told in full, and so many at all, whatever the environment says. */
enum { CHANNEL_FULL = 8000, CHANNEL_EVENTS = 200000 };

#define CHANNEL_WORD "miscast1"

/* What is there to be read first. */
struct channel_hello {
    char word[8];
    uint64_t key[2];
};

/* Stands before each event, which is one line, in one message. */
struct channel_head {
    uint64_t number; /* from 1 on */
    uint64_t seal;
};

struct sip {
    uint64_t v[4];
};

static inline uint64_t sip_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(struct sip *s)
{
    uint64_t *v = s->v;
    v[0] += v[1], v[2] += v[3];
    v[1] = sip_rotate(v[1], 13) ^ v[0], v[3] = sip_rotate(v[3], 16) ^ v[2];
    v[0] = sip_rotate(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = sip_rotate(v[1], 17) ^ v[2], v[3] = sip_rotate(v[3], 21) ^ v[0];
    v[2] = sip_rotate(v[2], 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
    s->v[3] ^= word;
    sip_round(s);
    sip_round(s);
    s->v[0] ^= word;
}

/* SipHash-2-4 of the number and the text. */
static inline uint64_t event_seal(const uint64_t key[2], uint64_t number, const char *text,
                                  size_t size)
{
    struct sip s = {{key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u}};
    uint64_t word;
    size_t at = 0;
    sip_word(&s, number);
    for (; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        sip_word(&s, word);
    }
    word = (uint64_t)(size + sizeof number) << 56;
    for (int i = 0; at < size; at++, i++)
        word |= (uint64_t)(unsigned char)text[at] << 8 * i;
    sip_word(&s, word);
    s.v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(&s);
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

#endif
