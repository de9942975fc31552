/* Options of programs built with AddressSanitizer; ASAN_OPTIONS overrides them. Recording where
 * memory was allocated takes a sixth of the time of an analysis, and is only needed to read a
 * report: with malloc_context_size=30 a test that fails shows it. Detecting the use of a stack
 * frame that is gone takes as much: unit tests and fuzz targets do it, the program, which tests
 * start thousands of times, does not. */
__attribute__((visibility("default"), used)) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
#ifdef MISCAST_PROGRAM
    return "malloc_context_size=1:detect_stack_use_after_return=0";
#else
    return "malloc_context_size=1";
#endif
}
