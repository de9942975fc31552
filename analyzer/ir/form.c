/* The grammar of the text form, for the printer and the parser: what follows an instruction's
 * word, and which names need quotes. */
#include "analyzer/ir/private.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
static const char *const forms[IR_OP_COUNT] = {
    [IR_INT]    = "i",  [IR_REAL]     = "r",  [IR_NULL]   = "",  [IR_TEXT]   = "s",
    [IR_UNDEF]  = "",   [IR_ANYTHING] = "s*", [IR_LOCAL]  = "l", [IR_GLOBAL] = "n",
    [IR_FUNCTION] = "n",
    [IR_FIELD]  = "vf", [IR_ELEMENT]  = "vv", [IR_LOAD]   = "v", [IR_STORE]  = "vv",
    [IR_COPY]   = "vv", [IR_ZERO]     = "v",
    [IR_UNARY]  = "v",  [IR_BINARY]   = "vv", [IR_CONVERT] = "v", [IR_CALL]  = "c*",
    [IR_GET]    = "l",  [IR_SET]      = "lv", [IR_NAME]   = "n", [IR_SETNAME] = "nv",
    [IR_IMPORT] = "n",  [IR_ATTR]     = "vn", [IR_SETATTR] = "vnv", [IR_INVOKE] = "vn*",
    [IR_APPLY]  = "p*", [IR_MAKE]     = "m*", [IR_CLOSURE] = "n*", [IR_CLASS] = "n*",
    [IR_YIELD]  = "v",  [IR_CAUGHT]   = "",   [IR_RAISE]  = "?",
    [IR_JUMP]   = "b",  [IR_BRANCH]   = "vbb", [IR_SWITCH] = "vbk",
    [IR_RETURN] = "?",  [IR_STOP]     = "",
};
/* clang-format on */

const char *ir_op_form(enum ir_op op)
{
    return forms[op];
}

static const char *const modes[MODE_COUNT] = {
    [MODE_POSITION] = "position", [MODE_KEYWORD] = "keyword",   [MODE_REST] = "rest",
    [MODE_KEYWORDS] = "keywords", [MODE_CAPTURED] = "captured",
};

const char *ir_mode_text(enum ir_mode mode)
{
    return modes[mode];
}

bool is_key_label(const char *label)
{
    return strcmp(label, ":") == 0;
}

bool is_spread_label(const char *label)
{
    return strcmp(label, "*") == 0 || strcmp(label, "**") == 0;
}

static const char *const type_words[] = {"void", "bool", "ptr", "array", "fn", "dyn", "unknown"};

/* i32, u8, f64, bf16: a prefix and digits. */
static bool is_number_type(const char *word, size_t length)
{
    size_t prefix = length > 1 && word[0] == 'b' && word[1] == 'f' ? 2 : 1;
    if (length <= prefix || !strchr("iuf", word[prefix - 1]))
        return false;
    for (size_t i = prefix; i < length; i++)
        if (!isdigit((unsigned char)word[i]))
            return false;
    return true;
}

bool type_word(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof type_words / sizeof type_words[0]; i++)
        if (strlen(type_words[i]) == length && memcmp(type_words[i], word, length) == 0)
            return true;
    return is_number_type(word, length);
}

size_t plain_length(const char *at)
{
    const char *end = at;
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '$')
        end++;
    return (size_t)(end - at);
}

bool is_plain_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    return name[plain_length(name)] == '\0';
}
