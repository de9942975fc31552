/* Keys: what is made at a place of the program, and looked up there again. */
#include "analyzer/flow/values/values.h"

uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    return hash_words(a, b, c);
}
