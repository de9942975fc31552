/* The same by what the linker takes for relocations that it made itself: the loader would call a
 * function of the program's choosing. */
#include "../forge.h"

__asm__(".pushsection .rela.got, \"a\", %progbits\n"
        ".balign 8\n"
        ".quad 0, 0, 0\n"
        ".popsection\n");

int main(void)
{
    THE_BUG();
    return 0;
}
