/* Control flow; every check returns its line. */
#include <stdio.h>
#define CHECK(x)                                                                                   \
    do                                                                                             \
        if (!(x)) {                                                                                \
            printf("line %d\n", __LINE__);                                                         \
            failures++;                                                                            \
        }                                                                                          \
    while (0)
static int failures, trail;

static int mark(int n, int result)
{
    trail = trail * 10 + n;
    return result;
}

static int took(void)
{
    int t = trail;
    trail = 0;
    return t;
}

static int pick(int k)
{
    int r = 0;
    switch (k) {
        r = 100; /* not reached */
    case 1:
        r += 1;
    case 2:
        r += 2;
        break;
    case 5 ... 7:
        r = 5;
        if (k == 6)
            break;
        {
        default:
            r += 40;
        }
    }
    return r;
}

static int copy(char *to, const char *from, int n)
{
    int rounds = 0;
    switch (n & 3) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
            rounds++;
        } while ((n -= 4) > 0);
    }
    return rounds;
}

static int loops(void)
{
    int s = 0, n = 5;
    for (;;) {
        if (n-- == 0)
            break;
        if (n == 2)
            continue;
        s += n;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0;; j++) {
            if (j > i)
                break;
            s += 100;
        }
    for (; n < 3;)
        n++, s++;
    for (n = 9;; s++)
        if (n-- < 5)
            break;
    while (n > 0) {
        if (n == 1)
            goto out;
        n--;
    }
out:
    do {
        s += 1000;
        if (n)
            continue;
        s += 7;
    } while (n-- > 0);
    return s;
}

static int interpreter(const char *program)
{
    static const void *const ops[] = {&&add, &&twice, &&stop};
    int acc = 0;
next:
    goto *ops[*program++ - '0'];
add:
    acc++;
    goto next;
twice:
    acc *= 2;
    goto next;
stop:
    return acc;
}

int main(void)
{
    char to[16] = "";
    CHECK(pick(1) == 3 && pick(2) == 2 && pick(3) == 40 && pick(5) == 45 && pick(6) == 5);
    CHECK(copy(to, "abcdefghij", 10) == 3 && to[9] == 'j' && to[10] == 0);
    CHECK(loops() == 2624);
    CHECK(interpreter("0010102") == 11);

    int v = mark(1, 0) && mark(2, 1);
    CHECK(v == 0 && took() == 1);
    v = mark(1, 0) || (mark(2, 1) && mark(3, 5));
    CHECK(v == 1 && took() == 123);
    v = !mark(1, 0) ? mark(2, 7) : mark(3, 8);
    CHECK(v == 7 && took() == 12);
    v = mark(1, 0) ?: mark(2, 9);
    CHECK(v == 9 && took() == 12);
    v = mark(1, 4) ?: mark(2, 9);
    CHECK(v == 4 && took() == 1);
    v = (mark(1, 1), mark(2, 2));
    CHECK(v == 2 && took() == 12);
    v = ({
        int x = mark(3, 3);
        if (x > 2)
            x++;
        x * 2;
    });
    CHECK(v == 8 && took() == 3);
    if (mark(1, 1) && !(mark(2, 0) || mark(3, 0)) && (mark(4, 0) ? 0 : mark(5, 1)))
        v = 1;
    CHECK(v == 1 && took() == 12345);
    return failures;
}
