/* Whether a file means what its bytes say: Python decodes it by the encoding that a comment in its
 * first two lines declares (PEP 263), and could see other code than the analysis does. Encodings of
 * which every byte below 0x80 is the ASCII character are read; the other bytes are only in names,
 * texts and comments. */
#include "frontends/python/parse.h"

#include <ctype.h>
#include <string.h>

/* By the beginning of the name, in lower case and with '-' for '_'. */
static const char *const bytes_of_ascii[] = {
    "ascii", "us-ascii", "latin", "l1",    "iso-8859-", "iso8859-", "cp125", "windows-125", "koi8-",
    "mac-",  "cp437",    "cp85",  "cp866", "euc-",      "euckr",    "eucjp", NULL};
/* Their further bytes can be ASCII characters. */
static const char *const mixed[] = {"shift-jis", "sjis", "cp932",   "cp949", "cp950",
                                    "gb2312",    "gbk",  "gb18030", "big5",  NULL};

static bool begins_with_one(const char *name, const char *const *all)
{
    for (; *all; all++)
        if (strncmp(name, *all, strlen(*all)) == 0)
            return true;
    return false;
}

/* "# -*- coding: latin-1 -*-" */
static bool read_comment(const char *line, size_t length, char name[64])
{
    size_t i = 0, n = 0;
    while (i < length && strchr(" \t\f", line[i]))
        i++;
    if (i == length || line[i] != '#')
        return false;
    while (i + 7 <= length &&
           !(memcmp(line + i, "coding", 6) == 0 && (line[i + 6] == ':' || line[i + 6] == '=')))
        i++;
    for (i += 7; i < length && (line[i] == ' ' || line[i] == '\t');)
        i++;
    for (; i < length && (isalnum((unsigned char)line[i]) || strchr("-_.", line[i])); i++)
        if (n < 63)
            name[n++] = line[i] == '_' ? '-' : (char)tolower((unsigned char)line[i]);
    if (n)
        name[n] = '\0';
    return n;
}

static bool is_blank_or_comment(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && strchr(" \t\f\r", line[i]))
        i++;
    return i == length || line[i] == '#';
}

/* False: there is none. */
static bool declared(const char *text, char name[64])
{
    size_t first = strcspn(text, "\r\n"), end = first + strspn(text + first, "\r");
    if (read_comment(text, first, name))
        return true;
    const char *second = text[end] == '\n' ? text + end + 1 : text + end;
    return is_blank_or_comment(text, first) && read_comment(second, strcspn(second, "\r\n"), name);
}

static bool is_utf8(const char *text)
{
    for (size_t n; *text; text += n)
        if ((n = utf8_letter(text)) == 0)
            return false;
    return true;
}

static bool is_ascii(const char *text)
{
    while (*text && !(*text & 0x80))
        text++;
    return !*text;
}

bool py_means_what_it_says(const char *text, size_t length, struct error *e)
{
    char name[64] = "utf-8";
    static const char mark[] = "\xef\xbb\xbf";
    if (memchr(text, '\0', length)) { /* the grammar takes one at the beginning for the end */
        error_set(e,
                  "a NUL byte is in it: this is no Python, or it is encoded in UTF-16 or UTF-32");
        return false;
    }
    bool is_marked = strncmp(text, mark, 3) == 0, is_declared = !is_marked && declared(text, name);
    if (!strncmp(name, "utf-8", 5) || !strncmp(name, "utf8", 4)) {
        if (is_utf8(text))
            return true;
        error_set(e, is_declared || is_marked
                         ? "it is not in UTF-8, as it declares"
                         : "it is not in UTF-8, and declares no other encoding");
        return false;
    }
    if (begins_with_one(name, bytes_of_ascii) || (begins_with_one(name, mixed) && is_ascii(text)))
        return true;
    error_set(e, "it declares the encoding %s, which is not read", name);
    return false;
}
