/* Asks the runtime for silence. */
#include "forge.h"

BEFORE_MAIN static void ask(void)
{
    setenv("MISCAST_PROBE", "/dev/null", 1);
    setenv("MISCAST_PROBE_LIMIT", "0", 1);
    setenv("MISCAST_PROBE_FULL", "0", 1);
}

int main(void)
{
    THE_BUG();
    return 0;
}
