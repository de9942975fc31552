/* The description of Python. */
#include "analyzer/source/source.h"

#include <ctype.h>
#include <string.h>

static const struct spelled_word words[] = {
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"f16", "float16"},
    {"bf16", "bfloat16"},
    {"f32", "float32"},
    {"f64", "float64"},
    {"f8e4m3", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"},
    {"c64", "complex64"},
    {"c128", "complex128"},
    {"true", "True"},
    {"false", "False"},
    {"optimizer_step", "optimizer.step()"},
    {"optimizer_zero_grad", "optimizer.zero_grad()"},
    {"grad_scaler_scale", "scaler.scale()"},
    {"grad_scaler_unscale_", "scaler.unscale_(optimizer)"},
    {"grad_scaler_step", "scaler.step(optimizer)"},
    {"grad_scaler_update", "scaler.update()"},
    {0},
};

static bool begins_with(const struct source *s, size_t at, const char *word)
{
    size_t length = strlen(word);
    return at + length <= s->length && !memcmp(s->text + at, word, length);
}

/* "for x in xs" is the condition that there is another one, or x is; that of a while follows the
 * word. */
static bool is_loop_test(const struct source *s, size_t at)
{
    static const char *const words[] = {"for ", "while "};
    if (begins_with(s, at, "for ") || begins_with(s, at, "async for "))
        return true;
    while (at && s->text[at - 1] == '(')
        at--;
    for (int i = 0; i < COUNT(words); i++) {
        size_t length = strlen(words[i]);
        if (at >= length && begins_with(s, at - length, words[i]))
            return true;
    }
    return false;
}

/* Behind the string that begins there; its end, if it does not end. */
static const char *behind_string(const char *text)
{
    char mark = *text++;
    while (*text && *text != mark)
        text += *text == '\\' && text[1] ? 2 : 1;
    return *text ? text + 1 : text;
}

/* "(a + b)[0].T", "f(x)": no blank and no operator outside of brackets. */
static bool is_operand(const char *text)
{
    int depth = 0;
    bool plain = isalpha((unsigned char)*text) || strchr("_([", *text) || (*text & 0x80);
    while (plain && *text) {
        if (*text == '"' || *text == '\'') {
            plain = depth > 0;
            text = behind_string(text);
            continue;
        }
        depth += (strchr("([{", *text) != NULL) - (strchr(")]}", *text) != NULL);
        plain =
            depth > 0 || isalnum((unsigned char)*text) || strchr("_.)]", *text) || (*text & 0x80);
        text++;
    }
    return plain;
}

/* Words that begin a statement which has others as its body, or which none can be put next to. */
static const char *const clauses[] = {"if",    "elif",    "else",   "for",      "while", "with",
                                      "def",   "class",   "try",    "except",   "case",  "async",
                                      "match", "finally", "global", "nonlocal", NULL};

static const char *const before_expression[] = {"return", "in",    "not",    "and", "or",
                                                "if",     "else",  "while",  "is",  "elif",
                                                "yield",  "await", "assert", NULL};

const struct language language_python = {
    .name = "python",
    .suffixes = ".py .ipynb",

    .comments = (const struct comment_form[]){{"#", NULL}, {0}},
    .strings =
        (const struct string_form[]){
            {"\"\"\"", true}, {"'''", true}, {"\"", false}, {"'", false}, {0}},
    .comment_fill = "",
    .linter_words = (const struct linter_word[]){{"noqa", REACH_LINE}, {"NOQA", REACH_LINE}, {0}},
    .lists_codes = true,

    .open = "([{",
    .close = ")]}",
    .bounds = ";:",
    .before = ";:",
    .behind = ";",
    .ends_with_line = true,
    .clauses = clauses,
    .is_operand = is_operand,
    .before_expression = before_expression,
    .has_methods = true,
    .is_loop_test = is_loop_test,

    .member = ".",
    .pointer_member = ".",
    .dereference = "",
    .element = {"[", "]"},
    .arguments = {"(", ")"},
    .invert = "~",
    .assign = " = ",
    .option = {"", "="},
    .words = words,
    .null = "None",
};
