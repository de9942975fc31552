/* Reads rows from a TSV file, gzipped or plain. Hostile files are expected: long lines, missing
 * columns and NUL bytes make a malformed row, never a crash. Without zlib only plain files work. */
#include "tests/truth/rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define LINE_SIZE 8192

struct rows {
#ifdef HAVE_ZLIB
    gzFile file;
#else
    FILE *file;
#endif
    int line;
    char text[LINE_SIZE];
};

#ifdef HAVE_ZLIB

/* zlib reads plain files as they are. */
static bool input_open(struct rows *rows, const char *path, const char **error)
{
    rows->file = gzopen(path, "rb");
    *error = "cannot be opened";
    return rows->file != NULL;
}

static int input_getc(struct rows *rows)
{
    return gzgetc(rows->file);
}

static bool input_broken(struct rows *rows)
{
    int code = Z_OK;
    gzerror(rows->file, &code);
    return code != Z_OK && code != Z_STREAM_END;
}

static void input_close(struct rows *rows)
{
    gzclose(rows->file);
}

#else

static bool input_open(struct rows *rows, const char *path, const char **error)
{
    rows->file = fopen(path, "rb");
    *error = "cannot be opened";
    if (!rows->file)
        return false;
    int first = getc(rows->file);
    if (first == 0x1f) {
        *error = "is gzipped, and this program was built without zlib";
        fclose(rows->file);
        return false;
    }
    ungetc(first, rows->file);
    return true;
}

static int input_getc(struct rows *rows)
{
    return getc(rows->file);
}

static bool input_broken(struct rows *rows)
{
    return ferror(rows->file) != 0;
}

static void input_close(struct rows *rows)
{
    fclose(rows->file);
}

#endif

struct rows *rows_open(const char *path, const char **error)
{
    struct rows *rows = calloc(1, sizeof *rows);
    *error = "no memory";
    if (rows && !input_open(rows, path, error)) {
        free(rows);
        return NULL;
    }
    return rows;
}

void rows_close(struct rows *rows)
{
    input_close(rows);
    free(rows);
}

/* Reads a whole line without its end. *fits is false if it was cut or holds a NUL. */
static bool read_line(struct rows *rows, bool *fits)
{
    size_t length = 0;
    int c = input_getc(rows);
    if (c < 0)
        return false;
    for (*fits = true; c >= 0 && c != '\n'; c = input_getc(rows)) {
        if (length + 1 == LINE_SIZE || c == '\0')
            *fits = false;
        else
            rows->text[length++] = (char)c;
    }
    rows->text[length] = '\0';
    rows->line++;
    return true;
}

/* Cuts text at its tabs. False unless there are just count columns. */
static bool split_columns(char *text, const char **columns, int count)
{
    for (int i = 0; i < count; i++) {
        columns[i] = text;
        text = strchr(text, '\t');
        if ((text == NULL) != (i + 1 == count))
            return false;
        if (text)
            *text++ = '\0';
    }
    return true;
}

static int every = 1;

void rows_take_every(int n)
{
    every = n;
}

enum rows_next rows_next(struct rows *rows, struct row *row)
{
    bool fits;
    do {
        if (!read_line(rows, &fits))
            return input_broken(rows) ? ROWS_BROKEN : ROWS_END;
    } while (rows->line % every != 0);
    row->line = rows->line;
    const char *columns[4];
    if (!fits || !split_columns(rows->text, columns, 4) || !*columns[0] || !*columns[3])
        return ROWS_MALFORMED;
    row->op = columns[0];
    row->mode = columns[1];
    row->args = columns[2];
    row->outcome = columns[3];
    return ROWS_ROW;
}
