/* The protocol of the event channel between `miscast verify`, which runs a program, and the runtime
 * inside that program. Every event is numbered and sealed with a key that only the two know. Both
 * run on one machine, so numbers are in its byte order. A command that starts other processes
 * shares one channel with them: each process takes a message with a key of its own. */
#ifndef RUNTIME_PROTOCOL_H
#define RUNTIME_PROTOCOL_H

#include "runtime/trace/siphash.h"

/* The descriptor that the runtime checks, before any code of the program runs. */
enum { CHANNEL_DESCRIPTOR = 200 };
/* How many events are reported in full, and at all, whatever the environment says. */
enum { CHANNEL_FULL = 8000, CHANNEL_EVENTS = 200000 };

#define CHANNEL_WORD "miscast2"

/* What the runtime is to do; a set. */
enum {
    CHANNEL_SHADOW = 1, /* keep shadow values, and report what was lost */
    CHANNEL_SHARED = 2, /* leave the channel to processes that it starts; begin with a record that
                           says which program it is */
    CHANNEL_DIGEST = 4, /* a seal is that of a short digest of the text: for whoever computes seals
                           slowly, and cannot hide the key from the program anyway */
};

/* The first message to a process. */
struct channel_hello {
    char word[8];
    uint64_t key[2];
    uint64_t wants;
    uint64_t process; /* its number in what it sends */
};

/* Precedes each event, which is one line, in one message. */
struct channel_head {
    uint64_t number; /* from 1 on, for each process */
    uint64_t seal;
    uint64_t process;
};

/* SipHash-2-4 of the number and the text. */
static inline uint64_t event_seal(const uint64_t key[2], uint64_t number, const char *text,
                                  size_t size)
{
    struct siphash s = siphash_begin(key);
    siphash_word(&s, number);
    siphash_tail(&s, text, size);
    return siphash_end(&s);
}

/* CRC-32 of the text, as zlib has it. */
static inline uint32_t event_digest(const char *text, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* SipHash-2-4 of the number and the digest, in 8 bytes. */
static inline uint64_t event_digest_seal(const uint64_t key[2], uint64_t number, const char *text,
                                         size_t size)
{
    uint64_t digest = htole64(event_digest(text, size));
    return event_seal(key, number, (const char *)&digest, sizeof digest);
}

#endif
