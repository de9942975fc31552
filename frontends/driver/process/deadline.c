/* A timer that ends the process, see deadline.h. */
#include "frontends/driver/process/deadline.h"
#include "frontends/driver/process/process.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char message[200]; /* a signal handler may not allocate */

static void on_alarm(int number)
{
    (void)number;
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(EXIT_TROUBLE);
    _exit(EXIT_PARTIAL);
}

void deadline_begin(long seconds)
{
    struct sigaction act = {.sa_handler = on_alarm};
    snprintf(message, sizeof message,
             "miscast: error: the analysis took longer than %ld s, so nothing is known "
             "(--unit-timeout gives it longer)\n",
             seconds);
    sigaction(SIGALRM, &act, NULL);
    alarm(seconds < UINT_MAX ? (unsigned)seconds : UINT_MAX);
}

void deadline_end(void)
{
    alarm(0);
}
