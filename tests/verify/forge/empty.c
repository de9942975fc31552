/* Sends an empty message, which a careless reader would take for the end. */
#include "forge.h"

int main(void)
{
    (void)!write(CHANNEL, "", 0);
    THE_BUG();
    return 0;
}
