/* frontends/driver/check: from files to findings, and what is done with those.
 *
 *   check.c            the pipeline
 *   named_findings.c   findings that the user names
 *   apply_fixes.c      fixes → files
 *   tested_fixes.c     fixes that were run → fixes that work
 *   verify.c           findings → verdicts
 *   reports.c          findings → reports in every format
 *   report_files.c     where reports go */
#ifndef FRONTENDS_CHECK_H
#define FRONTENDS_CHECK_H

#include "frontends/driver/findings/findings.h"

/* What --fix changed. */
struct fixed {
    struct arena *arena;
    int findings;    /* that are gone */
    text_list files; /* each once */
};

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
