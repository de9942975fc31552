/* Seals: a message authentication code of bytes under a secret key, SipHash-2-4 with 128 bits of
 * output. Unlike the other hashes here it cannot be forged without the key. */
#include "analyzer/base/base.h"

#include "runtime/trace/siphash.h"

struct digest seal_of(const struct seal *key, const void *bytes, size_t n)
{
    uint64_t sum[2];
    siphash_128(key->secret, bytes, n, sum);
    return (struct digest){.low = sum[0], .high = sum[1]};
}
