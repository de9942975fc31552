/* The collator marks what is not padding. */
#include "chat.h"

void batch_collate(struct batch *b, const int64_t *ids)
{
    b->ids = mc_from_array(ids, mc_shape(BATCH, LENGTH));
    b->padding_mask = mc_ne(b->ids, PAD);
}
