/* Errors of the world (a file, a flag, the configuration) on stderr, in the form that compilers
 * use.
 */
#include "frontends/driver/process/process.h"
#include "frontends/driver/process/terminal.h"

#include <stdio.h>

enum exit_code say_error(const struct error *e)
{
    fflush(stdout);
    progress_end();
    fputs("miscast: error: ", stderr);
    print_shown(stderr, "%s", e->file);
    if (e->line)
        fprintf(stderr, ":%d", e->line);
    if (e->line && e->column)
        fprintf(stderr, ":%d", e->column);
    print_shown(stderr, "%s%s\n", e->file[0] ? ": " : "", e->message);
    return EXIT_TROUBLE;
}
