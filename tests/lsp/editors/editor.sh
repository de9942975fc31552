#!/bin/sh
# An editor's own client with the server: the finding in model.c, and in some editors that in model.py, is
# shown, hovered over and fixed, and then 'miscast check' has no findings in the file. Skipped (77) if the editor is not installed;
# './dev test' installs all of them except code, which is VS Code itself, as code-server.
#
#   editor.sh nvim|emacs|node|vsix|code PROGRAM INCLUDE SOURCE-OF-MISCAST
set -eu
kind=$1 program=$2 include=$3 source=$4
here=$source/tests/lsp/editors extension=$source/editors/vscode

lack() {
    echo "skipped: $*" >&2
    exit 77
}

skip() {
    lack "$*; './dev test' installs it"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$here/model.c" "$here/model.py" "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
HOME=$work XDG_CACHE_HOME=$work/cache ASAN_OPTIONS=detect_leaks=0
export HOME XDG_CACHE_HOME ASAN_OPTIONS

# is_mended FILE: it has no finding any more, and is another
is_mended() {
    "$program" check --isolated "$1" >out 2>&1 || {
        cat out "$1" >&2
        exit 1
    }
    ! cmp -s "$1" "$here/$1" || exit 1
}

with_nvim() {
    command -v nvim >/dev/null 2>&1 || skip "no nvim"
    for file in model.c model.py; do
        MISCAST_FILE=$file timeout 100 nvim --headless -u NONE -i NONE -n \
            --cmd "let g:miscast = {'cmd': ['$program', 'lsp']}" \
            --cmd "luafile $source/editors/nvim/miscast.lua" -c "luafile $here/nvim.lua"
    done
    is_mended model.py
}

with_emacs() {
    command -v emacs >/dev/null 2>&1 || skip "no emacs"
    emacs -q --batch --eval "(progn (package-initialize) (kill-emacs (if (locate-library \"eglot\") 0 1)))" \
        >/dev/null 2>&1 || skip "no eglot"
    MISCAST=$program MISCAST_EMACS=$source/editors/emacs/miscast.el
    export MISCAST MISCAST_EMACS
    if command -v clangd >/dev/null 2>&1; then
        timeout 50 emacs -q --batch -l "$here/emacs_beside.el"
    fi
    for file in model.c model.py; do
        MISCAST_FILE=$file timeout 100 emacs -q --batch -l "$here/emacs.el"
    done
    is_mended model.py
}

with_node() {
    command -v node >/dev/null 2>&1 || skip "no node"
    [ -f "$extension/dist/launch.js" ] && [ -d "$extension/node_modules/vscode-languageserver-protocol" ] ||
        skip "the extension was not built"
    node "$here/node.mjs" "$extension" "$program"
}

with_vsix() {
    command -v node >/dev/null 2>&1 || skip "no node"
    command -v unzip >/dev/null 2>&1 || skip "no unzip"
    set -- "$extension"/miscast-*.vsix
    [ -f "$1" ] || skip "the extension was not packaged"
    unzip -q "$1" -d package
    node "$here/vsix.mjs" "$work/package"
}

with_code() {
    code=${MISCAST_CODE_SERVER-$(command -v code-server)} ||
        lack "no code-server, on the PATH or in MISCAST_CODE_SERVER"
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        lack "no chromium; './dev test-browser' installs it"
    playwright=${MISCAST_PLAYWRIGHT:-$source/build/browser/node_modules/playwright-core}
    [ -f "$playwright/index.mjs" ] || lack "no playwright-core; './dev test-browser' installs it"
    set -- "$extension"/miscast-*.vsix
    [ -f "$1" ] || skip "the extension was not packaged"
    timeout 200 node "$here/code.mjs" "$code" "$1" "$program" "$playwright" "$chromium"
}

"with_$kind"
[ "$kind" != vsix ] || exit 0
is_mended model.c
