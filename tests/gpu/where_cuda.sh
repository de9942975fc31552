#!/bin/sh
# where_cuda.sh PARITY COMMAND...: runs the command if cuda is a real GPU; otherwise it is skipped,
# with exit status 77. PARITY is the program of that name, which reports the device.
behind=$("$1" --backend)
if [ "$behind" != cuda ]; then
    echo "skipped: cuda is $behind here"
    exit 77
fi
shift
exec "$@"
