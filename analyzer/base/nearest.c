/* The name that was probably meant by a misspelled one. */
#include "analyzer/base/base.h"

#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The edit distance: letters to insert, delete or replace. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1], n = (int)strlen(b);
    if (n > LONGEST || strlen(a) > LONGEST)
        return LONGEST;
    for (int k = 0; k <= n; k++)
        row[k] = k;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int k = 1; k <= n; k++) {
            int changed = corner + (a[i - 1] != b[k - 1]);
            corner = row[k];
            row[k] = least(changed, least(row[k], row[k - 1]) + 1);
        }
    }
    return row[n];
}

struct nearest nearest_to(const char *wanted)
{
    int n = (int)strlen(wanted);
    return (struct nearest){.wanted = wanted, .far = n > 3 ? n / 3 + 2 : 2};
}

/* Whether it is a prefix that ends at a word: "matmul" of "matmul-dtype". */
static bool is_begun(const char *name, const char *wanted)
{
    size_t n = strlen(wanted);
    return n > 2 && !strncmp(name, wanted, n) && name[n] == '-';
}

void nearest_try(struct nearest *n, const char *name)
{
    int d = is_begun(name, n->wanted) ? 2 : distance(name, n->wanted);
    if (d < n->far) {
        n->far = d;
        n->name = name;
    }
}
