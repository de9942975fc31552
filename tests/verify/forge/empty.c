/* Sends nothing at all, as a message: whoever takes it for the end hears no more. */
#include "forge.h"

int main(void)
{
    (void)!write(CHANNEL, "", 0);
    THE_BUG();
    return 0;
}
