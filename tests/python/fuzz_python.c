/* Fuzzes the lowering of Python: any text gives a valid unit, whose text form parses and prints the
 * same. */
#include <stdlib.h>
#include <string.h>

#include "frontends/python/module.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static void check_unit(struct ir_unit *u)
{
    struct text once = {0}, twice = {0};
    struct error e;
    if (!ir_verify(u, &e))
        abort();
    ir_print(u, &once);
    struct ir_unit *again = ir_parse(once.data, &e);
    if (!again)
        abort();
    ir_print(again, &twice);
    if (strcmp(once.data, twice.data) != 0)
        abort();
    ir_unit_free(again);
    text_free(&once);
    text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct grammar *grammar;
    struct error e = {0};
    grammar = grammar ? grammar : grammar_new();
    struct parsed *p = parse_text(grammar, (const char *)data, size, &e);
    if (!p)
        abort();
    fuzz_loaded += !p->damage.count;
    struct ir_unit *u = py_lower_module(grammar, p, "x.py");
    check_unit(u);
    ir_unit_free(u);
    parsed_free(p);
    return 0;
}

/* ---- valid inputs -------------------------------------------------------------------------- */

static const char *const seeds[] = {
    "import torch\n\nclass M(torch.nn.Module):\n    def __init__(self, n=3, *a, k, **kw):\n"
    "        super().__init__()\n        self.w = [x for x in a if x]\n",
    "def f(x, /, y: int = 1) -> int:\n    with a as b, c:\n        return x @ y\n    try:\n        "
    "z\n"
    "    except (A, B) as e:\n        raise\n    else:\n        pass\n    finally:\n        del "
    "z[0]\n",
    "for i, (a, *b) in enumerate(c):\n    if 0 < i < 5 and not a:\n        continue\nelse:\n    d "
    "+= 1\n",
    "match x:\n    case [1, *o] | (2, o):\n        pass\n    case C(a=1, b=g) if g:\n        pass\n"
    "    case {\"k\": -1, **r}:\n        pass\n",
    "@d\nasync def g():\n    yield (await h), f\"{x!r:>{w}}\", b'\\x00', lambda q=1: (y := q)\n",
    "@property\nclass D:\n    x: int = 0x1F\n    y = x[1:2, ..., ::3], {**a, 'b': 1}, {c for c in "
    "d}\n",
};

static const char *const words[] = {
    "def ",    "class ",  "if ",     "else:\n", "for ",  " in ",
    "while ",  "try:\n",  "except ", "with ",   " as ",  "return",
    "yield ",  "await ",  "lambda",  "match ",  "case ", "finally:\n",
    "(",       ")",       "[",       "]",       "{",     "}",
    "\"\"\"",  "'",       "f\"{",    "\n    ",  "\n\t",  ":\n",
    "*",       "**",      ":=",      "@",       "\\\n",  "nonlocal x\n",
    "global ", "import ", "from ",   "del ",    "...",   "not ",
    "is ",     NULL};

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    const char *text = seeds[which % (sizeof seeds / sizeof seeds[0])];
    size_t length = strlen(text) < room ? strlen(text) : room;
    memcpy(to, text, length);
    return length;
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

const struct fuzz_target fuzz_target = {
    "python", sizeof seeds / sizeof seeds[0], seed, repair, words, true};
