/* frontends/driver/check: from files to findings, and what is done with those.
 *
 *   check.c            the pipeline
 *   named_findings.c   findings that the user names
 *   fix_rounds.c       fixes until nothing is left to fix
 *   apply_fixes.c      fixes → files
 *   tested_fixes.c     fixes that were run → fixes that work
 *   verify.c           findings → verdicts
 *   commands.c         which commands run the program, for verify.c
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
    text_list lines; /* what was done, one per fix */
};

/* Which files, and where the cache is; needs no parser. */
bool check_prepare(struct checking *c, const struct request *request, struct error *e);
/* Everything up to and including the findings. */
bool check_begin(struct checking *c, const struct request *request, struct error *e);
/* Its stages. The configuration is searched for near that path. */
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
/* Writes reports, and the counts. */
enum exit_code check_tell(struct checking *c, struct error *e);
enum exit_code check_end(struct checking *c);
void check_free(struct checking *c);                 /* without reporting, at any stage */
enum exit_code check_code(const struct checking *c); /* by the findings that are reported */
void check_say_counts(
    const struct checking *c); /* of findings that are reported, and of those that are not */
/* Applies fixes; adds what was changed. Contents that are not saved go to unsaved. */
bool fixes_apply(struct checking *c, struct fixed *fixed, struct text *unsaved, struct error *e);
/* Follows symbolic links. The new file keeps the owner of the old one, if possible. */
bool source_replace(const char *link, const char *data, size_t length, struct error *e);
/* What it would change, as a patch on standard output. */
void fixes_show(struct checking *c);

/* Runs the findings, and sets their verdicts. */
bool check_verify(struct checking *c, struct error *e);
/* Which Python runs programs, and with which PyTorch; or what is missing. */
const char *check_interpreter_text(struct arena *a, const struct config *c);
/* What contains the programs that are run here. */
const char *check_containment_text(struct arena *a);
/* Which commands run the program, and how they went. */
void check_find_commands(struct checking *c);
void check_say_commands(const struct checking *c);
/* The same for some of them, with unsaved contents of a file; nothing is cached. */
bool check_verify_unsaved(struct checking *c, const finding_list *findings, const char *file,
                          const char *text, struct error *e);
/* Runs nothing: only cached verdicts, of code that did not change. */
void check_recall_verdicts(struct checking *c);
/* The same, only for findings that were refuted: they stay in the report, and do not count. */
void check_recall_refuted(struct checking *c);
void check_say_verdicts(const struct checking *c); /* how many of each */

/* Moves paths that name findings to request->findings, and leaves their files. False: they are
 * mixed with other paths. */
bool named_findings_split(struct arena *a, struct request *request, struct error *e);
/* Keeps only the findings that the user named; false: there is none. */
bool named_findings_keep(struct checking *c, struct error *e);

/* Removes fixes that do not work, by running the fixed code. */
bool fixes_test(struct checking *c, struct error *e);

bool output_write(const char *path, const struct text *text, struct error *e);
/* Whether the path is none of the files that the run reads. */
bool output_allowed(const struct project *p, const char *path, struct error *e);
/* Replaces the file atomically; a link, a pipe or a device is written to. */
bool output_replace(struct project *p, const char *path, const struct text *text, struct error *e);
/* The input of a report. */
void output_begin(struct checking *c, struct report *r);
/* Reports in all requested formats. */
bool output_run(struct checking *c, struct error *e);
#endif
