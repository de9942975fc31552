/* frontends/hook: miscast before every commit. What is staged comes in, an exit code goes out: 1
 * stops the commit.
 *
 *   hook.c      miscast hook: its actions
 *   git.c       git, run and read
 *   changes.c   what differs between commits, the index and the tree
 *   staged.c    what the commit would change, and what files would contain
 *   includes.c  who includes a file, where no database says which units there are
 *   checked.c   the check of that
 *   word.c      paths in a line that can be copied
 *   install.c   the hook put into a repository, and taken out of it
 *
 * It stands on frontends/cli, whose check it runs. */
#ifndef FRONTENDS_HOOK_H
#define FRONTENDS_HOOK_H

#include "frontends/cli/check.h"

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

/* ---- changes.c ------------------------------------------------------------------------------ */

/* One file that differs: ":100644 100644 NAME NAME M\0PATH\0". */
struct change {
    unsigned long mode[2]; /* before, after */
    const char *name[2];   /* of the contents */
    char status;
    const char *path; /* below the top */
};

#define IS_FILE(mode) (((mode) & 0170000) == 0100000)
#define IS_LINK(mode) (((mode) & 0170000) == 0120000)

/* All that differ: of the commit from the tree of files, or how "--cached" from the index; the
 * index from the tree where commit is NULL. */
bool git_differences(const char *how, const char *commit, struct text *out);
/* The next of them; NULL: there is none, or it is nothing that we know. */
const char *change_read(struct arena *a, const char *at, const char *end, struct change *c);
/* The folder of the repository's files, absolute and real; NULL: there is none. */
const char *git_top(struct arena *a, struct error *e);

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
/* Whether the name is one of source that C is made of. */
bool is_c_text(const char *path);
bool is_c_unit(const char *path);

/* ---- includes.c ----------------------------------------------------------------------------- */

/* The units among the repository's files that include one of the changed ones, by name, directly or
 * not, go to units; changed files that nobody includes and that are no units go to alone. */
bool includes_find(struct staged *s, text_list *units, text_list *alone, struct error *e);
/* The units among the repository's files in the folder and below it. */
bool units_below(struct staged *s, const char *folder, text_list *out, struct error *e);

/* ---- word.c --------------------------------------------------------------------------------- */

/* The path, quoted for the shell where that is needed. */
const char *shell_word(struct arena *a, const char *path);

/* ---- actions -------------------------------------------------------------------------------- */

enum exit_code hook_check(const struct options *o);
enum exit_code hook_install(const struct options *o);
enum exit_code hook_uninstall(const struct options *o);

#endif
