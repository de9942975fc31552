#!/bin/sh
# Makes docs/img/report.png: the report of corpus/examples/pytorch, as Chromium shows it. Needs
# PyTorch for the verdicts; fonts and colours are those of the machine, so that no test compares it.
#
#   report_picture.sh MISCAST REPOSITORY
set -eu
miscast=$1 repository=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -R "$repository/corpus/examples/pytorch" "$work/pytorch" # outside of the repository: no commit
cd "$work/pytorch"
SOURCE_DATE_EPOCH=1763424000 "$miscast" report --verify --no-cache --layout plain -o ../page ||
    [ $? -eq 1 ]
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1100,965 --screenshot="$repository/docs/img/report.png" "file://$work/page/index.html"
