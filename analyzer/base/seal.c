/* Seals: bytes and a secret come in, what only somebody who has the secret can make goes out.
 * SipHash-2-4 with 128 bits of output (Aumasson and Bernstein): a keyed function, made so that it
 * cannot be computed, or its results guessed, without the key. The other hashes here are not. */
#include "analyzer/base/base.h"

#include <endian.h>
#include <string.h>

struct sip {
    uint64_t v[4];
};

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_rounds(struct sip *s, int count)
{
    uint64_t *v = s->v;
    for (; count > 0; count--) {
        v[0] += v[1], v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

/* The same on every machine: a store may come from another of the user's. */
static uint64_t last_word(const unsigned char *bytes, size_t n)
{
    uint64_t word = (uint64_t)n << 56;
    for (size_t i = 0; i < n % 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static uint64_t next_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return le64toh(word);
}

static void sip_word(struct sip *s, uint64_t word)
{
    s->v[3] ^= word;
    sip_rounds(s, 2);
    s->v[0] ^= word;
}

struct digest seal_of(const struct seal *key, const void *bytes, size_t n)
{
    struct sip s = {{UINT64_C(0x736f6d6570736575) ^ key->secret[0],
                     UINT64_C(0x646f72616e646f6d) ^ key->secret[1] ^ 0xee,
                     UINT64_C(0x6c7967656e657261) ^ key->secret[0],
                     UINT64_C(0x7465646279746573) ^ key->secret[1]}};
    const unsigned char *at = bytes;
    struct digest d;
    for (size_t left = n; left >= 8; left -= 8, at += 8)
        sip_word(&s, next_word(at));
    sip_word(&s, last_word(at, n));
    s.v[2] ^= 0xee;
    sip_rounds(&s, 4);
    d.low = s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
    s.v[1] ^= 0xdd;
    sip_rounds(&s, 4);
    d.high = s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
    return d;
}
