// What the programs share: where their tensors come from, and who computes the graph. miscast sees
// these declarations only; run.cpp defines them for ggml itself.
#pragma once
#include "ggml.h"

#include <cstdint>
#include <initializer_list>

// A tensor of a file: matrices have the type of the file, vectors are f32. All elements are small.
ggml_tensor *load(ggml_context *ctx, const char *name, std::initializer_list<int64_t> sizes);

// Gives the tensors of the context the memory of the CPU backend.
void place(ggml_context *ctx);

void compute(ggml_context *ctx, ggml_cgraph *gf);
