/* Seals: bytes and a secret come in, and out goes what cannot be made without the secret: a keyed
 * hash of 128 bits (SipHash-2-4). The other hashes here are not keyed. */
#include "analyzer/base/base.h"

#include "runtime/trace/siphash.h"

struct digest seal_of(const struct seal *key, const void *bytes, size_t n)
{
    uint64_t sum[2];
    siphash_128(key->secret, bytes, n, sum);
    return (struct digest){.low = sum[0], .high = sum[1]};
}
