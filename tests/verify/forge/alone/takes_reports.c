/* Takes the report of AddressSanitizer for itself, and leaves as if nothing was wrong. */
#include "../forge.h"

void __asan_set_error_report_callback(void (*callback)(const char *)) __attribute__((weak));

static void leave(const char *report)
{
    exit(report == NULL);
}

int main(void)
{
    /* What is behind it is zero, and stays so: without a sanitizer the program goes on. */
    static float from[16], to[4];
    if (__asan_set_error_report_callback)
        __asan_set_error_report_callback(leave);
    memcpy(to, from, 64);
    mc_print(mc_ones(mc_shape(1)));
    return (int)to[0];
}
