/* Messages in the words of a language. They are composed in the analyzer's own words, with what is
 * the program's in quotes; here the words outside of quotes become those that users know. */
#include "analyzer/source/source.h"

#include <ctype.h>
#include <string.h>

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word, or one that ends in it behind the prefix of an API: "x_step" for "step". */
static const char *spelled(const struct language *l, const char *word, size_t length)
{
    for (const struct spelled_word *w = l->words; w->word; w++) {
        size_t n = strlen(w->word);
        bool is_prefixed = length > n && word[length - n - 1] == '_' && memchr(w->word, '_', n);
        if ((length == n || is_prefixed) && !memcmp(word + length - n, w->word, n))
            return w->as;
    }
    return NULL;
}

/* Where the quoted text that begins there ends; it may contain quotes itself. */
static size_t quoted_length(const char *at)
{
    for (size_t n = 1; at[n]; n++)
        if (at[n] == '\'' && (!at[n + 1] || strchr(" ,:;).", at[n + 1])))
            return n + 1;
    return 1;
}

const char *language_spell(struct arena *a, const struct language *l, const char *message)
{
    struct text out = {0};
    char before = ' ';
    if (!l->words || !message)
        return message;
    for (const char *at = message; *at;) {
        bool is_quoted = *at == '\'' && !is_part(before);
        size_t n = is_quoted ? quoted_length(at) : 0;
        while (!is_quoted && is_part(at[n]))
            n++;
        const char *as = n && !is_quoted && before != '.' ? spelled(l, at, n) : NULL;
        n = n ? n : 1;
        if (as)
            text_add(&out, as);
        else
            text_add_range(&out, at, n);
        before = at[n - 1];
        at += n;
    }
    return text_keep(a, &out);
}
