/* Operators and conversions; every check returns its line. */
#include <stdio.h>
#define CHECK(x)                                                                                   \
    do                                                                                             \
        if (!(x)) {                                                                                \
            printf("line %d\n", __LINE__);                                                         \
            failures++;                                                                            \
        }                                                                                          \
    while (0)
static int failures;

struct bits {
    signed low : 3;
    unsigned high : 5, flag : 1;
    _Bool yes : 1;
};

enum { SMALL = -2, LARGE = 70000 };
enum wide { WIDE = 1ull << 40 };

int main(void)
{
    signed char c = 127;
    unsigned char u = 250;
    short s = -3;
    unsigned n = 5;
    long long l = -7;
    float f = 0.1f;
    double d = 0.1;
    _Bool b = 7;

    c++;
    CHECK(c == -128);
    u += 10;
    CHECK(u == 4);
    u *= 5.6;
    CHECK(u == 22);
    s <<= 4;
    CHECK(s == -48);
    s >>= 2;
    CHECK(s == -12);
    s /= 5u;
    CHECK(s == 13104);
    n -= 6;
    CHECK(n == 4294967295u && n > 0);
    CHECK(l / 2 == -3 && l % 2 == -1 && l >> 1 == -4);
    CHECK((unsigned)l / 2 == 2147483644u);
    CHECK(-1 > 1u && -1L < 1u);
    CHECK(f != d && f == (float)d);
    CHECK((int)-2.9 == -2 && (unsigned char)200.7f == 200);
    CHECK(b == 1 && (_Bool)0.5 == 1 && (_Bool)(void *)0 == 0);
    b--;
    CHECK(b == 0);
    b--;
    CHECK(b == 1);
    f *= 3;
    CHECK(f == 0.3f * 1.0f || f > 0.3f);
    CHECK(1.0f / 3 == 1.0f / 3.0f && 1 / 3.0 != 1.0f / 3);
    CHECK(SMALL + LARGE == 69998 && WIDE >> 38 == 4);
    CHECK('\n' == 10 && '\x41' == 65 && '\101' == 'A' && 'ab' != 'b');
    CHECK(0x7fffffff + 0u == 2147483647 && 0377 == 255 && 1000000000000 / 1000000 == 1000000);
    CHECK(~0u == 0xffffffff && ~5 == -6 && -(-3) == 3 && !0 == 1 && !3.5 == 0);
    CHECK((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6);
    CHECK(sizeof(int) == 4 && sizeof "abc" == 4 && sizeof(struct bits) > 0);

    struct bits k = {.low = 2, .high = 33, .yes = 4};
    CHECK(k.high == 1 && k.yes == 1);
    k.low += 3;
    CHECK(k.low == -3);
    int was = k.flag++;
    CHECK(was == 0 && k.flag == 1);
    CHECK((k.high = 100) == 4 && k.high == 4);

    int a[5] = {1, 2, 3, 4, 5}, *p = a, *q = &a[4], **pp = &p;
    CHECK(*p++ == 1 && *p == 2 && *++p == 3 && (*p)++ == 3 && a[2] == 4);
    CHECK(q - p == 2 && p < q && p + 2 == q && 3 [a] == 4);
    *pp += 1;
    CHECK(*p == 4);
    p -= 2;
    CHECK(p[-1] == 1 && *(p + 1) == 4 && p == &1 [a]);
    CHECK((char *)q - (char *)p == 12);
    int i = 1;
    a[i++] += 10;
    CHECK(i == 2 && a[1] == 12);
    long t = (long)(int)3000000000;
    CHECK(t == -1294967296);
    return failures;
}
