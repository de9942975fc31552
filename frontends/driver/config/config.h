/* The configuration of a check: .miscast.yaml, or [tool.miscast] in pyproject.toml, overridden by
 * the request. key.def lists its keys, config.c reads the file, toml.c translates the latter,
 * effective.c applies it to a request, writable_paths.c decides which files it may name to be
 * written, schema.c describes it to editors. */
#ifndef FRONTENDS_CONFIG_H
#define FRONTENDS_CONFIG_H

#include "analyzer/report/report.h"
#include "frontends/driver/process/process.h"
#include "frontends/driver/config/request.h"

/* Rules that are off in some files. */
struct file_ignore {
    const char *pattern;
    text_list rules;
};

struct config {
    const char *path; /* of the file; NULL: there is none */
    const char
        *folder; /* of the file, else the current one: paths in it are relative to this; absolute */
    bool selects; /* select is given, even if it is empty */
    text_list select, ignore, extend_select;
    LIST(struct file_ignore) per_file_ignores;
    text_list exclude; /* files that are skipped below folders */
    text_list packs, target, formats;
    text_list flags;                 /* of a compiler, for every file; relative to folder */
    text_list run;                   /* commands that run the program or its tests */
    const char *database, *baseline; /* NULL: not given */
    const char *python;              /* the interpreter that programs are run by; NULL: not given */
    enum severity fail_on;
    int unit_timeout, unit_memory; /* 0: not given */
};

/* The nearest .miscast.yaml to the file or folder, upward, or pyproject.toml with our section, if
 * that is nearer; then the request. */
bool config_find(struct arena *a, const struct request *request, const char *near,
                 struct config *out, struct error *e);
bool config_read(struct arena *a, const char *path, struct config *out, struct error *e);

/* toml.c: [tool.miscast] of a pyproject.toml as YAML, by the same lines; out NULL: it has none. */
bool toml_translate(struct arena *a, const char *path, const char *text, const char **out,
                    struct error *e);

/* What the value of a key is. */
enum key_kind { KEY_TEXT, KEY_TEXTS, KEY_RULES, KEY_FORMATS, KEY_LEVEL, KEY_NUMBER, KEY_IGNORES };
/* schema.c: its keys as a JSON schema. */
void config_schema(struct arena *a, struct text *out);

/* The request with what the configuration adds to it. */
void config_apply(const struct config *c, const struct request *request, struct request *out);
/* The same with the configuration that is nearest to the file, for commands that only analyse. */
bool request_configure(struct arena *a, const struct request *request, const char *near,
                       struct request *out, struct error *e);

/* Which rules are on. */
void config_select(const struct config *c, bool selected[RULE_COUNT]);
/* Whether the rule is off in this file. */
bool config_ignores(const struct config *c, const char *file, const struct rule *r);
bool config_excludes(const struct config *c, const char *file);

/* Why a file that .miscast.yaml names must not be written; NULL: it may be. The path is absolute,
 * or relative to the folder of .miscast.yaml. */
const char *config_why_not_written(struct arena *a, const struct config *c, const char *path);

/* Paths below the folder become relative to it, others stay; both must be absolute. */
const char *path_below(const char *folder, const char *path);

#endif
