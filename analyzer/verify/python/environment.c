/* What a program is started with: few variables of the user's, a home of its own, one thread. */
#include "analyzer/verify/python/private.h"

#include <string.h>

/* What programs read. Nothing else of the user's environment is passed on. */
static const char *const passed_on[] = {"PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"};

/* One thread, no compiler, nothing kept outside of the room. */
static const char *const fixed[] = {"OMP_NUM_THREADS=1",       "MKL_NUM_THREADS=1",
                                    "OPENBLAS_NUM_THREADS=1",  "PYTORCH_JIT=0",
                                    "TORCH_COMPILE_DISABLE=1", "TORCHDYNAMO_DISABLE=1",
                                    "CUDA_VISIBLE_DEVICES=",   "TOKENIZERS_PARALLELISM=false",
                                    "HF_HUB_OFFLINE=1",        "WANDB_MODE=disabled"};
static const char *const folders[] = {"HOME",    "TMPDIR",       "TORCH_HOME",
                                      "HF_HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME"};

static bool is_set(const struct launch *l, const char *variable)
{
    size_t name = strcspn(variable, "=") + 1;
    for (const char *const *w = l->environment; w && *w; w++)
        if (!strncmp(*w, variable, name))
            return true;
    return false;
}

const char *const *python_environment(struct arena *a, const struct launch *l, const char *room)
{
    text_list words = {0};
    pass_variables(a, passed_on, COUNT(passed_on), &words);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        LIST_ADD(a, &words, arena_printf(a, "%s=%s", folders[i], room));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!is_set(l, fixed[i]))
            LIST_ADD(a, &words, fixed[i]);
    for (const char *const *w = l->environment; w && *w; w++)
        LIST_ADD(a, &words, *w);
    LIST_ADD(a, &words, NULL);
    return words.items;
}
