/* analyzer/verify/c: the runner of C (runner.h). A program comes in; it is compiled with its own
 * flags, linked with the runtime, and started so that the runtime reports what it sees.
 *
 *   c.h          what the caller provides
 *   private.h    what the files here share
 *   runner.c     the struct of functions, and how a program is started
 *   link.c       which units make a program
 *   includes.c   which files a unit is made of
 *   options.c    what a program may understand on its command line
 *   constants.c  numbers and letters that it compares
 *   reads.c      what it reads besides: variables, files, standard input
 *   build.c      a plan → an executable: which text each unit is compiled from
 *   compile.c    the compiler and the linker
 *   object.c     what is not linked, because it would get between the runtime and its events
 *   stand_in.c   replacements for libraries that are not here (stand_in/cuda.c)
 *   measure.c    the source of a unit, with measurements at calls
 *   repeat.c     those that make a call many times
 *   branches.c   the source of a unit, with its branches reported
 *   harness.c    a function that nobody calls → C that calls it (harness.h)
 *   slots.c      the arguments of a harness
 *   repair.c     how they are changed until the run gets there
 *   ggml.c       what a library saw in programs on ggml (verify/ggml) → events
 *   frames.c     addresses and reports of AddressSanitizer → files and lines
 *   bundle.c     what was run, for another machine (bundle.sh, bundle.cmake) */
#ifndef ANALYZER_VERIFY_C_H
#define ANALYZER_VERIFY_C_H

#include "analyzer/verify/verify.h"

/* verify_input.tools of this runner. */
struct c_tools {
    const char *include, *library; /* of the runtime: folder, file */
    const char *compiler;          /* NULL: cc */
    const char *observer;          /* of programs on ggml (verify/ggml); NULL: none is there */
};

extern const struct runner c_runner;

#endif
