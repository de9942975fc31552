/* Records, arrays, initialisers, calls; every check returns its line. */
#include <stdio.h>
#include <string.h>
#define CHECK(x)                                                                                   \
    do                                                                                             \
        if (!(x)) {                                                                                \
            printf("line %d\n", __LINE__);                                                         \
            failures++;                                                                            \
        }                                                                                          \
    while (0)
static int failures;

struct point {
    int x, y;
};
struct shape {
    struct point at[2];
    union {
        int i;
        unsigned char bytes[4];
    };
    struct {
        int deep[3];
    } inner;
    const char *name;
};
typedef int (*binary)(int, int);

static int plus(int a, int b)
{
    return a + b;
}

static int minus(int a, int b)
{
    return a - b;
}

static const struct row {
    const char *name;
    binary run;
} rows[] = {[1] = {"minus", minus}, [0] = {.run = plus, .name = "plus"}};

static struct shape global = {1, 2, 3, 4, {5}, .inner.deep[1] = 6, 7, .name = "global"};
static int table[][3] = {{1}, {[2] = 3}, 4, 5};
static struct point *const literal = &(struct point){.y = 9};
static int ranged[20] = {[2 ... 4] = 3, [19] = 1};
static char fixed[6] = "abc", open[] = "wxyz";
int tentative;
int tentative;

static struct point moved(struct point p, int by)
{
    p.x += by;
    return p;
}

static struct point swapped(struct point p)
{
    return (struct point){.x = p.y, .y = p.x};
}

static void out(int *a, struct shape *s, struct point **pp)
{
    *a = 5;
    s->at[1] = **pp;
    *pp = &s->at[0];
}

static int calls(void)
{
    static int n = 3;
    static struct point p = {1};
    return ++n * 10 + p.x++;
}

static int apply(int f(int, int), int a, int b)
{
    return f(a, b) + (*f)(b, a);
}

static binary chosen(int i)
{
    return i ? minus : plus;
}

static int old(a, b) char a;
long b;
{
    return a + b;
}

static int sum(int n, const int v[])
{
    int s = 0;
    while (n-- > 0)
        s += v[n];
    return s;
}

static int depth(int n)
{
    int here[2] = {n};
    return n ? depth(n - 1) + here[0] + here[1] : 0;
}

int main(void)
{
    CHECK(global.at[1].x == 3 && global.i == 5 && global.inner.deep[0] == 0);
    CHECK(global.inner.deep[1] == 6 && global.inner.deep[2] == 7 && !strcmp(global.name, "global"));
    CHECK(table[1][2] == 3 && table[2][1] == 5 && table[2][2] == 0 && sizeof table == 36);
    CHECK(literal->y == 9 && literal->x == 0 && ranged[4] == 3 && ranged[5] == 0 && ranged[19]);
    CHECK(fixed[2] == 'c' && fixed[5] == 0 && sizeof open == 5 && !tentative);
    CHECK(!strcmp(rows[0].name, "plus") && rows[0].run(3, 4) == 7 && rows[1].run(3, 4) == -1);

    struct point p = {1, 2}, q = moved(p, 5), r;
    CHECK(p.x == 1 && q.x == 6 && q.y == 2);
    r = p = q;
    CHECK(r.x == 6 && swapped(r).y == 6 && moved(swapped(r), 1).x == 3);
    r = (r.x > 3 ? p : q);
    CHECK(r.y == 2);

    int a = 0;
    struct shape s = {.name = "s"}, copy;
    struct point *pp = &q;
    out(&a, &s, &pp);
    CHECK(a == 5 && s.at[1].x == 6 && pp == &s.at[0] && s.i == 0);
    copy = s;
    copy.at[1].x = 1;
    CHECK(s.at[1].x == 6);
    s.i = 0x01020304;
    CHECK(s.bytes[0] == 4 && s.bytes[3] == 1);

    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct point *l = &(struct point){.x = i};
        total += l->x + l->y++;
        int fresh[3] = {i};
        total += fresh[0] + fresh[2];
    }
    CHECK(total == 6);
    CHECK(calls() == 41 && calls() == 52);
    CHECK(apply(minus, 7, 2) == 0 && apply(plus, 1, 2) == 6 && chosen(1)(9, 4) == 5);
    CHECK(old('a', 3) == 100 && sum(3, (int[]){4, 5, 6}) == 15 && depth(10) == 55);

    binary fs[2] = {plus}, *fp = fs;
    fp[1] = &minus;
    CHECK((*fp)(1, 1) == 2 && (**++fp)(1, 1) == 0);
    char text[8] = {"hey"}, braces[] = {'a', 'b', [4] = 'c'};
    CHECK(text[3] == 0 && text[7] == 0 && sizeof braces == 5 && braces[4] == 'c' && !braces[3]);
    struct shape again = {1, 2, 3, 4, .at = {{5}}, .at[1].y = 6};
    CHECK(again.at[0].x == 5 && again.at[0].y == 0 && again.at[1].x == 0 && again.at[1].y == 6);
    CHECK(__builtin_offsetof(struct shape, at[1].y) == 12);
    CHECK(_Generic(p, struct point: 1, default: 2) == 1 && _Generic(&a, int *: 3, default: 4) == 3);
    return failures;
}
