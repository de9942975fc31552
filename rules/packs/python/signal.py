# Signals: once a handler is set, it may be called. What it changes is what it is for: a flag that a
# loop asks for.
import _mc

SIGHUP = 1
SIGINT = 2
SIGQUIT = 3
SIGABRT = 6
SIGKILL = 9
SIGUSR1 = 10
SIGUSR2 = 12
SIGALRM = 14
SIGTERM = 15
SIGCHLD = 17
SIGCONT = 18
SIGSTOP = 19
SIGTSTP = 20
SIG_DFL = 0
SIG_IGN = 1


def signal(signalnum, handler):
    if callable(handler) and _mc.unknown():
        handler(signalnum, None)
    return _mc.unknown()


def getsignal(signalnum):
    return _mc.unknown()


def alarm(seconds):
    return int(_mc.unknown())


def pause():
    pass
