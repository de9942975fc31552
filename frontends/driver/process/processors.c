/* How many CPUs this process may use. */
#include "frontends/driver/process/process.h"

#include <sched.h>
#include <unistd.h>

int processors(void)
{
    cpu_set_t ours;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (!sched_getaffinity(0, sizeof ours, &ours) && CPU_COUNT(&ours) > 0)
        return CPU_COUNT(&ours);
    return all > 0 ? (int)all : 1;
}
