#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A calculator: each word is a command on a stack of tensors. */
enum { DEPTH = 16 };
static mc_tensor *stack[DEPTH];
static int top;

static void push(mc_tensor *t)
{
    if (top == DEPTH)
        exit(3);
    stack[top++] = t;
}

static mc_tensor *pop(void)
{
    if (top == 0)
        exit(3);
    return stack[--top];
}

static void do_ones(void)
{
    push(mc_ones(mc_shape(3, 3)));
}
static void do_eye(void)
{
    push(mc_eye(3));
}
static void do_dup(void)
{
    mc_tensor *t = pop();
    push(t);
    push(t);
}
static void do_mul(void)
{
    mc_tensor *b = pop(), *a = pop();
    push(mc_matmul(a, b));
}

static const struct command {
    const char *name;
    void (*run)(void);
} commands[] = {{"ones", do_ones}, {"eye", do_eye}, {"dup", do_dup}, {"mul", do_mul}};

static bool execute(const char *word)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(word, commands[i].name)) {
            commands[i].run();
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!execute(argv[i])) {
            fprintf(stderr, "unknown: %s\n", argv[i]);
            return 1;
        }
    while (top)
        mc_print(pop());
    return 0;
}
