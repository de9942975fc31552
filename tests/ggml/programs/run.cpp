// Runs a program of this folder with ggml: run.sh. Prints a sum over the last node's elements.
#include "model.h"

#include "ggml-cpu.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int run(ggml_context *ctx);

static void *memory;
static const size_t memory_size = 256u << 20;

static void fill(ggml_tensor *t)
{
    for (int64_t i = 0; i < ggml_nelements(t); i++) {
        float value = 0.01f * static_cast<float>(i % 7 - 2);
        if (t->type == GGML_TYPE_F32)
            static_cast<float *>(t->data)[i] = value;
        else
            static_cast<ggml_fp16_t *>(t->data)[i] = ggml_fp32_to_fp16(value);
    }
}

ggml_tensor *load(ggml_context *ctx, const char *name, std::initializer_list<int64_t> sizes)
{
    ggml_type type = sizes.size() > 1 && !strstr(name, "f32") ? GGML_TYPE_F16 : GGML_TYPE_F32;
    ggml_tensor *t = ggml_new_tensor(ctx, type, static_cast<int>(sizes.size()), sizes.begin());
    fill(t);
    return ggml_set_name(t, name);
}

// Every third.
ggml_tensor **load_some(ggml_context *ctx, int count)
{
    ggml_tensor **all = static_cast<ggml_tensor **>(calloc(count, sizeof *all));
    for (int i = 0; i < count; i++)
        all[i] = i < 6 || i % 3 == 0 ? load(ctx, "some.f32", {16, 16}) : nullptr;
    return all;
}

const adapter_map *load_adapters()
{
    static const adapter_map none;
    return &none;
}

ggml_tensor *adapter_for(file_adapter *, ggml_tensor *)
{
    return nullptr;
}

void place(ggml_context *ctx)
{
    ggml_backend_buffer_t buffer = ggml_backend_cpu_buffer_from_ptr(memory, memory_size);
    for (ggml_tensor *t = ggml_get_first_tensor(ctx); t; t = ggml_get_next_tensor(ctx, t))
        t->buffer = buffer;
}

void compute(ggml_context *ctx, ggml_cgraph *gf)
{
    printf("built\n");
    fflush(stdout);
    ggml_graph_compute_with_ctx(ctx, gf, 1);
    ggml_tensor *t = ggml_graph_node(gf, -1);
    double sum = 0;
    for (int64_t i = 0; i < ggml_nelements(t); i++) {
        float element = t->type == GGML_TYPE_F32 ? static_cast<float *>(t->data)[i]
                        : t->type == GGML_TYPE_I32
                            ? static_cast<float>(static_cast<int32_t *>(t->data)[i])
                            : ggml_fp16_to_fp32(static_cast<ggml_fp16_t *>(t->data)[i]);
        sum += static_cast<double>(i % 13 + 1) * std::fabs(element);
    }
    printf("computed %.6g\n", sum);
}

int main()
{
    memory = memset(aligned_alloc(64, memory_size), 0, memory_size);
    ggml_init_params params = {memory_size, memory, false};
    return run(ggml_init(params));
}
