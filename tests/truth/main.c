/* truth runtime FILE...: holds the tensor runtime against files of rows; truth static FILE... holds
 * the analysis against them, where it was built. Disagreements and one line of counts a file go to
 * stdout, everything else to stderr. Exit code: 0 all agree, 1 some do not, 2 wrong usage or a file
 * that cannot be read. */
#include "tests/truth/rows.h"
#include "tests/truth/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void)
{
    fputs("usage: truth runtime|static [--every N] FILE...\n"
          "--every N takes each N-th row alone\n"
          "FILE holds rows of recorded behaviour (TSV, may be gzipped); see rows/README.md\n",
          stderr);
    return 2;
}

typedef bool check_file(const char *path, struct tally *tally);

static int check_files(check_file *check, int count, char **paths)
{
    int status = 0;
    for (int i = 0; i < count; i++) {
        struct tally tally = {0};
        if (!check(paths[i], &tally))
            status = 2;
        else if (tally.disagree && status == 0)
            status = 1;
        printf("%s: rows %d agree %d disagree %d skipped %d\n", paths[i], tally.rows, tally.agree,
               tally.disagree, tally.skipped);
    }
    return status;
}

static int check_runtime(int count, char **paths)
{
    mc_set_error_handler(mc_error_remember, NULL);
    mc_manual_seed(1);
    return check_files(runtime_check_file, count, paths);
}

static int check_static(int count, char **paths)
{
#ifdef HAVE_ANALYZER
    return check_files(static_check_file, count, paths);
#else
    (void)count;
    (void)paths;
    fputs("truth: built without the analyzer (MISCAST_ANALYZER)\n", stderr);
    return 2;
#endif
}

int main(int argc, char **argv)
{
    const char *what = argc >= 2 ? argv[1] : "";
    int first = 2;
    if (argc >= 4 && strcmp(argv[2], "--every") == 0) {
        int n = atoi(argv[3]);
        if (n < 1)
            return usage();
        rows_take_every(n);
        first = 4;
    }
    if (argc > first && strcmp(what, "runtime") == 0)
        return check_runtime(argc - first, argv + first);
    if (argc > first && strcmp(what, "static") == 0)
        return check_static(argc - first, argv + first);
    return usage();
}
