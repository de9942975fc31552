/* Knows what a message looks like, but not the key. */
#include "forge.h"

BEFORE_MAIN static void lie(void)
{
    char line[1024];
    unsigned long long head[2] = {1, 0x0123456789abcdef};
    struct iovec parts[] = {{head, sizeof head},
                            {line, (size_t)forged(line, sizeof line, __FILE__, 16)}};
    (void)!writev(CHANNEL, parts, 2);
}

int main(void)
{

    THE_BUG();
    return 0;
}
