/* Fuzzes lowering: no C text crashes libclang, lowering, flow or the rules, and the IR keeps its
 * invariants. */
#include <ctype.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/robust/way.h"

unsigned long fuzz_loaded;

/* libclang takes memory for all elements before one that an initialiser names: 32 GB for
 * [9223372036854775807] = 1, which is not ours to find. */
static bool names_far_element(const char *text)
{
    for (const char *end = text; (end = strchr(end, ']')); end++) {
        const char *at = end;
        while (at > text && isalnum((unsigned char)at[-1]))
            at--;
        if (end - at > 6 && isdigit((unsigned char)*at))
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    const char *text = arena_text(a, (const char *)data, size);
    struct ir_unit *u = names_far_element(text) ? NULL : way_lower(a, text, size);
    if (u) {
        fuzz_loaded++; /* as any text is that does not crash libclang */
        way_check_text(u);
        way_analyse(a, u, text, size);
    }
    ir_unit_free(u);
    arena_free(a);
    return 0;
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

static const char *const words[] = {"int ",
                                    "long ",
                                    "unsigned ",
                                    "char ",
                                    "float ",
                                    "double ",
                                    "void ",
                                    "_Bool ",
                                    "struct ",
                                    "union ",
                                    "enum ",
                                    "typedef ",
                                    "static ",
                                    "const ",
                                    "volatile ",
                                    "_Atomic ",
                                    "extern ",
                                    "register ",
                                    "inline ",
                                    "_Noreturn ",
                                    "_Complex ",
                                    "__int128 ",
                                    "_Float16 ",
                                    "__bf16 ",
                                    "_BitInt(7) ",
                                    "_Thread_local ",
                                    "if (x) ",
                                    "else ",
                                    "while (x) ",
                                    "for (;;) ",
                                    "do ",
                                    "switch (x) ",
                                    "case 1: ",
                                    "case 1 ... 9:",
                                    "default: ",
                                    "break;",
                                    "continue;",
                                    "return ",
                                    "goto l;",
                                    "l: ",
                                    "&&l",
                                    "sizeof ",
                                    "_Alignof(int)",
                                    "_Generic((x), int: 1, default: x)",
                                    "({x;})",
                                    "*",
                                    "&",
                                    "!",
                                    "~",
                                    "->",
                                    ".",
                                    "++",
                                    "--",
                                    "?:",
                                    "&&",
                                    "||",
                                    "...",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "(",
                                    ")",
                                    "= {0}",
                                    "= {[1] = 2}",
                                    "= {.w = 0}",
                                    "(int[]){1, 2}",
                                    "\"s\"",
                                    "L'x'",
                                    "'a'",
                                    "1.5f",
                                    "0x1p3",
                                    "typeof(x) ",
                                    "__auto_type ",
                                    "mc_tensor *",
                                    "__attribute__((cleanup(f))) ",
                                    "__attribute__((vector_size(16))) ",
                                    "__asm__(\"\");",
                                    "__builtin_va_arg(x, int)",
                                    "__builtin_choose_expr(1, x, 2)",
                                    "__builtin_offsetof(struct s, a)",
                                    "#define x y\n",
                                    "#if 0\n",
                                    "#endif\n",
                                    "#line 3 \"x.c\"\n",
                                    "#pragma pack(1)\n",
                                    "_Static_assert(1, \"\");",
                                    "mc_half(",
                                    "mc_matmul(",
                                    "mc_add_(",
                                    "MC_F16",
                                    "MC_CUDA",
                                    "NULL",
                                    "x",
                                    "/* miscast: ignore[matmul-dtype] */",
                                    "// NOLINT\n",
                                    "/*",
                                    "*/",
                                    "\\\n",
                                    "$",
                                    NULL};

const struct fuzz_target fuzz_target = {
    .name = "lower",
    .seed_count = WAY_SEEDS,
    .seed = way_seed,
    .repair = repair,
    .words = words,
    .is_text = true,
};
