/* The words of random edits: C with our API, and Python with PyTorch. */
#include "tests/lsp/edit_words.h"

#include <stdio.h>

/* ---- C --------------------------------------------------------------------------------------- */

static const char *const words_c[] = {"{",
                                      "}",
                                      ";",
                                      "(",
                                      ")",
                                      "\"",
                                      "/*",
                                      "*/",
                                      "//",
                                      "#if 0\n",
                                      "#endif\n",
                                      "\n",
                                      "\r\n",
                                      "é",
                                      "𝛼",
                                      "0",
                                      " x",
                                      "mc_half(",
                                      "mc_float(",
                                      "return NULL;\n",
                                      "if (0) ",
                                      "#include \"nothing.h\"\n",
                                      "mc_tensor *q = mc_ones(mc_shape(2));\n",
                                      "\\\n",
                                      "/* miscast: ignore */",
                                      "\t",
                                      NULL};

static const char *const pairs_c[][2] = {{"mc_half(", "mc_float("},
                                         {"mc_float(", "mc_half("},
                                         {"MC_F32", "MC_F16"},
                                         {"MC_F16", "MC_F32"},
                                         {"MC_CPU", "MC_CUDA"},
                                         {"mc_add(", "mc_matmul("},
                                         {"mc_mul(", "mc_add("},
                                         {"mc_matmul(", "mc_sub("},
                                         {"MC_I64", "MC_F32"},
                                         {"mc_zeros(", "mc_ones("},
                                         {"mc_ones(", "mc_randint("},
                                         {"mc_detach(", "mc_half("},
                                         {0}};

static const char *const lines_c[] = {"\n",
                                      "\n\n\n",
                                      "\r\n",
                                      "/* a note */\n",
                                      "    // x\n",
                                      "/* two\n * of them */\n",
                                      "  /**/  \t\n",
                                      "// goes on \\\n here\n",
                                      NULL};

static const char *const bodies_c[] = {
    "    return mc_half(x);\n", "    mc_tensor *y = mc_float(x);\n\n    return mc_add(x, y);\n",
    "    return mc_matmul(mc_half(mc_ones(mc_shape(2, 2))), mc_ones(mc_shape(2, 2)));\n", NULL};

static const char *const statements_c[] = {
    "    (void)0;\n", "    mc_ones(mc_shape(2));\n",
    "    {\n        int added = 1;\n        (void)added;\n    }\n", "    unknown_call();\n", NULL};

static void function_c(char *to, size_t size, int number, size_t kind, const char *body)
{
    snprintf(to, size,
             "\n%smc_tensor *added%d(mc_tensor *x);\nmc_tensor *added%d(mc_tensor *x)\n{\n%s}\n",
             kind ? "static " : "", number, number, body);
}

const struct edit_words c_words = {words_c, lines_c, bodies_c,       statements_c, pairs_c,
                                   "//",    "\n}\n", "\n    return", function_c};

/* ---- Python ---------------------------------------------------------------------------------- */

static const char *const words_python[] = {"(",
                                           ")",
                                           "[",
                                           "]",
                                           ":",
                                           "\"",
                                           "'",
                                           "\"\"\"",
                                           "#",
                                           "\n",
                                           "\r\n",
                                           "    ",
                                           "\t",
                                           "é",
                                           "𝛼",
                                           "0",
                                           " x",
                                           ".half()",
                                           ".float()",
                                           ".cuda()",
                                           "return\n",
                                           "if True:\n",
                                           "import nothing\n",
                                           "from torch import *\n",
                                           "q = torch.ones(2)\n",
                                           "lambda: ",
                                           " if x else ",
                                           "\\\n",
                                           "  # noqa",
                                           "# miscast: ignore",
                                           "del x\n",
                                           "*",
                                           "f\"{",
                                           "yield ",
                                           "async ",
                                           NULL};

static const char *const pairs_python[][2] = {
    {".half()", ".float()"},
    {".float()", ".half()"},
    {"float32", "float16"},
    {"float16", "float32"},
    {"bfloat16", "float64"},
    {"\"cuda\"", "\"cpu\""},
    {"\"cpu\"", "\"cuda\""},
    {".long()", ".int()"},
    {"torch.zeros(", "torch.ones("},
    {"torch.randn(", "torch.rand("},
    {" + ", " @ "},
    {" @ ", " * "},
    {"nn.Linear(", "nn.LayerNorm("},
    {"self.", "other."},
    {"    ", "  "},
    {0},
};

static const char *const lines_python[] = {"\n",         "\n\n\n",          "\r\n",
                                           "# a note\n", "    # x\n",       "# two\n# of them\n",
                                           "  \t\n",     "\"\"\"x\"\"\"\n", NULL};

static const char *const bodies_python[] = {
    "    return x.half()\n", "    y = x.float()\n\n    return x + y\n",
    "    import torch\n    return torch.ones(2, 2).half() @ torch.ones(2, 2)\n", NULL};

static const char *const statements_python[] = {
    "        pass\n",
    "        torch.ones(2)\n",
    "    pass\n",
    "        if x is not None:\n            added = 1\n",
    "        unknown_call()\n",
    NULL};

static void function_python(char *to, size_t size, int number, size_t kind, const char *body)
{
    if (kind)
        snprintf(to, size, "def added%d(x):\n%s\n\n", number, body);
    else
        snprintf(to, size, "def added%d(x):\n%s\n\nadded%d(torch.ones(2, 2))\n\n\n", number, body,
                 number);
}

const struct edit_words python_words = {words_python,      lines_python,       bodies_python,
                                        statements_python, pairs_python,       "#",
                                        "\n\n\n",          "\n        return", function_python};
