/* Parameters in a file. */
#include "parameters.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void parameters_add(struct parameters *p, mc_tensor *tensor, const char *format, ...)
{
    if (p->count == MAX_PARAMETERS) {
        fprintf(stderr, "more than %d parameters\n", MAX_PARAMETERS);
        exit(2);
    }
    va_list words;
    va_start(words, format);
    vsnprintf(p->names[p->count], MAX_NAME, format, words);
    va_end(words);
    p->tensors[p->count++] = tensor;
}

bool checkpoint_save(const struct parameters *p, const char *path)
{
    mc_scope s = mc_scope_begin();
    const char *names[MAX_PARAMETERS];
    mc_tensor *tensors[MAX_PARAMETERS];
    for (size_t i = 0; i < p->count; i++) {
        names[i] = p->names[i];
        tensors[i] = mc_cpu(mc_detach(p->tensors[i]));
    }
    bool saved = mc_safetensors_save(path, p->count, names, tensors);
    mc_scope_end(s);
    return saved;
}

bool checkpoint_agrees(const struct parameters *p, const char *path)
{
    mc_scope s = mc_scope_begin();
    mc_safetensors *file = mc_safetensors_open(path);
    bool same = file && mc_safetensors_count(file) == p->count;
    for (size_t i = 0; same && i < p->count; i++) {
        mc_tensor *there = mc_safetensors_get(file, p->names[i]);
        mc_tensor *here = mc_cpu(mc_detach(p->tensors[i]));
        same = mc_dtype_of(there) == mc_dtype_of(here) && mc_equal(there, here);
    }
    mc_safetensors_close(file);
    mc_scope_end(s);
    return same;
}
