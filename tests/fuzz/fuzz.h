/* The interface of a fuzz target. Two engines run it: libFuzzer (engine.c), and driver.c, which
 * needs no instrumented build and derives its inputs from the target's own valid ones. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_ROOM 4096 /* bytes; inputs are not larger */

struct fuzz_target {
    const char *name;
    size_t seed_count;
    /* Builds valid input number `which` and returns its size, at most room. */
    size_t (*seed)(size_t which, uint8_t *to, size_t room);
    /* Corrects the length at the front of an input to match what follows, if it can. */
    void (*repair)(uint8_t *data, size_t size);
    const char *const *words; /* worth inserting into an input; NULL-terminated */
    bool is_text;             /* mutated by tokens, lines and brackets */
};

extern const struct fuzz_target fuzz_target;
extern unsigned long fuzz_loaded; /* inputs that turned out to be valid */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
