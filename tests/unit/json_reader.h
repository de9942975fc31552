/* A small strict reader of JSON, for tests: turns a line into facts ("operands.0.dtype" is "f32")
 * and fails the test at anything malformed, UTF-8 included. Include it after cmocka.h. */
#ifndef JSON_READER_H
#define JSON_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACTS = 300, TEXT = 5000 };

struct facts {
    int count;
    struct {
        char path[64];
        char text[TEXT]; /* strings come with a quote in front, so that "1" is not 1 */
    } fact[FACTS];
};

struct reader {
    const char *at;
    char path[64];
    struct facts *facts;
};

#define REQUIRE(condition, r)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("bad JSON at \"%.60s\"", (r)->at);                                            \
    } while (0)

static char *new_fact(struct reader *r)
{
    assert_true(r->facts->count < FACTS);
    for (int i = 0; i < r->facts->count; i++)
        assert_string_not_equal(r->facts->fact[i].path, r->path);
    snprintf(r->facts->fact[r->facts->count].path, 64, "%s", r->path);
    return r->facts->fact[r->facts->count++].text;
}

static void read_value(struct reader *r);

static unsigned read_hex(struct reader *r)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char *digits = "0123456789abcdef", *d = *r->at ? strchr(digits, *r->at | 0x20) : NULL;
        REQUIRE(d, r);
        code = code * 16 + (unsigned)(d - digits);
    }
    return code;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code >= 0x800) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        *to++ = (char)(0xc0 | code >> 6);
    }
    *to++ = (char)(0x80 | (code & 0x3f));
    return to;
}

static char *read_escape(struct reader *r, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    char c = *r->at++;
    const char *l = c ? strchr(letters, c) : NULL;
    REQUIRE(l || c == 'u', r);
    if (l) {
        *to++ = meaning[l - letters];
        return to;
    }
    unsigned code = read_hex(r);
    REQUIRE(code < 0xd800 || code > 0xdfff, r);
    return put_utf8(to, code);
}

/* One character of well-formed UTF-8, by the table of the standard. */
static char *read_utf8(struct reader *r, char *to)
{
    static const struct {
        unsigned char first, last, second_first, second_last;
        int more;
    } rows[] = {
        {0x20, 0x7f, 0, 0, 0},       {0xc2, 0xdf, 0x80, 0xbf, 1}, {0xe0, 0xe0, 0xa0, 0xbf, 2},
        {0xe1, 0xec, 0x80, 0xbf, 2}, {0xed, 0xed, 0x80, 0x9f, 2}, {0xee, 0xef, 0x80, 0xbf, 2},
        {0xf0, 0xf0, 0x90, 0xbf, 3}, {0xf1, 0xf3, 0x80, 0xbf, 3}, {0xf4, 0xf4, 0x80, 0x8f, 3},
    };
    const unsigned char *s = (const unsigned char *)r->at;
    size_t i = 0, count = sizeof rows / sizeof *rows;
    while (i < count && (*s < rows[i].first || *s > rows[i].last))
        i++;
    REQUIRE(i < count, r);
    for (int k = 1; k <= rows[i].more; k++)
        REQUIRE(s[k] >= (k == 1 ? rows[i].second_first : 0x80) &&
                    s[k] <= (k == 1 ? rows[i].second_last : 0xbf),
                r);
    memcpy(to, s, (size_t)rows[i].more + 1);
    r->at += rows[i].more + 1;
    return to + rows[i].more + 1;
}

static void read_string(struct reader *r, char *to)
{
    const char *end = to + TEXT - 8;
    REQUIRE(*r->at == '"', r);
    r->at++;
    while (*r->at != '"') {
        assert_true(to < end);
        if (*r->at == '\\') {
            r->at++;
            to = read_escape(r, to);
        } else {
            to = read_utf8(r, to);
        }
    }
    r->at++;
    *to = '\0';
}

static void read_digits(struct reader *r)
{
    size_t n = strspn(r->at, "0123456789");
    REQUIRE(n > 0, r);
    r->at += n;
}

static void read_number(struct reader *r)
{
    const char *start = r->at;
    r->at += *r->at == '-';
    REQUIRE(r->at[0] != '0' || !(r->at[1] >= '0' && r->at[1] <= '9'), r);
    read_digits(r);
    if (*r->at == '.') {
        r->at++;
        read_digits(r);
    }
    if (*r->at == 'e') {
        r->at++;
        r->at += *r->at == '-' || *r->at == '+';
        read_digits(r);
    }
    snprintf(new_fact(r), TEXT, "%.*s", (int)(r->at - start), start);
}

static void read_word(struct reader *r)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(r->at, words[i], n) == 0) {
            snprintf(new_fact(r), TEXT, "%s", words[i]);
            r->at += n;
            return;
        }
    }
    REQUIRE(false, r);
}

static void read_member(struct reader *r, char close, int index)
{
    char key[TEXT];
    size_t length = strlen(r->path);
    snprintf(key, sizeof key, "%d", index);
    if (close == '}') {
        read_string(r, key);
        REQUIRE(*r->at == ':', r);
        r->at++;
    }
    assert_true(length + strlen(key) + 2 < sizeof r->path);
    strcpy(r->path + length, length ? "." : "");
    strcat(r->path + length, key);
    read_value(r);
    r->path[length] = '\0';
}

/* Leaves the number of members as the fact PATH.count. */
static void read_members(struct reader *r, char close)
{
    int count = 0;
    r->at++;
    if (*r->at != close) {
        do {
            r->at += count > 0;
            read_member(r, close, count++);
        } while (*r->at == ',');
    }
    REQUIRE(*r->at == close, r);
    r->at++;
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "%scount", length ? "." : "#");
    if (close == ']')
        snprintf(new_fact(r), TEXT, "%d", count);
    r->path[length] = '\0';
}

static void read_value(struct reader *r)
{
    if (*r->at == '{' || *r->at == '[')
        read_members(r, *r->at == '{' ? '}' : ']');
    else if (*r->at == '"') {
        char *text = new_fact(r);
        text[0] = '"';
        read_string(r, text + 1);
    } else if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
        read_number(r);
    else
        read_word(r);
}

/* Reads the line at *text, which must be one object with nothing around it, and goes past it. */
static void read_line(const char **text, struct facts *facts)
{
    struct reader r = {.at = *text, .facts = facts};
    facts->count = 0;
    REQUIRE(*r.at == '{', &r);
    read_value(&r);
    REQUIRE(*r.at == '\n', &r);
    *text = r.at + 1;
}

static const char *fact_at(const struct facts *f, const char *path)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->fact[i].path, path) == 0)
            return f->fact[i].text;
    fail_msg("the line has no %s", path);
    return NULL;
}

static bool is_fact(const struct facts *f, const char *path, const char *text)
{
    return strcmp(fact_at(f, path), text) == 0;
}

#define assert_fact(f, path, text) assert_string_equal(fact_at(f, path), text)

static long long number_at(const struct facts *f, const char *path)
{
    return strtoll(fact_at(f, path), NULL, 10);
}

#endif
