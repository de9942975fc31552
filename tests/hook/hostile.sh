#!/bin/sh
# Repositories whose own configuration names programs for git to run: `hook run`, `hook install` and
# `diff` read such repositories, and none of the programs is run. Each kind of setting is first shown to
# be one that git itself follows, if a git command follows it without a network.
#
#   hostile.sh PROGRAM INCLUDE ROOT
set -eu
. "$(dirname "$0")/prepare.sh"
ran=$work/ran tools=$work/tools
mkdir "$ran" "$tools"

# plant NAME: a program that records that it ran, and copies its input to its output
plant() {
    printf '#!/bin/sh\n: >"%s/%s"\nexec cat\n' "$ran" "$1" >"$tools/$1"
    chmod +x "$tools/$1"
    echo "$tools/$1"
}
nothing_ran() {
    [ -z "$(ls -A "$ran")" ] || fail "$1: $(ls "$ran" | tr '\n' ' ')was run"
}
# follows NAME COMMAND...: git itself runs it, so that a test which says it was not run says something
follows() {
    name=$1
    shift
    "$@" >"$work/out" 2>&1 </dev/null || :
    [ -e "$ran/$name" ] || fail "git does not run $name by itself"
    rm -f "$ran"/*
}

mkdir "$work/model"
cd "$work/model"
git init -q .
make_program
make_database main.c run.c >compile_commands.json
put .gitignore .miscast compile_commands.json
put run.c "$tensor" "$good_run"
git add .
git commit -q -m first
put run.c "$tensor" "$bad_run"
git add run.c
put net.h "$tensor" "$good_net" '' 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'

# A file that git does not compare with the working tree, as the index says so.
cp run.c "$work/staged.c"
for mark in assume-unchanged skip-worktree; do
    git update-index --$mark run.c
    for tree in good none; do
        put run.c "$tensor" "$good_run"
        [ $tree = good ] || rm run.c
        for words in 'hook run' 'hook run run.c'; do
            stops "$words, $mark, and $tree in the tree" '^run\.c:.*matmul' miscast $words
        done
    done
    git update-index --no-$mark run.c
done
cp "$work/staged.c" run.c

# A file that git compares after a conversion which the repository names: in the tree, it is a comment.
put .gitattributes 'hidden.c working-tree-encoding=UTF-7'
printf '/* %s%s%s */\n' '+ACoALwAK-' "$(sed 's/+/+-/g' run.c)" '+AC8AKg-' >hidden.c
git add hidden.c .gitattributes
for words in 'hook run' 'hook run hidden.c'; do
    stops "$words, and another encoding" '^hidden\.c:.*matmul' miscast $words
done
git rm -q -f hidden.c .gitattributes

# A link in place of a file: what is staged is checked, not what the link leads to.
mv run.c "$work/staged.c"
for to in /etc/passwd "$work/staged.c" nowhere; do
    ln -sf "$to" run.c
    for words in 'hook run' 'hook run run.c'; do
        stops "$words, and a link to $to" '^run\.c:.*matmul' miscast $words
    done
done
rm run.c
mv "$work/staged.c" run.c
mkdir layers "$work/others"
cp run.c layers/one.c
git add layers
mv layers "$work/layers"
ln -s "$work/others" layers
for words in 'hook run' 'hook run layers/one.c'; do
    stops "$words, and a link to a folder" '^layers/one\.c:' miscast $words
done
rm layers
ln -s layers layers
for words in 'hook run' 'hook run layers/one.c'; do
    stops "$words, and a folder that is a link to itself" '' miscast $words
done
rm layers
git rm -q --cached layers/one.c

git config core.fsmonitor "$(plant fsmonitor)"
git config diff.external "$(plant external)"
git config core.pager "$(plant pager)"
git config pager.diff "$(plant pager_diff)"
git config core.editor "$(plant editor)"
git config core.sshCommand "$(plant ssh)"
git config core.askPass "$(plant askpass)"
git config core.gitProxy "$(plant proxy)"
git config core.alternateRefsCommand "$(plant alternates)"
git config gpg.program "$(plant gpg)"
git config log.showSignature true
git config credential.helper "$(plant credential)"
git config uploadpack.packObjectsHook "$(plant pack_objects)"
git config alias.diff "!$(plant alias)"
git config alias.rev-parse "!$tools/alias"
git config diff.own.command "$(plant driver)"
git config diff.own.textconv "$(plant textconv)"
git config filter.own.clean "$(plant clean)"
git config filter.own.smudge "$(plant smudge)"
git config filter.own.required true
git config filter.long.process "$(plant process)"
git config filter.odd.name.clean "$(plant odd)"
mkdir "$work/hooks"
for hook in post-index-change reference-transaction pre-auto-gc post-checkout; do
    cp "$(plant "$hook")" "$work/hooks"
done
git config core.hooksPath "$work/hooks"
# What another file adds, only for this repository.
git config -f "$work/more" filter.included.clean "$(plant included)"
git config "includeIf.gitdir:$work/model/.path" "$work/more"
printf '%s\n' '* diff=own' '*.h filter=own' 'main.c filter=long' 'run.c filter=odd.name' \
    'other.c filter=included' >.git/info/attributes

# Files that git has to read again: their times are not those of the index.
day=1
stir() {
    day=$((day + 1))
    touch -d "2001-01-$day" main.c run.c net.h
}
stir
follows fsmonitor git status
stir
mv .git/info/attributes "$work"
follows external git -c core.fsmonitor= diff
mv "$work/attributes" .git/info
stir
follows clean git -c core.fsmonitor= diff --raw
stir
follows process git -c core.fsmonitor= diff --raw
stir
follows driver git -c core.fsmonitor= diff

stir
stops 'staged' 'run.c:2:.*matmul-dtype' miscast hook run
nothing_ran 'hook run'
stir
stops 'files that are named' 'matmul-dtype' miscast hook run main.c run.c
nothing_ran 'hook run with names'
stir
stops 'the tree' 'matmul-dtype' miscast diff HEAD
nothing_ran 'diff of the tree'
git -c core.fsmonitor= -c core.hooksPath=/dev/null -c filter.own.required=false commit -q -m second
rm -f "$ran"/*
stir
stops 'two commits' 'matmul-dtype' miscast diff HEAD~1 HEAD
nothing_ran 'diff of two commits'
GIT_EXTERNAL_DIFF=$tools/external GIT_PAGER=$tools/pager \
    stops 'by the environment' 'matmul-dtype' miscast diff HEAD~1
nothing_ran 'what the environment names'
miscast hook install --force >"$work/out" 2>&1 || fail 'install'
nothing_ran 'hook install'
[ -f "$work/hooks/pre-commit" ] || fail 'the hook is not where core.hooksPath says'
miscast hook uninstall >"$work/out" 2>&1 || fail 'uninstall'

# A filter of this name cannot be turned off: nothing is read then.
git config 'filter.a=b.clean' "$(plant equals)"
printf '* filter=a=b\n' >.git/info/attributes
stir
stops 'a name with =' 'cannot be turned off' miscast hook run
stops 'a name with =' 'cannot be turned off' miscast diff HEAD
nothing_ran 'a name with ='
git config --unset 'filter.a=b.clean'
: >.git/info/attributes

# A program that is called git in the folder that is checked, and one that draws.
cp "$(plant git)" git
cp "$(plant dot)" dot
stir
for path in ".:$PATH" ":$PATH" "$PATH:." "./:../model:$PATH"; do
    PATH=$path miscast diff HEAD~1 >"$work/out" 2>&1 || :
    PATH=$path miscast graph --format svg run.c >"$work/out" 2>&1 || :
    nothing_ran "PATH=$path"
done
rm git dot

# A clone without what its files contained asks whoever its configuration names.
git clone -q --bare . "$work/bare" >/dev/null 2>&1
git -C "$work/bare" config uploadpack.allowFilter true
git -c core.hooksPath=/dev/null clone -q --filter=blob:none --no-checkout "file://$work/bare" "$work/partial" 2>"$work/out"
cd "$work/partial"
printf '#!/bin/sh\n: >"%s/fetch"\nexit 1\n' "$ran" >"$tools/fetch"
chmod +x "$tools/fetch"
git config remote.origin.url "ext::$tools/fetch"
git config protocol.ext.allow always
follows fetch git cat-file -p HEAD:run.c
git config remote.origin.url host:model
git config core.sshCommand "$tools/fetch"
follows fetch git cat-file -p HEAD:run.c
git config core.fsmonitor "$tools/fsmonitor"
for url in host:model "ext::$tools/fetch" "file://$work/bare" /:x ::x; do
    git config remote.origin.url "$url"
    stops 'what is missing' 'git cannot say' miscast diff HEAD~1
    miscast hook run >"$work/out" 2>&1 || :
    nothing_ran "a clone of $url"
done

# A submodule has a configuration of its own.
cd "$work"
git init -q part
put part/part.h 'int part;'
git -C part add .
git -C part commit -q -m part
git init -q whole
cd whole
put one.c "$tensor" "mc_tensor *one$bad_alone"
git submodule --quiet add "$work/part" part >/dev/null 2>&1
git add .
git commit -q -m whole
git -C part config core.fsmonitor "$tools/fsmonitor"
git -C part config filter.own.clean "$tools/clean"
printf '* filter=own\n' >.git/modules/part/info/attributes
put part/part.h 'int other;'
put one.c "$tensor" '' "mc_tensor *one$bad_alone"
follows fsmonitor git status
git add one.c
miscast hook run >"$work/out" 2>&1 || :
miscast diff HEAD >"$work/out" 2>&1 || :
nothing_ran 'a submodule'

# An index that is not there: git would say that everything is deleted, and there would be nothing
# to check.
for words in 'hook run' 'hook run one.c' 'diff HEAD'; do
    GIT_INDEX_FILE=$work/none stops 'no index' 'index of this git repository is not there' miscast $words
done
git init -q "$work/new"
(cd "$work/new" && GIT_INDEX_FILE=$work/none passes 'nothing to commit yet' miscast hook run)

# A repository that has all files of the machine below it.
git init -q "$work/slash"
(
    cd "$work/slash"
    git config core.worktree /
    put one.c "$tensor" "mc_tensor *one$bad_alone"
    git add one.c
    rm one.c
    stops 'files below /' 'one.c:2:.*matmul-dtype' miscast hook run
)

# A file of attributes that never ends, and one that never begins.
mkfifo "$work/pipe"
git config core.attributesFile "$work/pipe"
for words in 'hook run' 'diff HEAD'; do
    code=0
    timeout 20 miscast $words >"$work/out" 2>&1 || code=$?
    [ $code -ne 124 ] || { echo "$words waits for a file of attributes"; exit 1; }
done
git config --unset core.attributesFile

# Files of the repository that are pipes: git would wait for them.
for file in index HEAD config; do
    mv ".git/$file" "$work/aside"
    mkfifo ".git/$file"
    for words in 'hook run' 'diff HEAD'; do
        code=0
        timeout 20 miscast $words >"$work/out" 2>&1 || code=$?
        [ $code -eq 2 ] || fail "$words: .git/$file is a pipe: $code"
        grep -q "/$file: is not a regular file" "$work/out" || fail "$words: .git/$file: another reason"
    done
    mv "$work/aside" ".git/$file"
done
# Devices without an end: git would read them until the memory is full.
limit='ulimit -v 4000000'
(eval "$limit" && miscast --version) >/dev/null 2>&1 || limit=true # sanitizers reserve more
for file in commondir gitdir; do
    ln -s /dev/zero ".git/$file"
    for words in 'hook run' 'diff HEAD'; do
        code=0
        (eval "$limit" && timeout 20 miscast $words) >"$work/out" 2>&1 || code=$?
        [ $code -eq 2 ] || fail "$words: .git/$file is a device: $code"
        grep -q "/$file: is not a regular file" "$work/out" || fail "$words: .git/$file: another reason"
    done
    rm ".git/$file"
done
# What git reads whole is limited in memory and time.
mv .git/objects/info "$work/aside"
mkdir .git/objects/info
ln -s /dev/zero .git/objects/info/alternates
code=0
timeout 60 miscast hook run >"$work/out" 2>&1 || code=$?
[ $code -eq 2 ] || fail "hook run: a device is where objects are: $code"
rm -r .git/objects/info
mv "$work/aside" .git/objects/info
# Any other file that git opens, where the machine says what a process waits for.
cat "$work/pipe" >/dev/null &
reader=$!
tries=0
until [ "$(cat "/proc/$reader/wchan" 2>/dev/null)" = wait_for_partner ] || [ $tries -eq 20 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill $reader
if [ $tries -lt 20 ]; then
    for file in .gitattributes .git/objects/info/alternates; do
        mkfifo $file
        touch -d 2001-01-01 one.c # else git may trust its index, and read no attributes
        code=0
        timeout 20 miscast hook run >"$work/out" 2>&1 || code=$?
        [ $code -eq 2 ] || fail "hook run: $file is a pipe: $code"
        grep -q 'is a pipe, which git would wait for' "$work/out" || fail "hook run: $file: another reason"
        rm $file
    done
    # Killed while git waits: git ends, too.
    mkfifo .git/objects/info/alternates
    miscast hook run >"$work/out" 2>&1 &
    killed=$! waits=
    while [ -z "$waits" ] && kill -0 $killed 2>/dev/null; do
        child=$(cat "/proc/$killed/task/$killed/children" 2>/dev/null || :)
        child=${child%% *}
        [ "$(cat "/proc/${child:-none}/wchan" 2>/dev/null)" != wait_for_partner ] || waits=$child
    done
    kill -KILL $killed 2>/dev/null || :
    wait $killed 2>/dev/null || :
    [ -n "$waits" ] || fail "git did not wait for a pipe"
    tries=0
    while [ -d "/proc/$waits" ] && [ $tries -lt 40 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    [ $tries -lt 40 ] || {
        kill "$waits"
        fail "git is left behind"
    }
    rm .git/objects/info/alternates
fi
code=0
GIT_INDEX_FILE=$work/pipe timeout 20 miscast hook run >"$work/out" 2>&1 || code=$?
[ $code -eq 2 ] || fail "GIT_INDEX_FILE is a pipe: $code"

# What git complains about: none of it begins a line with a command, or turns the direction of writing.
git config core.bigFileThreshold "$(printf '1\n::error::hello \342\200\256')"
for words in 'hook run' 'diff HEAD'; do
    stops 'a number that is none' '^?:error::hello ?' miscast $words
done
git config --unset core.bigFileThreshold

# Files elsewhere, whose names would be taken for those of the files here.
mkdir "$work/elsewhere"
git config core.worktree "$work/elsewhere"
for words in 'hook run' 'diff HEAD'; do
    code=0
    miscast $words >"$work/out" 2>&1 || code=$?
    [ $code -eq 2 ] || { echo "$words reads files that are elsewhere"; exit 1; }
    grep -q 'not here$' "$work/out"
done
git config --unset core.worktree

# A folder inside of a checkout that is laid out like a repository, with a configuration.
mkdir -p "$work/plain/inner/objects" "$work/plain/inner/refs"
cd "$work/plain/inner"
put HEAD 'ref: refs/heads/main'
printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = %s\n' \
    "$tools/fsmonitor" >config
put ../one.c "$tensor" "mc_tensor *one$bad_alone"
follows fsmonitor git add ../one.c
miscast hook run >"$work/out" 2>&1 || :
miscast diff HEAD >"$work/out" 2>&1 || :
nothing_ran 'a folder that looks like a repository'
