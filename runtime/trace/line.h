/* Lines of JSON: one is written at a time, by the holder of the lock, and goes out in one write(2)
 * where the system allows it. */
#ifndef RUNTIME_LINE_H
#define RUNTIME_LINE_H

#include "runtime/core/core.h"

/* Room for the longest line: eight strings of TEXT_MAX at most, twelve tensors that are operands or
 * results, LINE_WRITTEN that were written to, and some fixed words and numbers. */
enum { TEXT_MAX = 4096, LINE_WRITTEN = 32, LINE_ROOM = 8 * TEXT_MAX + 44 * 700 + 4096 };

struct line {
    size_t used;
    char text[LINE_ROOM];
};

/* The process's line, empty; no one else can have it until line_close. */
struct line *line_open(void);
/* The same from a signal handler: NULL if the line is taken. */
struct line *line_try_open(void);
/* Writes it to *fd, unless that is negative; if that fails, one warning names the variable and *fd
 * becomes -1. */
void line_close(struct line *l, atomic_int *fd, const char *variable);

void put(struct line *l, const char *fmt, ...) MC_PRINTF(2, 3);
/* In quotes, cut at TEXT_MAX bytes; NULL is null. */
void put_string(struct line *l, const char *s);
/* The same, cut at that many bytes, for which there must be room. */
void put_text(struct line *l, const char *s, size_t most);
/* null where JSON has no number for it. */
void put_number(struct line *l, double value);
void put_bool(struct line *l, const char *key, bool value); /* with a comma before it */
/* "file":…,"line":…,"function":… */
void put_place(struct line *l, mc_place at);

#endif
