/* truth runtime FILE...: holds the tensor runtime against files of rows. Disagreements and one line
 * of counts a file go to stdout, everything else to stderr. Exit code: 0 all agree, 1 some do not,
 * 2 wrong usage or a file that cannot be read. */
#include "tests/truth/truth.h"

#include <stdio.h>
#include <string.h>

static int usage(void)
{
    fputs("usage: truth runtime FILE...\n"
          "FILE holds rows of recorded behaviour (TSV, may be gzipped); see rows/README.md\n",
          stderr);
    return 2;
}

static int check_files(int count, char **paths)
{
    int status = 0;
    for (int i = 0; i < count; i++) {
        struct tally tally = {0};
        if (!runtime_check_file(paths[i], &tally))
            status = 2;
        else if (tally.disagree && status == 0)
            status = 1;
        printf("%s: rows %d agree %d disagree %d skipped %d\n", paths[i], tally.rows, tally.agree,
               tally.disagree, tally.skipped);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3 || strcmp(argv[1], "runtime") != 0)
        return usage();
    mc_set_error_handler(mc_error_remember, NULL);
    mc_manual_seed(1);
    return check_files(argc - 2, argv + 2);
}
