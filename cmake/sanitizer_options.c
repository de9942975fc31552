/* Options of programs built with AddressSanitizer; ASAN_OPTIONS overrides them. Recording where
 * memory was allocated takes a sixth of the time of an analysis, and is only needed to read a
 * report: with malloc_context_size=30 a test that fails shows it. */
__attribute__((visibility("default"), used)) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "malloc_context_size=1";
}
