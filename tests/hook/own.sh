#!/bin/sh
# The hook that miscast installs itself: it checks staged content, whatever is in the working tree.
#
#   own.sh PROGRAM INCLUDE ROOT
set -eu
. "$(dirname "$0")/prepare.sh"

# A check of the working tree has the same output with the store as without.
store_is_sound() {
    miscast check . >"$work/with" 2>&1 || :
    miscast check --no-cache . >"$work/without" 2>&1 || :
    cmp -s "$work/with" "$work/without" || fail "$1: the store holds what is not in the tree"
}

mkdir "$work/model"
cd "$work/model"
git init -q .
make_program
make_database main.c run.c other.c 'with space.c' >compile_commands.json
put other.c 'int other(void) { return 0; }'
put 'with space.c' 'int with_space(void) { return 0; }'
put .gitignore .miscast compile_commands.json
passes 'install' miscast hook install
passes 'install again' miscast hook install

# Before there is any commit.
put run.c "$tensor" "$bad_run"
git add .
stops 'the first commit' 'run.c:2:.*matmul-dtype' commit
grep -q 'to fix 1: *miscast check --fix run.c && git add run.c' "$work/out" || fail "no word of --fix"
grep -q "baseline write, with 'baseline: " "$work/out" || fail "not said what a baseline takes"
passes 'the fix' miscast check --fix run.c
stops 'not staged yet' 'matmul-dtype' commit
store_is_sound 'not staged yet'
git add -u
passes 'the first commit, fixed' commit
make_program
git diff --quiet || fail "the fix did not give back what is good"
echo '/* good */' >>run.c
passes 'good' commit -a
silent 'good'

# Partly staged: a source, a header, one that is gone from the tree.
put run.c "$tensor" '' "$good_run"
git add run.c
put run.c "$tensor" '' "$bad_run"
passes 'bad, not staged' commit
silent 'bad, not staged'
store_is_sound 'bad, not staged'
git add run.c
put run.c "$tensor" '' "$good_run"
stops 'bad, staged, fixed in the tree' 'run.c:3:.*matmul-dtype' commit
grep -q 'is good: git add run.c$' "$work/out" || fail "not said that git add is enough"
store_is_sound 'bad, staged'
rm run.c
stops 'bad, staged, gone from the tree' 'run.c:3:.*matmul-dtype' commit
put run.c "$tensor" '' "$good_run"
git add run.c

put net.h "$tensor" "$bad_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
git add net.h
stops 'a header' 'run.c:3:.*matmul-dtype' commit
put net.h "$tensor" "$good_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
stops 'a header, fixed in the tree' 'net.h:2:.*matmul\|matmul-dtype' commit
mv net.h kept.h
stops 'a header, gone from the tree' 'matmul-dtype' commit
mv kept.h net.h
store_is_sound 'a header'
git add net.h
put net.h "$tensor" "$bad_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
put other.c 'int other(void) { return 1; }'
git add other.c
passes 'a bad header, not staged' commit
git checkout -q net.h

# A header that decides nothing itself, but what its includer says: kept, and parsed anew.
put mode.def '#define HALF 0'
put 'with space.c' '#include "mode.def"' "$tensor" 'mc_tensor *mode(mc_tensor *x)' '{' '#if HALF' \
    '    return mc_matmul(mc_float(x), mc_half(x));' '#endif' '    return x;' '}'
git add .
passes 'a part' commit
put mode.def '#define HALF 1'
git add .
stops 'a part that is included' 'with space.c:6:.*matmul-dtype' commit
passes 'the check of it' miscast check --exit-zero .
stops 'a part that is included, kept' 'with space.c:6:.*matmul-dtype' commit
git checkout -q HEAD mode.def

# What git commit names itself.
put run.c "$tensor" "$bad_run"
git add run.c
put other.c 'int other(void) { return 2; }'
passes 'one file of two' commit other.c
stops 'all' 'matmul-dtype' commit -a
stops 'that file' 'matmul-dtype' commit run.c
git checkout -q HEAD run.c

# Names, links, folders that are other repositories, files that are gone.
put 'with space.c' "$tensor" "mc_tensor *odd$bad_alone"
git add 'with space.c'
stops 'a space' 'with space.c:2:.*matmul-dtype' commit
put 'with space.c' 'int with_space(void) { return 1; }'
newline=$(printf 'a\nb.c')
put "$newline" 'int newline(void) { return 1; }'
ln -s net.h link.h
ln -s nowhere.h dangling.h
ln -s /tmp folder.h
git init -q module
(cd module && put m.c 'int m;' && git add . && git commit -q -m m)
git add . 2>/dev/null
passes 'names and links' commit
git rm -q "$newline" dangling.h folder.h
passes 'removed' commit
git mv 'with space.c' moved.c
passes 'renamed, and gone from the database' commit
make_database main.c run.c other.c >compile_commands.json
git rm -q --cached other.c
passes 'removed from the index alone' commit
git add other.c
passes 'back again' commit

# A merge is checked for what it decides itself.
git checkout -q -b side
put other.c 'int other(void) { return 3; }'
put run.c "$tensor" "$bad_run"
git commit -q --no-verify -a -m side
git checkout -q main
put other.c 'int other(void) { return 4; }'
passes 'on main' commit -a
git merge -q side >/dev/null 2>&1 || :
put other.c 'int other(void) { return 5; }'
git add other.c
passes 'a merge of what others did' commit
git reset -q --hard HEAD^
git merge -q side >/dev/null 2>&1 || :
put other.c "$tensor" "mc_tensor *both$bad_alone"
git add other.c
stops 'a merge that is wrong' 'other.c:2:.*matmul-dtype' commit
git reset -q --hard

# What is known already, and what is asked for by a comment.
put run.c "$tensor" "$bad_run"
put .miscast.yaml 'baseline: known.json'
passes 'a baseline' miscast baseline write --baseline known.json .
git add .
passes 'known' commit
put run.c "$tensor" "$bad_run" "mc_tensor *more$bad_alone"
git add .
stops 'one more than known' '1 finding .*1 in the baseline' commit
put run.c "$tensor" "$bad_run"
git add .

# What does not compile, in what is staged alone.
put other.c 'int other(void) { return 6 }'
passes 'broken, not staged' commit --allow-empty
git add other.c
stops 'broken' 'does not compile' commit
put other.c 'int other(void) { return 6; }'
git add .
passes 'whole' commit
cp main.c whole.c
sed 's/return 0/return 0 +/' whole.c >main.c
git add main.c
commit --no-verify
sed 's/4, 4/4,  4/' net.h >changed.h
mv changed.h net.h
git add net.h
passes 'broken before, where a header is included' commit
grep -q 'main.c:.*expected' "$work/out" || fail "not said what is broken"
mv net.h good.h
echo 'static inline int wrong(void) { return 1 }' | cat good.h - >net.h
git add net.h
stops 'a broken header' 'net.h:4:.*expected' commit
mv good.h net.h
mv whole.c main.c
git add net.h main.c
passes 'whole again' commit
put unlisted.c '#include "nobody_has_this.h"'
git add unlisted.c
passes 'flags that nobody named for it' commit
grep -q 'nobody_has_this' "$work/out" || fail "not said what is missing"

# From a folder below, and in a linked tree.
git worktree add -q ../linked
cd ../linked
mkdir below
make_database run.c >compile_commands.json
put below/again.c "$tensor" "mc_tensor *again$bad_alone"
git add below/again.c
cd below
stops 'a linked tree' 'again.c:.*matmul-dtype' commit
stops 'by hand' 'again.c:.*matmul-dtype' miscast hook run
cd "$work/model"

# Without a database, which matters only if there is something to report; who includes a header is
# found all the same.
mkdir "$work/bare"
cd "$work/bare"
git init -q .
make_program
mkdir inc src
mv net.h inc/deep.h
put inc/net.h '#include "deep.h"'
put src/main.c '#include "../inc/net.h"' 'int main(void)' '{' \
    '    mc_print(mc_matmul(mc_randn(mc_shape(4, 4)), weight()));' '    return 0;' '}'
rm main.c
git add .
passes 'no database' miscast hook run
[ ! -s "$work/out" ] || fail "a clean commit without a database is not silent"
git commit -q -m bare
put inc/deep.h "$tensor" "$bad_net"
git add .
stops 'a header, no database' 'src/main.c:4:.*matmul-dtype' miscast hook run
grep -q 'no compile database' "$work/out" || fail "not said that there is none"
# However the line is written; a commented line includes nothing.
cp src/main.c "$work/main.c"
ln -s inc linked
for line in '#include "../inc/../src/.././inc//net.h"' "#include \"$PWD/inc/net.h\"" '#import "../inc/net.h"' \
    '#include "../linked/net.h"' '/* */ %%: /**/ include/**/"../inc/net.h"' '/*\n*/ #inc\\\nlude \\\n"../inc/net.h"' \
    '\f#\finclude "../inc/net.h"\rint also;'; do
    { printf "$line\n" && sed 1d "$work/main.c"; } >src/main.c
    git add src
    git -c core.hooksPath=/dev/null commit -q -m line src
    stops "a header, included by $line" 'src/main.c:[4-7]:.*matmul-dtype' miscast hook run
done
for line in '// #include "../inc/net.h"' '/* #include "../inc/net.h" */'; do
    put src/main.c "$line" "$tensor" "$bad_run"
    git add src
    git -c core.hooksPath=/dev/null commit -q -m line src
    passes "a header, not included by $line" miscast hook run inc/deep.h
done
mv "$work/main.c" src/main.c
rm linked
git add src
git -c core.hooksPath=/dev/null commit -q -m line src
passes 'not this file' miscast hook run run.c
stops 'no such file' 'nosuch.c: there is no such file' miscast hook run nosuch.c
stops 'another folder' 'src/main.c: there is no such file' sh -c 'cd src && miscast hook run src/main.c'
stops 'a folder' 'src: is a folder' miscast hook run src
git rm -q --cached run.c
rm run.c
passes 'deleted' miscast hook run run.c
git checkout -q HEAD run.c
put src/lost.c '#include "nobody_has_this.h"'
git add src/lost.c
stops 'not checked' 'does not compile with default flags' miscast hook run src/lost.c
git rm -q -f src/lost.c

put .miscast.yaml 'exclude: [inc, src]'
passes 'left out by the configuration' miscast hook run
silent 'left out by the configuration'
rm .miscast.yaml

# Flags that hold for all files, and no list of them: the program is all that git has below.
mkdir "$work/flags" "$work/flags/ml"
cd "$work/flags"
git init -q .
(cd ml && make_program)
put ml/compile_flags.txt "-I$include"
git add .
passes 'flags of all' miscast hook run
git commit -q -m flags
put ml/run.c "$tensor" "$bad_run"
git add .
stops 'a mistake between units' 'ml/run.c:2:.*matmul-dtype' miscast hook run
grep -q 'miscast check --fix ml &&' "$work/out" || fail "not said what fixes it"
cd "$work/bare"

# No database at all: what lies beside is the program, as for a check there.
mkdir "$work/beside" "$work/beside/ml"
cd "$work/beside"
git init -q .
(cd ml && make_program)
git add .
passes 'files beside' miscast hook run
git commit -q -m beside
put ml/net.h "$tensor" "$bad_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
put ml/main.c '#include "net.h"' '/* again */' 'int main(void)' '{' \
    '    mc_print(run(mc_randn(mc_shape(4, 4)), weight()));' '    return 0;' '}'
git add ml/main.c ml/net.h
stops 'a mistake between files that lie together' 'ml/run.c:2:.*matmul-dtype' miscast hook run
cd "$work/bare"

# A file that the database does not have yet is part of the program all the same.
mkdir "$work/renamed"
cd "$work/renamed"
git init -q .
make_program
make_database main.c run.c >compile_commands.json
git add .
git commit -q -m program
git mv main.c app.c
passes 'renamed' miscast hook run
put app.c '#include "net.h"' 'int main(void)' '{' \
    '    mc_print(run(mc_half(mc_randn(mc_shape(4, 4))), weight()));' '    return 0;' '}'
git add .
stops 'renamed and bad' 'run.c:2:.*matmul-dtype' miscast hook run

# Names that a shell or a terminal would obey: the line to copy does what it says.
mkdir "$work/odd"
cd "$work/odd"
git init -q .
put "it's \$(touch no).c" "$tensor" "mc_tensor *walk$bad_alone"
put "$(printf 'x\033[31m\n\\y.c')" "$tensor" "mc_tensor *crawl$bad_alone"
make_database "it's \$(touch no).c" 'x\u001b[31m\n\\y.c' >compile_commands.json
git add .
stops 'odd names' 'matmul-dtype' miscast hook run
! grep -q "$(printf '\033')" "$work/out" || fail "a name is told to the terminal"
sed -n 's/.*to fix [0-9]*: *//p' "$work/out" >"$work/line"
passes 'the line to copy' sh "$work/line"
passes 'after it' miscast hook run
[ ! -e no ] || fail "a name is run"
cd "$work/bare"

# Hooks of others.
put .git/hooks/pre-commit '#!/bin/sh' 'exit 0'
chmod +x .git/hooks/pre-commit
stops 'a hook of another' 'miscast hook run || exit' miscast hook install
stops 'not ours to remove' 'not miscast' miscast hook uninstall
passes 'force' miscast hook install --force
stops 'in its place' 'matmul-dtype' commit
passes 'uninstall' miscast hook uninstall
passes 'the old one again' commit
grep -q 'exit 0' .git/hooks/pre-commit || fail "the old hook is gone"
git config core.hooksPath tools/hooks
passes 'core.hooksPath' sh -c 'cd src && miscast hook install'
[ -x tools/hooks/pre-commit ] || fail "not where core.hooksPath says"
git config core.hooksPath "$work/all"
stops 'shared hooks' 'core.hooksPath' miscast hook install

# Comments: --fix takes away one that is not needed; one that is not understood is corrected by hand.
mkdir "$work/comments"
cd "$work/comments"
git init -q .
put unused.c "$tensor" 'int walk(void) { return 0; } // miscast: ignore[matmul-dtype] once'
git add .
stops 'not needed' 'unused-suppression' miscast hook run
grep -q 'to fix 1: .*--fix' "$work/out" || fail "not said what fixes it"
! grep -q 'the comment at\|to accept' "$work/out" || fail "two ways are said"
put wrong.c "$tensor" 'int crawl(void) { return 0; } // miscast: ignore[matmul-dtyp] once'
git add .
stops 'not understood' 'bad-suppression' miscast hook run
grep -q 'to fix 1: .*--fix unused.c' "$work/out" || fail "not said what fixes one"
grep -q 'to fix one: *correct the comment at wrong.c:2, or delete it' "$work/out" || fail "not said what fixes the other"

# No repository: one line says so, and none of git's own.
cd /
for command in 'hook run' 'hook install' 'diff HEAD'; do
    # shellcheck disable=SC2086 # words
    stops "$command without a repository" 'this is not a git repository$' miscast $command
    [ "$(wc -l <"$work/out")" = 1 ] || fail "$command: more than a line"
done
