/* frontends/git: what git knows. The hook needs what is staged, diff what differs from a commit.
 *
 *   git.c           runs git; contents by object name
 *   stalled.c       its output, without waiting for a pipe that it waits for
 *   safe_command.c  command lines with which git runs nothing that a repository configures
 *   changes.c       what differs between commits, the index and the working tree */
#ifndef FRONTENDS_GIT_H
#define FRONTENDS_GIT_H

#include "analyzer/base/base.h"

/* ---- git.c ---------------------------------------------------------------------------------- */

/* Runs git with the arguments, ending with NULL, and reads its output; loud: shows its error
 * messages, with nothing in them that a terminal or a build server obeys. False: it failed, or is
 * not installed. */
bool git_read(const char *const *words, bool loud, struct text *out);

/* Contents by object name, from one process. */
struct git_objects {
    int pid, to, from; /* pid 0: not started yet */
    int messages;      /* what git writes to standard error; shown at the end */
};
/* NULL: there is no such object. */
char *git_object(struct git_objects *g, struct arena *a, const char *name, size_t *length);
void git_objects_close(struct git_objects *g);

/* The root of the working tree, absolute and real; NULL: there is none, or git would wait for a
 * file of the repository that is a pipe or a device. */
const char *git_top(struct arena *a, struct error *e);
/* Where the index is, whether or not it exists; NULL: git does not say. */
const char *git_index(struct arena *a);
/* Of a file that git names, seen from there, the whole path. */
const char *git_path(struct arena *a, const char *top, const char *file);

/* ---- stalled.c ------------------------------------------------------------------------------ */

/* Reads what the process writes. 0: the end, or an error; or it waits for a pipe, was ended, and
 * that was reported. */
size_t git_read_some(int pid, int fd, char *to, size_t room);

/* ---- safe_command.c -----------------------------------------------------------------------------
 */

typedef LIST(const char *) word_list;

/* A repository's configuration may come from anybody: an archive, a shared disk, a folder in a
 * checkout that looks like a repository. Arguments with which git runs nothing of it, ending with
 * NULL. */
const char *const *git_command(struct arena *a, const char *const *words);
/* The user's environment, with fetching disabled. Ends with NULL. */
const char *const *git_environment(struct arena *a);
/* Adds settings that disable filters: "-c", "filter.NAME.clean=" and so on. False: git cannot list
 * them, or one cannot be disabled, which was reported. */
bool git_filters_off(struct arena *a, word_list *words);

/* ---- changes.c ------------------------------------------------------------------------------ */

/* One file that differs. */
struct change {
    unsigned long mode[2]; /* before, after */
    const char *name[2];   /* object names of the contents */
    char status;
    const char *path; /* relative to the root */
};
typedef LIST(struct change) change_list;

#define IS_FILE(mode) (((mode) & 0170000) == 0100000)
#define IS_LINK(mode) (((mode) & 0170000) == 0120000)

/* All files that differ: the commit from the working tree, or, with how "--cached", from the index;
 * the index from the working tree if commit is NULL. how may also be a commit to compare with. */
bool git_differences(struct arena *a, const char *how, const char *commit, change_list *out);
/* Files in the index that git takes to be the same in the working tree without looking, because
 * they are marked so. Only mode[0], name[0] and path are set. */
bool git_not_compared(struct arena *a, change_list *out);

#endif
