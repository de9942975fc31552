// Pairs of matrices are read from a file that says the type of each: only those in f32 are merged.
#include "model.h"
#include <cstdio>
#include <string>
#include <unordered_map>

static FILE *open_adapter()
{
    const int types[] = {0, 1};
    FILE *file = tmpfile();
    for (int type : types) {
        fwrite(&type, sizeof type, 1, file);
        fwrite(type ? "q.loraB" : "q.loraA", 1, 8, file);
    }
    rewind(file);
    return file;
}

int run(ggml_context *ctx)
{
    FILE *file = open_adapter();
    std::unordered_map<std::string, ggml_tensor *> tensors;
    ggml_tensor *out = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 16);
    while (true) {
        int ftype = 0;
        if (fread(&ftype, sizeof ftype, 1, file) != 1)
            break;
        char buf[8];
        if (fread(buf, 1, sizeof buf, file) != sizeof buf)
            break;
        std::string name = buf;
        size_t pos = name.rfind(".lora");
        if (pos == std::string::npos)
            return 1;
        std::string base = name;
        base.erase(pos);
        ggml_type wtype;
        switch (ftype) {
        case 0:
            wtype = GGML_TYPE_F32;
            break;
        case 1:
            wtype = GGML_TYPE_F16;
            break;
        default:
            return 1;
        }
        tensors[name] = ggml_new_tensor_2d(ctx, wtype, 4, 16);
        if (tensors.find(base + ".loraA") == tensors.end() ||
            tensors.find(base + ".loraB") == tensors.end())
            continue;
        ggml_tensor *a = tensors[base + ".loraA"];
        ggml_tensor *b = tensors[base + ".loraB"];
#ifndef BUG
        if (a->type != GGML_TYPE_F32 || b->type != GGML_TYPE_F32)
            continue;
#endif
        out = ggml_add(ctx, out, ggml_mul_mat(ctx, a, b)); // bug
    }
    fclose(file);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_sqr(ctx, out));
    compute(ctx, gf);
    return 0;
}
