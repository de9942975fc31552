/* Takes the report of AddressSanitizer for itself, and leaves as if nothing was wrong. */
#include "../forge.h"

void __asan_set_error_report_callback(void (*callback)(const char *)) __attribute__((weak));

static void leave(const char *report)
{
    exit(report == NULL);
}

int main(void)
{
    float from[4] = {0}, to[4] = {0};
    if (__asan_set_error_report_callback)
        __asan_set_error_report_callback(leave);
    memcpy(to, from, 64);
    mc_print(mc_ones(mc_shape(1)));
    return (int)to[0];
}
