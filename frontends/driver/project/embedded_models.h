/* Units of the model files that come along, as data: embedded_models.c makes units of them,
 * cmake/embed_models.c writes them. */
#ifndef FRONTENDS_DRIVER_EMBEDDED_MODELS_H
#define FRONTENDS_DRIVER_EMBEDDED_MODELS_H

#include "analyzer/ir/ir.h"

struct embedded_model {
    struct digest digest; /* of its file */
    const uint32_t *words;
    const char *texts;
    int text_count;
};

/* Ends with one without words. */
extern const struct embedded_model embedded_models[];

/* NULL: the file is none of theirs, or was edited since the program was built. */
struct ir_unit *embedded_unit(const char *file);

#endif
