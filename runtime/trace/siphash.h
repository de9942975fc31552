/* SipHash-2-4 (Aumasson and Bernstein): a keyed hash whose results cannot be computed or guessed
 * without the key. The analyzer seals what it stores with it, too, so this header depends on
 * nothing else in the runtime. Results are the same on every machine. */
#ifndef RUNTIME_SIPHASH_H
#define RUNTIME_SIPHASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct siphash {
    uint64_t v[4];
    uint64_t length; /* bytes so far */
};

static inline uint64_t siphash_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void siphash_rounds(struct siphash *s, int count)
{
    uint64_t *v = s->v;
    for (; count > 0; count--) {
        v[0] += v[1], v[2] += v[3];
        v[1] = siphash_rotate(v[1], 13) ^ v[0], v[3] = siphash_rotate(v[3], 16) ^ v[2];
        v[0] = siphash_rotate(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = siphash_rotate(v[1], 17) ^ v[2], v[3] = siphash_rotate(v[3], 21) ^ v[0];
        v[2] = siphash_rotate(v[2], 32);
    }
}

static inline struct siphash siphash_begin(const uint64_t key[2])
{
    return (struct siphash){
        .v = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
              key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)}};
}

static inline void siphash_mix(struct siphash *s, uint64_t word)
{
    s->v[3] ^= word;
    siphash_rounds(s, 2);
    s->v[0] ^= word;
}

static inline void siphash_word(struct siphash *s, uint64_t word)
{
    s->length += sizeof word;
    siphash_mix(s, word);
}

/* The last bytes of the message. Only words may come before them. */
static inline void siphash_tail(struct siphash *s, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    uint64_t word;
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        siphash_word(s, le64toh(word));
    }
    word = (s->length + n) << 56;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)at[i] << 8 * i;
    siphash_mix(s, word);
}

static inline uint64_t siphash_result(const struct siphash *s)
{
    return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

/* 64 bits, after the tail. */
static inline uint64_t siphash_end(struct siphash *s)
{
    s->v[2] ^= 0xff;
    siphash_rounds(s, 4);
    return siphash_result(s);
}

/* The variant with 128 bits of output: of a whole message. */
static inline void siphash_128(const uint64_t key[2], const void *bytes, size_t n, uint64_t out[2])
{
    struct siphash s = siphash_begin(key);
    s.v[1] ^= 0xee;
    siphash_tail(&s, bytes, n);
    s.v[2] ^= 0xee;
    siphash_rounds(&s, 4);
    out[0] = siphash_result(&s);
    s.v[1] ^= 0xdd;
    siphash_rounds(&s, 4);
    out[1] = siphash_result(&s);
}

#endif
