/* What belongs to the unit although a header says it. */
#ifndef DEFINES_H
#define DEFINES_H
struct pair {
    int a, b;
};
int counter;
struct pair both = {1, 2};
static int hidden = 3;
extern int elsewhere;
int twice(int x)
{
    return 2 * x + hidden;
}
static inline int thrice(int x)
{
    return twice(x) + x;
}
#define MAKE(name) int name(void) { return counter; }
#endif
