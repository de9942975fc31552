/* Reads handwriting: a picture of a page becomes characters. */
#ifndef PAGE_H
#define PAGE_H

#include <miscast/tensor.h>

enum { LENGTH = 5, FEATURES = 6, CHARACTERS = 8, PADDING = 0 };

struct sample {
    mc_tensor *features; /* (LENGTH, FEATURES) */
    mc_tensor *target;   /* (LENGTH) */
};

struct sample sample_read(const char *text);
mc_tensor *page_loss(mc_tensor *w, const struct sample *s);

#endif
