/* Programs that are written for measurements. */
#ifndef TESTS_BENCH_GENERATED_H
#define TESTS_BENCH_GENERATED_H

#include <stdbool.h>

/* A model of about so many lines: layers that call each other, with branches and loops. */
void layers_write(const char *path, int lines);

/* A program whose main reads k options, at most 100, each of which casts two of 200 tensors, and
 * multiplies the tensors in pairs. All combinations work, unless one cast is forgotten: returns the
 * line of the product that then fails. */
int options_write(const char *path, int k, bool forgets);

/* Whether `miscast check` has a finding in that line; others: how many it has elsewhere. */
bool is_reported(const char *miscast, const char *path, int line, int *others);

#endif
