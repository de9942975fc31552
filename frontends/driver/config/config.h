/* What a check is told: by .miscast.yaml, and by the arguments, which have the last word. */
#ifndef FRONTENDS_CONFIG_H
#define FRONTENDS_CONFIG_H

#include "analyzer/report/report.h"
#include "frontends/driver/process/process.h"
#include "frontends/driver/config/request.h"

/* Rules that are not looked for in some files. */
struct file_ignore {
    const char *pattern;
    text_list rules;
};

struct config {
    const char *path; /* of the file; NULL: there is none */
    const char
        *folder;  /* of the file, else the current one: paths in it are below this; absolute */
    bool selects; /* select says something, be it nothing */
    text_list select, ignore, extend_select;
    LIST(struct file_ignore) per_file_ignores;
    text_list exclude; /* files that folders are taken without */
    text_list packs, formats;
    const char *database, *baseline; /* NULL: not said */
    enum severity fail_on;
    int unit_timeout, unit_memory; /* 0: not said */
};

/* The nearest .miscast.yaml to the file or folder, upward; then the arguments. */
bool config_find(struct arena *a, const struct request *request, const char *near,
                 struct config *out, struct error *e);
bool config_read(struct arena *a, const char *path, struct config *out, struct error *e);

/* Which rules are looked for. */
void config_select(const struct config *c, bool selected[RULE_COUNT]);
/* Whether the rule is not looked for in this file. */
bool config_ignores(const struct config *c, const char *file, const struct rule *r);
bool config_excludes(const struct config *c, const char *file);

/* writable_paths.c: why a file that .miscast.yaml names is not written; NULL: it may be. The path
 * is absolute, or below the folder of .miscast.yaml. */
const char *config_why_not_written(struct arena *a, const struct config *c, const char *path);

/* Below the folder by a relative path, others as they are; both must be absolute. */
const char *path_below(const char *folder, const char *path);

#endif
