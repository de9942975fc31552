/* frontends/driver/shards: a check in steps, which a build system or several machines can do apart.
 *
 *   portable_paths.c    paths as they are on every machine that has the tree
 *   summary.c           what a step leaves for the last one, as bytes and back
 *   collect.c           units that were read → a summary
 *   compiler_command.c  a compiler's command → what is asked for
 *   shard.c             miscast check --shard: a share of all units
 *   link.c              summaries → findings
 *   depfile.c           what was read, for Make and Ninja */
#ifndef FRONTENDS_SHARDS_SUMMARY_H
#define FRONTENDS_SHARDS_SUMMARY_H

#include "frontends/driver/project/units.h"
#include "frontends/driver/check/check.h"
#include "frontends/driver/project/cache.h"

/* ---- paths ---------------------------------------------------------------------------------- */

/* The tree on this machine. Portable paths are relative to its root. */
struct tree {
    const char *root, *here; /* absolute */
};

/* --root, else the repository that the current folder is in, else the folder itself. */
bool tree_find(struct arena *a, const struct request *request, struct tree *t, struct error *e);
const char *tree_portable(const struct tree *t, struct arena *a, const char *path);
const char *tree_local(const struct tree *t, struct arena *a, const char *portable); /* absolute */
/* Whether a portable path is one below the root. */
bool tree_has(const char *portable);

/* ---- summaries ------------------------------------------------------------------------------ */

/* All its paths are portable. */
struct summary_unit {
    const char *file;
    const char *ir;                 /* NULL: it could not be parsed, and the error says why */
    const char *error_file, *error; /* the file: NULL if it is the unit's */
    int flags_left_out;
    LIST(int) reads; /* its dependencies: indices into the summary's files */
};

struct summary {
    const char *path;    /* of the summary itself */
    int part, parts;     /* 0 of 0: of one unit */
    struct digest whole; /* identifies the run: parts of another run do not match */
    const char *near;    /* where the configuration is searched for; NULL: near the unit */
    text_list asked;     /* files that are checked */
    LIST(struct store_read) files;
    LIST(struct summary_unit) units;
};

/* shard.c: reads one share of the units of a check, and writes it to request.shard.output. */
enum exit_code shard_run(const struct request *request);
/* link.c: checks the program of the summaries that the paths name, @FILE for a list of them. */
enum exit_code link_run(const struct request *request);

void summary_print(const struct summary *s, struct text *out);
/* False: e says what is wrong with the file. */
bool summary_read(struct arena *a, const char *path, struct summary *s, struct error *e);

/* Of all inputs of the project. */
void summary_collect(struct project *p, const struct tree *t, struct summary *s);
/* Writes the file. */
bool summary_write(struct project *p, const struct summary *s, const char *path, struct error *e);

/* Takes the file, the output and the depfile from a whole command after "--"; options come first.
 */
bool compiler_command_take(struct arena *a, struct request *request, struct error *e);

/* "target: file ...", with the dependencies of all inputs. */
bool depfile_write(struct project *p, const char *path, const char *target, struct error *e);

#endif
