/* Random changes to a generated project, realistic and unrealistic. */
#ifndef TESTS_STORE_CHANGE_H
#define TESTS_STORE_CHANGE_H

#include "tests/store/generate.h"
#include "tests/store/run.h"

struct original {
    const char *path;
    const char *text;
    size_t length;
};

struct changing {
    struct made_project p;
    struct runner *runner;
    struct dice dice;
    int added;                       /* files, for their names */
    int last;                        /* the kind of the last change */
    LIST(struct original) originals; /* as they were generated */
    struct made_unit *units_at_first;
    int unit_count_at_first, header_count_at_first;
    char what[200]; /* the last change, in words */
};

/* Of a project that was just generated. */
void changing_begin(struct changing *c, struct runner *r, uint64_t seed);
/* One change; c->what says which. */
void change(struct changing *c);
/* Everything is as it was at first. */
void change_back(struct changing *c);
/* A unit that is there. */
const char *any_unit(struct changing *c);
/* A line of the unit is another; it still compiles. */
void change_slightly(struct changing *c, const char *unit, int which);

#endif
