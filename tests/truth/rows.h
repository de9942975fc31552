/* Rows of recorded behaviour, read one by one (rows.c). rows/README.md says what is in them. */
#ifndef TESTS_TRUTH_ROWS_H
#define TESTS_TRUTH_ROWS_H

/* One line: op, mode, args, outcome, separated by tabs. The strings belong to the reader and hold
 * until the next row. */
struct row {
    int line;
    const char *op, *mode, *args, *outcome;
};

enum rows_next { ROWS_ROW, ROWS_MALFORMED, ROWS_END, ROWS_BROKEN };

struct rows;
/* NULL with a reason in error when the file cannot be read. */
struct rows *rows_open(const char *path, const char **error);
/* Of all files, only every n-th row is read: for builds in which all would take too long. */
void rows_take_every(int n);
/* ROWS_MALFORMED sets only row->line. ROWS_BROKEN: the rest of the file cannot be read. */
enum rows_next rows_next(struct rows *rows, struct row *row);
void rows_close(struct rows *rows);

#endif
