#!/bin/sh
# where_cuda.sh PARITY COMMAND...: runs the command where a GPU is behind cuda; elsewhere it is skipped,
# with exit status 77. PARITY is the program of that name, which can say what is there.
behind=$("$1" --backend)
if [ "$behind" != cuda ]; then
    echo "skipped: cuda is $behind here"
    exit 77
fi
shift
exec "$@"
