// What the programs share: where their tensors come from, and who computes the graph. miscast sees
// these declarations only; run.cpp defines them for ggml itself.
#pragma once
#include "ggml.h"

#include <cstdint>
#include <initializer_list>
#include <unordered_map>

// A tensor of a file: matrices have the type of the file, vectors are f32. All elements are small.
ggml_tensor *load(ggml_context *ctx, const char *name, std::initializer_list<int64_t> sizes);

// Some of the matrices of a file; nullptr: it does not have that one.
ggml_tensor **load_some(ggml_context *ctx, int count);

// Adapters, with their strength; what one adds to a matrix; nullptr: nothing.
struct file_adapter {
    float alpha;
};
using adapter_map = std::unordered_map<file_adapter *, float>;
const adapter_map *load_adapters();
ggml_tensor *adapter_for(file_adapter *a, ggml_tensor *w);

// Gives the tensors of the context the memory of the CPU backend.
void place(ggml_context *ctx);

void compute(ggml_context *ctx, ggml_cgraph *gf);
