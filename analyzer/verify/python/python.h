/* analyzer/verify/python: the runner of Python (runner.h). A program comes in; it is started as it
 * is by the user's interpreter, under a package that sees its operations and reports them
 * (watcher/).
 *
 *   python.h       what the caller provides
 *   private.h      what the files here share
 *   runner.c       the struct of functions, and how a program is started
 *   environment.c  what it is started with
 *   server.c       one interpreter for many runs
 *   interpreter.c  which interpreter that is, and which PyTorch it has
 *   imports.c      which units make a program, and which of them start one
 *   options.c      what a program may understand on its command line
 *   plan.c         what is to be reported of a run
 *   harness.c      what a function that no program calls is called for
 *   bundle.c       a run, for another machine
 *   error.c        what PyTorch's messages are about */
#ifndef ANALYZER_VERIFY_PYTHON_H
#define ANALYZER_VERIFY_PYTHON_H

#include "analyzer/verify/verify.h"

struct interpreter {
    const char *path;    /* absolute */
    const char *version; /* "3.11.2" */
    const char *torch;   /* "1.13.1" */
};

/* The interpreter that the configuration names, or that of the active environment, or the first
 * python3 that can import torch. It is asked in the sandbox. False: e says what is missing. */
bool interpreter_find(struct arena *a, const char *configured, struct interpreter *out,
                      struct error *e);

/* For verdicts that are kept, and back. False: it is not such a text. */
const char *interpreter_text(struct arena *a, const struct interpreter *i);
bool interpreter_read(struct arena *a, const char *text, struct interpreter *out);

/* verify_input.tools of this runner. */
struct python_tools {
    struct interpreter interpreter;
    const char *watcher; /* the folder of the package */
};

extern const struct runner python_runner;

#endif
