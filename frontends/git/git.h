/* frontends/git: what git knows. The hook asks for what is staged, a comparison for what differs
 * from a commit.
 *
 *   git.c       git, run and read; contents by their names
 *   harmless.c  how git is called so that it runs nothing which a repository names
 *   changes.c   what differs between commits, the index and the tree */
#ifndef FRONTENDS_GIT_H
#define FRONTENDS_GIT_H

#include "analyzer/base/base.h"

/* ---- git.c ---------------------------------------------------------------------------------- */

/* Runs git with the words, the last of which is NULL, and reads what it prints; loud: what it
 * complains about is seen. False: it failed, or is not installed. */
bool git_read(const char *const *words, bool loud, struct text *out);

/* Contents by their names, from one process. */
struct git_objects {
    int pid, to, from; /* pid 0: not started yet */
};
/* NULL: there is no such object. */
char *git_object(struct git_objects *g, struct arena *a, const char *name, size_t *length);
void git_objects_close(struct git_objects *g);

/* The folder of the repository's files, absolute and real; NULL: there is none. */
const char *git_top(struct arena *a, struct error *e);
/* Of a file that git names, seen from there, the whole path. */
const char *git_path(struct arena *a, const char *top, const char *file);

/* ---- harmless.c ----------------------------------------------------------------------------- */

typedef LIST(const char *) word_list;

/* What a repository names may come from anybody: an archive, a shared disk, a folder inside of a
 * checkout that looks like a repository. The words, before which git is told to run none of it; the
 * last is NULL. */
const char *const *git_command(struct arena *a, const char *const *words);
/* The user's environment, with which git fetches nothing. The last is NULL. */
const char *const *git_environment(struct arena *a);
/* Adds settings by which no filter is run: "-c", "filter.NAME.clean=" and so on. False: git cannot
 * say which there are, or one cannot be turned off, which was told. */
bool git_filters_off(struct arena *a, word_list *words);

/* ---- changes.c ------------------------------------------------------------------------------ */

/* One file that differs. */
struct change {
    unsigned long mode[2]; /* before, after */
    const char *name[2];   /* of the contents */
    char status;
    const char *path; /* below the top */
};
typedef LIST(struct change) change_list;

#define IS_FILE(mode) (((mode) & 0170000) == 0100000)
#define IS_LINK(mode) (((mode) & 0170000) == 0120000)

/* All that differ: of the commit from the tree of files, or how "--cached" from the index; the
 * index from the tree where commit is NULL. how may be a commit, too: of that from the other. */
bool git_differences(struct arena *a, const char *how, const char *commit, change_list *out);

/* Whether the name is one of source that C is made of, and of a unit of it. */
bool is_c_text(const char *path);
bool is_c_unit(const char *path);

#endif
