/* frontends/driver/process: this process and the machine it runs on.
 *
 *   error.c          errors on stderr
 *   terminal.c       progress, signals
 *   deadline.c       the end of an analysis that does not end
 *   installed.c      where the files are that are installed with the program
 *   processors.c     how many CPUs there are
 *   runtime_files.c  where the runtime is
 *   shell_word.c     paths in commands that can be copied */
#ifndef FRONTENDS_DRIVER_PROCESS_H
#define FRONTENDS_DRIVER_PROCESS_H

#include "analyzer/base/base.h"

enum exit_code {
    EXIT_CLEAN,    /* nothing to report */
    EXIT_FINDINGS, /* something is wrong in the user's code */
    EXIT_TROUBLE,  /* usage, configuration, or our own fault */
    EXIT_PARTIAL   /* some unit could not be analysed, or not all of it */
};

/* "miscast: error: place: message" on stderr. */
enum exit_code say_error(const struct error *e);

/* The path, quoted for the shell where that is needed, in a line that can be copied. */
const char *shell_word(struct arena *a, const char *path);

int processors(void); /* that this process may use */

/* The folder that contains the program's bin, and share if it is installed; NULL: not known. */
const char *installed_prefix(struct arena *a);
/* The folder of the packs: $MISCAST_PACKS, else the installed one, else the source's. */
const char *installed_packs(struct arena *a);
/* The packs in it, by name. */
bool installed_pack_files(struct arena *a, text_list *out, struct error *e);
/* The folder that contains <miscast/tensor.h>; NULL if it is not found. */
const char *installed_headers(struct arena *a);
/* The folder of the rules' documentation; NULL if it is not found. */
const char *installed_docs(struct arena *a);
/* The folder of what runs in the user's Python; NULL if it is not found. */
const char *installed_watcher(struct arena *a);

#endif
