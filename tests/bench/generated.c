/* Writes the programs of generated.h. */
#include "tests/bench/generated.h"

#include "analyzer/base/base.h"

#include <string.h>

enum { TENSORS = 200 };

/* ---- length ---------------------------------------------------------------------------------- */

void layers_write(const char *path, int lines)
{
    FILE *to = fopen(path, "w");
    if (!to)
        BUG("cannot write %s", path);
    fprintf(to, "#include <miscast/tensor.h>\n");
    for (int i = 0; i < lines / 20; i++)
        fprintf(to,
                "\n/* Layer %d. */\n"
                "static mc_tensor *layer%d(mc_tensor *x, mc_tensor *w, int wide)\n"
                "{\n"
                "    mc_tensor *y = mc_matmul(x, w);\n"
                "    if (wide)\n"
                "        y = mc_to_dtype(y, MC_F32);\n"
                "    for (int i = 0; i < %d; i++) {\n"
                "        y = mc_add(y, x);\n"
                "    }\n"
                "    return mc_relu(y);\n"
                "}\n"
                "\n"
                "mc_tensor *use%d(mc_tensor *x, int n)\n"
                "{\n"
                "    mc_tensor *w = mc_ones(mc_shape(8, 8), .dtype = MC_F32);\n"
                "    int wide = n > %d;\n"
                "    return layer%d(x, w, wide);\n"
                "}\n",
                i, i, i % 7 + 2, i, i % 5, i);
    fclose(to);
}

/* ---- options --------------------------------------------------------------------------------- */

/* Every line goes through here: the last one is known. */
static void PRINTF_LIKE(3, 4) line(FILE *to, int *count, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfprintf(to, fmt, args);
    va_end(args);
    fputc('\n', to);
    ++*count;
}

static void write_loop(FILE *to, int *n, int k)
{
    for (int i = 0; i < k; i++)
        line(to, n, "    bool f%d = false;", i);
    line(to, n, "    for (int i = 1; i < argc; i++) {");
    for (int i = 0; i < k; i++) {
        line(to, n, "        %sif (!strcmp(argv[i], \"--o%d\"))", i ? "else " : "", i);
        line(to, n, "            f%d = true;", i);
    }
    line(to, n, "        else if (!strcmp(argv[i], \"--seed\") && i + 1 < argc)");
    line(to, n, "            seed = (unsigned)atoi(argv[++i]);");
    line(to, n, "        else");
    line(to, n, "            return 2;");
    line(to, n, "    }");
}

static void write_cast(FILE *to, int *n, int option, int tensor)
{
    line(to, n, "    if (f%d)", option);
    line(to, n, "        t%d = mc_half(t%d);", tensor, tensor);
}

int options_write(const char *path, int k, bool forgets)
{
    FILE *to = fopen(path, "w");
    int n = 0, forgotten = k / 2, fails = 0;
    if (!to)
        BUG("cannot write %s", path);
    line(to, &n, "#include <miscast/tensor.h>");
    line(to, &n, "#include <stdlib.h>");
    line(to, &n, "#include <string.h>");
    line(to, &n, "int main(int argc, char **argv)");
    line(to, &n, "{");
    line(to, &n, "    unsigned seed = 0;");
    write_loop(to, &n, k);
    for (int i = 0; i < TENSORS; i++)
        line(to, &n, "    mc_tensor *t%d = mc_rand(mc_shape(4, 4));", i);
    for (int i = 0; i < k; i++) {
        write_cast(to, &n, i, 2 * i);
        if (!forgets || i != forgotten)
            write_cast(to, &n, i, 2 * i + 1);
    }
    for (int i = 0; i < TENSORS; i += 2) {
        line(to, &n, "    mc_print(mc_matmul(t%d, t%d));", i, i + 1);
        fails = i == 2 * forgotten ? n : fails;
    }
    line(to, &n, "    return (int)seed;");
    line(to, &n, "}");
    fclose(to);
    return fails;
}

bool is_reported(const char *miscast, const char *path, int number, int *others)
{
    char text[2000], place[40];
    bool found = false;
    snprintf(text, sizeof text, "%s check --no-cache --isolated --format concise '%s' 2>/dev/null",
             miscast, path);
    snprintf(place, sizeof place, ".c:%d:", number);
    FILE *from = popen(text, "r");
    *others = 0;
    while (from && fgets(text, sizeof text, from)) {
        bool here = strstr(text, place) != NULL;
        found |= here;
        *others += !here;
    }
    if (from)
        pclose(from);
    return found;
}
