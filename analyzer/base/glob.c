/* Patterns of names: * for any characters, ? for one, [a-z] and [!a-z] for one of a set. The C
 * library's fnmatch takes exponential time for many stars; here only the last star is retried,
 * which is sufficient. */
#include "analyzer/base/base.h"

#include <fnmatch.h>
#include <string.h>

enum { SET_MAX = 256 };

/* The length of the set that begins there; 0: none, the bracket is literal. */
static size_t set_length(const char *pattern)
{
    size_t n = 1 + (pattern[1] == '!' || pattern[1] == '^');
    n += pattern[n] == ']'; /* the first one is a member */
    for (; pattern[n] && pattern[n] != ']'; n++)
        if (pattern[n] == '[' && pattern[n + 1] && strchr(":.=", pattern[n + 1])) {
            const char *end = strchr(pattern + n + 2, ']');
            n = end ? (size_t)(end - pattern) : n;
        } else if (pattern[n] == '\\' && pattern[n + 1]) {
            n++;
        }
    return pattern[n] ? n + 1 : 0;
}

/* Matches one item of the pattern; false: it does not match. */
static bool step(const char **pattern, const char **text)
{
    size_t set = **pattern == '[' ? set_length(*pattern) : 0;
    size_t letter = utf8_letter(*text);
    letter = letter ? letter : 1;
    char one[SET_MAX], of[8] = "";
    if (set && set < sizeof one) {
        memcpy(one, *pattern, set);
        one[set] = '\0';
        memcpy(of, *text, letter);
        *pattern += set;
        *text += letter;
        return !fnmatch(one, of, 0);
    }
    if (**pattern == '?') {
        *pattern += 1;
        *text += letter;
        return true;
    }
    *pattern += **pattern == '\\' && (*pattern)[1];
    return *(*pattern)++ == *(*text)++;
}

bool glob_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL; /* behind the last star, and what it stands before */
    for (;;) {
        const char *p = pattern, *t = text;
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (!*text && !*pattern) {
            return true;
        } else if (*text && *pattern && step(&p, &t)) {
            pattern = p;
            text = t;
        } else if (star && *from) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
}
