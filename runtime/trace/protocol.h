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

#endif
