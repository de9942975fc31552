/* miscast hook: dispatches on the action. */
#include "frontends/hook/hook.h"

#include <stdlib.h>
#include <string.h>

static enum exit_code check(bool force, const struct request *request)
{
    (void)force;
    return hook_check(request);
}

static enum exit_code install(bool force, const struct request *request)
{
    (void)request;
    return hook_install(force);
}

static enum exit_code uninstall(bool force, const struct request *request)
{
    (void)request;
    return hook_uninstall(force);
}

static const struct action {
    const char *name;
    bool takes_files;
    enum exit_code (*run)(bool force, const struct request *request);
} actions[] = {
    {"run", true, check},
    {"install", false, install},
    {"uninstall", false, uninstall},
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

enum exit_code hook_run(const char *action, bool force, const struct request *request)
{
    struct error e = {0};
    const struct action *a = action_named(action, &e);
    if (a && request->paths.count && !a->takes_files) {
        error_set(&e, "'hook %s' takes no files", a->name);
        a = NULL;
    }
    setenv("GIT_OPTIONAL_LOCKS", "0", 1); /* git commit holds the lock of the index */
    return a ? a->run(force, request) : say_error(&e);
}
