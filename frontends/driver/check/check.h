/* frontends/driver/check: from files to findings, and what is done with those.
 *
 *   check.c            the pipeline
 *   folders.c          folders → files
 *   skipped_files.c    files that were not read
 *   filter.c           which findings are reported, suppressed, known
 *   completeness.h     whether the whole program was analysed
 *   baseline_file.c    the file of known findings
 *   named_findings.c   findings that the user names
 *   apply_fixes.c      fixes → files
 *   tested_fixes.c     fixes that were run → fixes that work
 *   verify.c           findings → verdicts
 *   reports.c          findings → reports in every format
 *   report_files.h     where reports go
 *   findings_record.c  findings ↔ bytes */
#ifndef FRONTENDS_CHECK_H
#define FRONTENDS_CHECK_H

#include "frontends/driver/config/config.h"
#include "frontends/driver/project/project.h"

/* A file as the program names it, and as it is told. */
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

/* What --fix changed. */
struct fixed {
    struct arena *arena;
    int findings;    /* that are gone */
    text_list files; /* each once */
};

/* A check, stage by stage. */
struct checking {
    struct arena *arena;
    const struct request *request;
    struct request effective; /* the request with what the configuration adds to it */
    struct config config;
    struct project project;
    bool selected[RULE_COUNT];
    finding_list findings; /* told; sorted */
    finding_list known;    /* in the baseline */
    suppression_list suppressions;
    struct baseline baseline;      /* path NULL: none */
    const char *root;              /* identities and reports name files below it; absolute */
    LIST(uint64_t) suppressed;     /* finding_like of each */
    bool is_replayed;              /* nothing changed since that was found */
    LIST(struct named_file) named; /* those that findings mention */
    struct map *told_names;        /* of them, by file */
    struct outputs outputs;
};

/* The folders among the paths go to o->folders, the C files below them to o->found, those of C++ to
 * o->foreign, files to files. */
bool folders_expand(struct arena *a, const struct config *c, const text_list *paths,
                    text_list *files, struct request *request, struct error *e);
/* Whether the file is one of those that C files include, below one of these folders: it is asked
 * for with them. */
bool folders_hold(struct checking *c, const char *file);
/* Says that there was no C file, and what there was instead. */
void unread_say_nothing(const struct checking *c);
/* Says that files beside those that were named are not part of the program, if that is so.
 * c: NULL, or what excludes some. */
void unread_say_beside(struct project *p, const struct config *c);
/* Whether there are any; file: in its folder, else (NULL) in those of the files that were named. */
bool unread_is_beside(struct project *p, const struct config *c, const char *file);

/* What is to be checked, and where things are kept for that: no libclang is needed. */
bool check_prepare(struct checking *c, const struct request *request, struct error *e);
/* Everything up to and including the findings. */
bool check_begin(struct checking *c, const struct request *request, struct error *e);
/* Its parts. The configuration is looked for near that path. */
const char *check_near(const struct request *request);
bool check_configure(struct checking *c, const struct request *request, const char *near,
                     struct error *e);
bool check_select(struct checking *c, struct error *e); /* rules, baseline */
bool check_find_units(struct checking *c, const struct request *request,
                      struct error *e); /* and these */
bool check_infer(struct checking *c, struct error *e);
/* check_begin, then with --fix fixes until nothing is left to fix; c is then the last check.
 * Contents that are not saved are fixed in the request, in the arena a. */
bool check_fixing(struct arena *a, struct checking *c, struct request *request,
                  struct outputs *outputs, struct fixed *fixed, struct error *e);
/* Reports, and says how many there are. */
enum exit_code check_tell(struct checking *c, struct error *e);
enum exit_code check_end(struct checking *c);
void check_free(struct checking *c);                 /* without a word, however far it came */
enum exit_code check_code(const struct checking *c); /* by what is told */
void check_say_counts(const struct checking *c);     /* of what is told, and what is not */
/* history/record.c: keeps what was found now, if that is news. */
struct run;
const struct run *history_note(struct checking *c); /* NULL: it is not */
/* As reports and baselines name the file: below the root. */
const char *check_file(void *checking, const char *file);

/* Rule, file and function as one number: it stays where the line that it is on changes. */
uint64_t finding_like(struct checking *c, const struct finding *f);
/* Sorts out what is not told: other files, ignored, suppressed, known. */
void judge(struct checking *c);

/* The file that the configuration names, else the default one. */
const char *baseline_path(const struct checking *c);
bool baseline_is_there(const char *path); /* a file that can be read, or a folder, which is wrong */
bool baseline_save(struct checking *c, const struct baseline *b, const char *path, struct error *e);
/* Adds one finding to that file; path: the file. */
bool baseline_append(struct checking *c, const struct finding *f, const char **path,
                     struct error *e);

/* findings_record.c. What cannot be read is noted in the reader. */
struct record_reader;
void findings_put(struct text *to, const finding_list *l);
void findings_read(struct checking *c, struct record_reader *r, finding_list *l);

/* incremental.c: what was found before, with what is new where something changed. False: e says
 * what went wrong; done tells whether it could be done at all. */
bool again(struct checking *c, bool *done, struct error *e);
/* Asks the rules, and keeps what the next time will need. */
void again_find(struct checking *c, struct check_input *in);

/* Whether what was read of the file is what it contains: it may have been edited meanwhile. */
bool replay_is_as_it_was(struct checking *c, const char *file);
/* All that packs say, whatever is wanted of it. */
void replay_add_packs(struct checking *c, struct text *to);
/* Takes what the same check found before, if nothing changed that it depends on. */
bool replay(struct checking *c);
/* Keeps what was found. */
void replay_keep(struct checking *c);

/* Applies what may be applied; adds what was changed. What is not saved goes to unsaved. */
bool fixing_run(struct checking *c, struct fixed *fixed, struct text *unsaved, struct error *e);
/* What it would change, as a patch on standard output. */
void fixing_show(struct checking *c);

/* Gives the findings their verdicts, by running them. */
bool verifying_run(struct checking *c, struct error *e);
/* The same of some of them, with the text of a file as it is not saved; nothing is kept. */
bool verifying_try(struct checking *c, const finding_list *findings, const char *file,
                   const char *text, struct error *e);
/* Runs nothing: only verdicts that are kept, of code that did not change. */
void verifying_recall(struct checking *c);
void verifying_say(const struct checking *c); /* how many of each */

/* Of the operands, those that name findings are taken out; of those, their files are left in.
 * False: they are mixed with paths. */
bool naming_split(struct arena *a, struct request *request, struct error *e);
/* Leaves the findings that the user named; false: there is none of that name. */
bool naming_keep(struct checking *c, struct error *e);

/* Takes away the fixes that do not mend what they are for, by running the mended code. */
bool curing_run(struct checking *c, struct error *e);

bool output_write(const char *path, const struct text *text, struct error *e);
/* Whether nothing that the run reads would be overwritten. */
bool output_allowed(const struct project *p, const char *path, struct error *e);
/* The file is there whole or not at all; a link, a pipe or a device stays what it is, and is
 * written to. */
bool output_replace(struct project *p, const char *path, const struct text *text, struct error *e);
/* What a report is made of. */
void output_begin(struct checking *c, struct report *r);
/* Reports in all formats that are asked for. */
bool output_run(struct checking *c, struct error *e);
#endif
