/* The parts of the model, and how they are assembled. @ stands for the number of a part. */
#include "tests/bench/model.h"

#include <stdio.h>
#include <string.h>

/* ---- headers ----------------------------------------------------------------------------------
 */

static const struct header {
    const char *name, *text;
} headers[] = {
    {"config.h",
     "#pragma once\n"
     "#include <stdbool.h>\n"
     "#include <stdint.h>\n"
     "struct config { int64_t width, heads, hidden, vocabulary; bool half; double rate; };\n"},
    {"weights.h", "#pragma once\n"
                  "#include <miscast/tensor.h>\n"
                  "struct linear { mc_tensor *weight, *bias; };\n"
                  "struct norm { mc_tensor *weight, *bias; };\n"},
    {"layers.h", "#pragma once\n"
                 "#include \"weights.h\"\n"
                 "static inline mc_tensor *linear(const struct linear *l, mc_tensor *x)\n"
                 "{\n    return mc_linear(x, l->weight, l->bias);\n}\n"
                 "static inline mc_tensor *norm(const struct norm *n, mc_tensor *x)\n"
                 "{\n    return mc_layer_norm(x, n->weight, n->bias);\n}\n"},
    {"data.h", "#pragma once\n"
               "#include <miscast/tensor.h>\n"
               "#include <stdio.h>\n"
               "struct batch { mc_tensor *tokens, *targets, *mask; };\n"},
    {"train.h", "#pragma once\n"
                "#include <assert.h>\n"
                "#include <math.h>\n"
                "#include <stdlib.h>\n"
                "#include <string.h>\n"
                "#include \"config.h\"\n"
                "struct progress { double loss, best; int step, bad; char name[32]; };\n"},
};
enum { HEADERS = sizeof headers / sizeof *headers };

void model_write_headers(const char *folder)
{
    for (int i = 0; i < HEADERS; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, headers[i].name);
        FILE *f = fopen(path, "w");
        if (!f || fputs(headers[i].text, f) < 0 || fclose(f))
            BUG("cannot write %s", path);
    }
}

/* ---- parts ------------------------------------------------------------------------------------
 */

static const char part[] =
    "struct block@ {\n"
    "    struct norm before, after;\n"
    "    struct linear qkv, out, up, down;\n"
    "    int64_t heads;\n"
    "};\n"
    "\n"
    "/* Weights are small at first, so that the sum with what comes in changes little. */\n"
    "static struct linear new_linear@(int64_t in, int64_t out, bool half)\n"
    "{\n"
    "    mc_tensor *w = mc_mul(mc_randn(mc_shape(out, in)), 1 / sqrt((double)in));\n"
    "    mc_tensor *b = mc_zeros(mc_shape(out));\n"
    "    return (struct linear){half ? mc_half(w) : w, half ? mc_half(b) : b};\n"
    "}\n"
    "\n"
    "static struct block@ new_block@(const struct config *c)\n"
    "{\n"
    "    struct block@ b = {.heads = c->heads};\n"
    "    b.before = (struct norm){mc_ones(mc_shape(c->width)), mc_zeros(mc_shape(c->width))};\n"
    "    b.after = (struct norm){mc_ones(mc_shape(c->width)), mc_zeros(mc_shape(c->width))};\n"
    "    b.qkv = new_linear@(c->width, 3 * c->width, c->half);\n"
    "    b.out = new_linear@(c->width, c->width, c->half);\n"
    "    b.up = new_linear@(c->width, c->hidden, c->half);\n"
    "    b.down = new_linear@(c->hidden, c->width, c->half);\n"
    "    return b;\n"
    "}\n"
    "\n"
    "static mc_tensor *attend@(const struct block@ *b, mc_tensor *x, mc_tensor *mask)\n"
    "{\n"
    "    assert(b->heads > 0);\n"
    "    mc_tensor *h = linear(&b->qkv, x);\n"
    "    int64_t width = 256 / b->heads;\n"
    "    mc_tensor *q = mc_narrow(h, -1, 0, width);\n"
    "    mc_tensor *k = mc_narrow(h, -1, width, width);\n"
    "    mc_tensor *v = mc_narrow(h, -1, 2 * width, width);\n"
    "    mc_tensor *scores = mc_mul(mc_matmul(q, mc_transpose(k, -2, -1)), 1 / sqrt(64.0));\n"
    "    if (mask)\n"
    "        scores = mc_add(scores, mc_to_dtype(mask, mc_dtype_of(scores)));\n"
    "    return linear(&b->out, mc_matmul(mc_softmax(scores, -1), v));\n"
    "}\n"
    "\n"
    "/* The dropout is left out: there is %03d of it in all. */\n"
    "static mc_tensor *block@_forward(const struct block@ *b, mc_tensor *x, mc_tensor *mask)\n"
    "{\n"
    "    mc_tensor *h = norm(&b->before, x);\n"
    "    for (int i = 0; i < 3; i++) {\n"
    "        mc_tensor *a = attend@(b, h, mask);\n"
    "        h = i ? mc_add(h, a) : mc_mul(a, 0.%03d);\n"
    "    }\n"
    "    mc_tensor *up = mc_gelu(linear(&b->up, norm(&b->after, h)));\n"
    "    mc_tensor *down = linear(&b->down, up);\n"
    "    return mc_add(x, mc_relu(down));\n"
    "}\n"
    "\n"
    "static double step@(struct block@ *b, const struct batch *data, struct progress *p)\n"
    "{\n"
    "    mc_tensor *y = block@_forward(b, data->tokens, data->mask);\n"
    "    mc_tensor *loss = mc_mean(mc_square(mc_sub(y, data->targets)));\n"
    "    p->loss = mc_item(loss);\n"
    "    if (p->loss < p->best || !p->step) {\n"
    "        p->best = p->loss;\n"
    "        snprintf(p->name, sizeof p->name, \"block@-%%d\", p->step);\n"
    "    } else if (isnan(p->loss)) {\n"
    "        p->bad++;\n"
    "        fprintf(stderr, \"block@: step %%d is not a number\\n\", p->step);\n"
    "    }\n"
    "    p->step++;\n"
    "    return p->loss;\n"
    "}\n"
    "\n";

static const char mistake[] = "mc_tensor *score@(void)\n"
                              "{\n"
                              "    mc_tensor *w = mc_half(mc_ones(mc_shape(4, 4)));\n"
                              "    return mc_matmul(w, mc_ones(mc_shape(4, 4)));\n"
                              "}\n"
                              "\n";

/* Experiments of their own, as files like this have them. */
static const char use[] = "double train@(const struct config *c)\n"
                          "{\n"
                          "    struct progress p = {0};\n"
                          "    struct block@ b = new_block@(c);\n"
                          "    mc_dtype dtype = c->half ? MC_F16 : MC_F32;\n"
                          "    struct batch data = {mc_randn(mc_shape(8, 64), .dtype = dtype),\n"
                          "                         mc_zeros(mc_shape(8, 64)), NULL};\n"
                          "    for (int i = 0; i < 10; i++)\n"
                          "        step@(&b, &data, &p);\n"
                          "    return p.best;\n"
                          "}\n"
                          "\n";

static int lines_in(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void add_part(struct text *out, const char *form, int number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    for (const char *p = form; *p; p++)
        if (*p == '@')
            text_add(out, digits);
        else if (!strncmp(p, "%03d", 4)) {
            text_printf(out, "%03d", (number * 37 + 101) % 1000);
            p += 3;
        } else if (*p == '%' && p[1] == '%') {
            text_add(out, "%");
            p++;
        } else {
            text_add_range(out, p, 1);
        }
}

void model_generate(struct text *out, int lines, size_t *place)
{
    int count = 0;
    for (int i = 0; i < HEADERS; i++)
        text_printf(out, "#include \"%s\"\n", headers[i].name);
    text_add(out, "\n");
    for (int left = lines - 6; left > 0; count++) {
        add_part(out, part, count);
        add_part(out, use, count);
        left -= lines_in(part) + lines_in(use);
        if (count % 7 == 3)
            add_part(out, mistake, count);
        left -= count % 7 == 3 ? lines_in(mistake) : 0;
    }
    const char *middle = strstr(out->data + out->length / 2, "mc_mul(a, 0.");
    *place = (size_t)(middle - out->data) + strlen("mc_mul(a, 0.");
}
