/* miscast hook: the first word says what is done. */
#include "frontends/hook/hook.h"

#include <stdlib.h>
#include <string.h>

static const struct action {
    const char *name;
    bool takes_files;
    enum exit_code (*run)(const struct options *o);
} actions[] = {
    {"run", true, hook_check},
    {"install", false, hook_install},
    {"uninstall", false, hook_uninstall},
};
enum { ACTION_COUNT = sizeof actions / sizeof *actions };

static const struct action *action_named(const char *name, struct error *e)
{
    struct nearest near = nearest_to(name);
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (!strcmp(actions[i].name, name))
            return &actions[i];
        nearest_try(&near, actions[i].name);
    }
    if (near.name)
        error_set(e, "'hook' has no '%s'; did you mean '%s'?", name, near.name);
    else
        error_set(e, "'hook' needs run, install or uninstall, not '%s'", name);
    return NULL;
}

enum exit_code hook_run(const struct options *o)
{
    struct error e = {0};
    struct options rest = *o;
    const struct action *a = action_named(o->operands.items[0], &e);
    rest.operands.items++;
    rest.operands.count--;
    if (a && rest.operands.count && !a->takes_files) {
        error_set(&e, "'hook %s' takes no files", a->name);
        a = NULL;
    }
    setenv("GIT_OPTIONAL_LOCKS", "0", 1); /* whoever commits has the index */
    return a ? a->run(&rest) : say_error(&e);
}
