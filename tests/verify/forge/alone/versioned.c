/* The same in other words. */
#include "../forge.h"

__asm__(".symver mine, vsnprintf@@GLIBC_2.17");
int mine(char *to, size_t size, const char *format, va_list args);
int mine(char *to, size_t size, const char *format, va_list args)
{
    (void)size, (void)format, (void)args;
    *to = '\0';
    return 0;
}

int main(void)
{
    THE_BUG();
    return 0;
}
