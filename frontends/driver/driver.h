/* frontends/driver: projects, checks and queries. A request comes in; units, facts, findings and
 * answers go out. The command line, the language server, the hook and diff stand next to each other
 * on top of it.
 *
 * Each folder uses those above it in this list:
 *
 *   process/      this process: errors, the terminal, the deadline, installed files
 *   config/       what a front end asks for (request.h), and .miscast.yaml
 *   project/      a program: files, languages, units, sessions, the cache, packs, facts
 *   findings/     a check in progress: which files, which findings are reported
 *   incremental/  which functions have to be analysed again after a change
 *   history/      findings over time
 *   check/        the pipeline of a check, verdicts, fixes and reports
 *   run/          a program, run to see which numbers it loses
 *   shards/       checks in steps
 *   queries/      facts at a place in the source, their lineage, contracts, graphs of functions */
#ifndef FRONTENDS_DRIVER_H
#define FRONTENDS_DRIVER_H

#include "frontends/driver/check/check.h"
#include "frontends/driver/queries/queries.h"
#include "frontends/driver/run/run.h"
#include "frontends/driver/project/units.h"

#endif
