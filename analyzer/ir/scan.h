/* The tokens of the text form, for the parser. Nothing here returns an error: after the first
 * one every call finds nothing more, so that the parser's loops end by themselves and only its
 * last step checks for an error. */
#ifndef ANALYZER_IR_SCAN_H
#define ANALYZER_IR_SCAN_H

#include "analyzer/base/base.h"

struct scanner {
    const char *text, *at;
    struct arena *arena; /* for strings being unescaped */
    struct names *names; /* where names and strings are interned */
    bool failed;
    struct error *error;
};

/* Records an error at `where`, a place in the text, unless there was one before. */
void scan_fail(struct scanner *s, const char *where, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The next character that is not blank or in a comment (';' to the end of the line); a line's end
 * is '\n'; the text's end, or after an error, '\0'. */
char scan_peek(struct scanner *s);
bool scan_char(struct scanner *s, char c); /* takes it if it is next */
void scan_expect(struct scanner *s, char c);
/* Takes the word if it is next and whole. */
bool scan_word(struct scanner *s, const char *word);
/* Letters, digits, _ . $; the length is 0 if there are none. */
const char *scan_plain(struct scanner *s, size_t *length);
bool scan_at_name(struct scanner *s);
const char *scan_name(struct scanner *s);   /* plain or a string; interned; "" after an error */
const char *scan_string(struct scanner *s); /* interned; "" after an error */
int64_t scan_integer(struct scanner *s);
int scan_count(struct scanner *s); /* not negative */
double scan_real(struct scanner *s);
/* Nothing more on this line; the next one that is not blank follows. */
void scan_line_end(struct scanner *s);
void scan_blank_lines(struct scanner *s);

#endif
