/* story [--half] [--cuda] [--train]: continues rows of numbers. */
#include "story.h"

#include <string.h>

static struct options read_options(int argc, char **argv)
{
    struct options o = {0};
    for (int i = 1; i < argc; i++) {
        o.half |= strcmp(argv[i], "--half") == 0;
        o.cuda |= strcmp(argv[i], "--cuda") == 0;
        o.train |= strcmp(argv[i], "--train") == 0;
    }
    return o;
}

/* What comes next is one more. */
static void rows(mc_tensor **x, mc_tensor **next)
{
    *x = mc_add(mc_unsqueeze(mc_arange(BATCH), 1), mc_arange(TIME));
    *next = mc_add(*x, 1);
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    struct story s;
    mc_tensor *x, *next;
    story_init(&s);
    rows(&x, &next);
    if (o.half)
        story_half(&s);
    if (o.cuda) {
        story_cuda(&s);
        x = mc_to_device(x, MC_CUDA);
        next = mc_to_device(next, MC_CUDA);
    }
    if (o.train)
        story_train(&s, x, next, 3);
    mc_print(story_surprise(&s, x));
    story_save(s.words);
    return 0;
}
