/* frontends/hook: miscast before every commit. What is staged comes in, an exit code goes out: 1
 * stops the commit.
 *
 *   hook.c      miscast hook: its actions
 *   staged.c    what the commit would change, and what files would contain
 *   includes.c  who includes a file, where no database says which units there are
 *   checked.c   the check of that
 *   install.c   the hook put into a repository, and taken out of it
 *
 * It runs the check of frontends/driver, on what frontends/git reads. */
#ifndef FRONTENDS_HOOK_H
#define FRONTENDS_HOOK_H

#include "frontends/driver/driver.h"
#include "frontends/git/git.h"

/* ---- staged.c ------------------------------------------------------------------------------- */

struct staged {
    struct arena *arena;
    const char *top;        /* the folder of the repository's files; absolute, real */
    text_list changed;      /* C files that are added or changed; absolute */
    text_list deleted;      /* that are no more; absolute */
    struct overlay overlay; /* of files that are not in the tree as they are staged */
};

/* Of the index that git names (GIT_INDEX_FILE). files: what to take as changed; none: all that is
 * staged. False: e says why. */
bool staged_read(struct staged *s, const text_list *files, struct error *e);

/* ---- includes.c ----------------------------------------------------------------------------- */

/* The units among the repository's files that include one of the changed ones, by name, directly or
 * not, go to units; changed files that nobody includes and that are no units go to alone. */
bool includes_find(struct staged *s, text_list *units, text_list *alone, struct error *e);
/* The units among the repository's files that lie beside changed ones. */
bool units_beside(struct staged *s, text_list *out, struct error *e);
/* The units among the repository's files in the folder and below it. */
bool units_below(struct staged *s, const char *folder, text_list *out, struct error *e);

/* ---- actions -------------------------------------------------------------------------------- */

/* miscast hook: run, install or uninstall. force: replace a hook that is not miscast's. The paths
 * of the request are the files to check; none: all that are staged. */
enum exit_code hook_run(const char *action, bool force, const struct request *request);

enum exit_code hook_check(const struct request *request);
enum exit_code hook_install(bool force);
enum exit_code hook_uninstall(bool force);

#endif
