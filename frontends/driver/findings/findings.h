/* frontends/driver/findings: a check in progress, and what becomes of the findings of rules.
 *
 *   folders.c          folders → files
 *   skipped_files.c    files that were not read
 *   filter.c           which findings are reported, suppressed, known
 *   completeness.c     whether the whole program was analysed
 *   baseline_file.c    the file of known findings
 *   findings_record.c  findings ↔ bytes */
#ifndef FRONTENDS_DRIVER_FINDINGS_H
#define FRONTENDS_DRIVER_FINDINGS_H

#include "analyzer/verify/verify.h"
#include "frontends/driver/config/config.h"
#include "frontends/driver/project/project.h"

struct record_reader;

/* A file as the program names it, and as it is reported. */
struct named_file {
    const char *file, *told;
};

/* Where a report goes. */
struct output {
    const char *format;
    const char *path; /* NULL: standard output */
    int fd;           /* -1: it was written */
    bool is_new;      /* there was no such file before */
};
struct outputs {
    struct arena *arena;
    bool is_open;
    LIST(struct output) items;
};

/* A check, stage by stage. */
struct checking {
    struct arena *arena;
    const struct request *request;
    struct request effective; /* the request with what the configuration adds to it */
    struct config config;
    struct project project;
    bool selected[RULE_COUNT];
    finding_list findings; /* to report; sorted */
    finding_list known;    /* in the baseline */
    suppression_list suppressions;
    struct baseline baseline;      /* path NULL: none */
    const char *root;              /* identities and reports name files below it; absolute */
    LIST(uint64_t) suppressed;     /* finding_like of each */
    bool is_replayed;              /* nothing changed since that was found */
    LIST(struct named_file) named; /* those that findings mention */
    struct map *shown_names;       /* of them, by file */
    struct map *below_root;        /* what check_file gave, by file; NULL: nothing yet */
    struct map *asked;             /* real paths of the files to report on, once they are needed */
    struct map *branches;          /* of conditional compilation, by file; NULL: none yet */
    struct outputs outputs;
    LIST(struct verify_command) commands; /* that run the program, and how they went */
    const struct rule *rules;             /* that findings name, if not those of rules.h; or NULL */
    int rule_count;
};

/* A file as reports and baselines name it: below the root. */
const char *check_file(void *checking, const char *file);

/* Folders among the paths go to request->folders, units below them to request->found, files of
 * languages that are not read to request->foreign, files to files. */
bool folders_expand(struct arena *a, const struct config *c, const text_list *paths,
                    text_list *files, struct request *request, struct error *e);
/* As request_configure, for paths some of which may be folders: files get what is not below one.
 * False: also if there is no unit among them and below them. */
bool folders_configure(struct arena *a, const struct request *request, const text_list *paths,
                       struct request *out, text_list *files, struct error *e);
/* Whether the file is one that units include, below one of these folders: it is checked with them.
 */
bool folders_hold(struct checking *c, const char *file);

/* Reports that there was no file to check, and what there was instead. */
void skipped_say_nothing(const struct checking *c);
/* Reports that files next to those that were named are not part of the program, if there are any.
 * c: NULL, or what excludes some. */
void skipped_say_adjacent(struct project *p, const struct config *c);
/* Whether there are any; file: in its folder; NULL: in those of the files that were named. */
bool skipped_is_adjacent(struct project *p, const struct config *c, const char *file);
/* The files that were asked for in which nothing is found that a file which was not read
 * decides: what a baseline has of them and this run does not is gone. */
text_list skipped_decide_nothing(struct checking *c);

/* Rule, file and function as one number, which does not depend on the line. */
uint64_t finding_like(struct checking *c, const struct finding *f);
/* Removes findings that are not reported: in other files, ignored, suppressed, known. */
void findings_filter(struct checking *c);

/* The file that the configuration names, else the default one. */
const char *baseline_path(const struct checking *c);
/* How the configuration here names it: "'baseline: FILE' in .miscast.yaml". */
const char *baseline_setting(const struct checking *c, const char *path);
bool baseline_is_there(const char *path); /* a file that can be read, or a folder, which is wrong */
bool baseline_save(struct checking *c, const struct baseline *b, const char *path, struct error *e);
/* Adds one finding to that file; path: the file. */
bool baseline_append(struct checking *c, const struct finding *f, const char **path,
                     struct error *e);

/* Errors in the bytes are noted in the reader. */
void findings_put(struct text *to, const finding_list *l);
void findings_read(struct checking *c, struct record_reader *r, finding_list *l);

#endif
