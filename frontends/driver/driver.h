/* frontends/driver: projects, checks and queries. A request comes in; units, facts, findings and
 * answers go out. The command line, the language server, the hook and diff stand next to each other
 * on top of it.
 *
 *   request.h     what a front end asks for
 *   process/      this process: errors, the terminal, the deadline, installed files
 *   config/       .miscast.yaml
 *   project/      which files, which packs, how they are named; the coverage line
 *   units/        files → units: workers, sessions, which unit depends on which file
 *   cache/        what is kept from run to run, and where
 *   check/        from units to findings, verdicts, fixes and reports
 *   incremental/  which functions have to be analysed again after a change
 *   shards/       checks in steps
 *   history/      findings over time
 *   queries/      facts at a place in the source, their lineage, contracts, graphs of functions */
#ifndef FRONTENDS_DRIVER_H
#define FRONTENDS_DRIVER_H

#include "frontends/driver/check/check.h"
#include "frontends/driver/queries/queries.h"
#include "frontends/driver/units/units.h"

#endif
