/* Findings for another machine: what was run for each, as a folder that can be built and run where
 * only the runtime is, and the results of that, read back. The runner writes what is built
 * (runner.h); here is what identifies a case, and how its results are judged.
 *
 * A bundle is a folder with one folder per case, RULE-IDENTITY, which has:
 *   finding.json   the finding, the state of its code, and how it was run
 *   expected       a line for people
 *   verdict.json   after run.sh or run.py: the backend, the exit status, the events, and the
 *                  version of a library that programs bring along
 *   stderr         what it printed, with reports of a memory checker */
#ifndef ANALYZER_VERIFY_BUNDLE_H
#define ANALYZER_VERIFY_BUNDLE_H

#include "analyzer/verify/run.h"

/* Remembers how a run was made, for bundle_add. */
void bundle_record(struct verifier *v, const struct run *r, const struct launch *l);
/* Writes the case of a finding that was run into in->emit. */
bool bundle_add(struct verifier *v, const struct finding *f, uint64_t state, struct error *e);
/* Judges a finding by what came back for it. False: nothing did, or e says what is wrong. */
bool bundle_judge(struct verifier *v, struct finding *f, uint64_t state, struct error *e);

/* ---- for runners ------------------------------------------------------------------------------
 */

/* Where a file goes in a case: as below the project's root. */
const char *bundle_place(struct verifier *v, const char *path);
/* Writes a file, with the folders above it. */
bool bundle_write(struct verifier *v, const char *path, const char *text, size_t length,
                  struct error *e);
/* What the program reads: files where it starts, and standard input. */
bool bundle_write_files(struct verifier *v, const char *folder, const struct launch *l,
                        struct error *e);

#endif
