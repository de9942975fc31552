/* frontends/hook: miscast before every commit. The staged contents come in, an exit code goes out:
 * 1 stops the commit.
 *
 *   hook.c      miscast hook: its actions
 *   staged.c    what the commit changes, and what files will contain
 *   includes.c  who includes a file, if no database lists the units
 *   check.c     the check of that
 *   install.c   installs and removes the hook
 *
 * It runs the check of frontends/driver, on what frontends/git reads. */
#ifndef FRONTENDS_HOOK_H
#define FRONTENDS_HOOK_H

#include "frontends/driver/driver.h"
#include "frontends/git/git.h"

/* ---- staged.c ------------------------------------------------------------------------------- */

struct staged {
    struct arena *arena;
    const char *top;        /* the root of the working tree; absolute, real */
    change_list found;      /* all that is staged, as git names it */
    text_list changed;      /* C files that are added or changed; absolute */
    text_list deleted;      /* deleted files; absolute */
    struct overlay overlay; /* of files that differ from the working tree */
};

/* From the index that git names (GIT_INDEX_FILE). files: taken as changed; none: all that are
 * staged. False: e says why. */
bool staged_read(struct staged *s, const text_list *files, struct error *e);

/* ---- includes.c ----------------------------------------------------------------------------- */

/* Adds to units those of the repository's units that include a changed file, directly or not, by
 * name; and to alone the changed files that nobody includes and that are not units. */
bool includes_find(struct staged *s, text_list *units, text_list *alone, struct error *e);
/* The repository's units next to changed files. */
bool units_beside(struct staged *s, text_list *out, struct error *e);
/* The repository's units in the folder and below it. */
bool units_below(struct staged *s, const char *folder, text_list *out, struct error *e);

/* ---- actions -------------------------------------------------------------------------------- */

/* miscast hook: run, install or uninstall. force: replace a hook that is not miscast's. The paths
 * of the request are the files to check; none: all that are staged. */
enum exit_code hook_run(const char *action, bool force, const struct request *request);

enum exit_code hook_check(const struct request *request);
enum exit_code hook_install(bool force);
enum exit_code hook_uninstall(bool force);

#endif
