#!/bin/sh
# Checks that rules are complete: a row in rules.def has its file, its page with all sections, its
# fixtures and its row in the table; and each of those has its row in rules.def.
#
#   complete.sh ROOT
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

fail() {
    echo "rules: $*" >&2
    failed=1
}

# Rules that one of the languages has no program for.
grep '^c ' tests/rules/one_language.txt | cut -d' ' -f2- >"$work/only_c" || :
grep '^python ' tests/rules/one_language.txt | cut -d' ' -f2- >"$work/only_python" || :

# "code name id" for each rule
sed -n 's/^RULE(\([a-z0-9_]*\), *"\(MC[0-9]*\)", *"\([a-z0-9-]*\)".*/\2 \3 \1/p' rules/rules.def >"$work/rules"
grep -rh 'expect: ' tests/rules --include='*.c' --include='*.h' --include='*.py' >"$work/marks"
[ "$(grep -c '^RULE(' rules/rules.def)" = "$(wc -l <"$work/rules" | tr -d ' ')" ] ||
    fail "a row of rules.def is not understood"
sort -c "$work/rules" 2>/dev/null || fail "rules.def is not in the order of codes"
for column in 1 2 3; do
    cut -d' ' -f$column "$work/rules" | sort | uniq -d >"$work/twice"
    [ ! -s "$work/twice" ] || fail "twice in rules.def: $(tr '\n' ' ' <"$work/twice")"
done

while read -r code name id; do
    [ "$(echo "$name" | tr - _)" = "$id" ] || fail "$name is called $id"
    [ -f "rules/$id.c" ] || fail "$name has no rules/$id.c"
    grep -q "const struct rule_code rule_$id = " "rules/$id.c" 2>/dev/null || fail "rules/$id.c does not define rule_$id"
    doc=rules/docs/$name.md
    if [ -f "$doc" ]; then
        [ "$(head -1 "$doc")" = "# $name ($code)" ] || fail "$doc does not begin with '# $name ($code)'"
        for part in 'What' 'Why' 'Example' 'Use instead' 'How it is verified' 'Fix safety'; do
            grep -qx "## $part" "$doc" || fail "$doc has no '$part'"
        done
    else
        fail "$name has no $doc"
    fi
    suffix=c
    if grep -q "^$name\\>" "$work/only_c"; then
        ! grep -q '^```python$' "$doc" || fail "$doc has Python, and one_language.txt says that there is none"
    else
        grep -q '^```python$' "$doc" || fail "$doc has no example in Python, and one_language.txt does not say why"
    fi
    if grep -q "^$name\\>" "$work/only_python"; then
        suffix=py
    else
        grep -q '^```c$' "$doc" || fail "$doc has no example in C"
    fi
    for kind in bad good; do
        ls "tests/rules/$name/$kind"*.$suffix >/dev/null 2>&1 || fail "$name has no tests/rules/$name/$kind*.$suffix"
    done
    grep -q "^| $code | \[$name\](../rules/docs/$name.md) |" docs/rules.md || fail "$name has no row in docs/rules.md"
    case $(sed -n "s/^RULE($id, .*, *\(NONE\|SOME\|UNSAFE\), *[A-Z]*, .*/\1/p" rules/rules.def) in
        NONE) ;;
        *) ls "tests/rules/$name"/*.fixed >/dev/null 2>&1 || fail "$name has a fix, and no tests/rules/$name/*.fixed" ;;
    esac
    case $(sed -n "s/^RULE($id, .*, *\(ERROR\|WARNING\|NOTE\), .*/\1/p" rules/rules.def) in
        ERROR) above=none ;;
        WARNING) above=error ;;
        NOTE) above='error\|warning' ;;
        *) fail "$name has no severity in rules.def" ;;
    esac
    ! grep -q "expect: .*\<$name \($above\)\>" "$work/marks" || fail "$name has marks above its severity in rules.def"
done <"$work/rules"

cut -d' ' -f2 "$work/rules" | sort >"$work/names"
known() {
    grep -qx -- "$1" "$work/names"
}
for file in rules/*.c; do
    known "$(basename "$file" .c | tr _ -)" || fail "$file is no rule's"
done
for file in rules/docs/*.md; do
    known "$(basename "$file" .md)" || fail "$file is no rule's"
done
for folder in tests/rules/*/; do
    known "$(basename "$folder")" || fail "$folder is no rule's"
done
sed -n 's/^| MC[0-9]* | \[\([a-z0-9-]*\)\](\.\.\/rules.*/\1/p' docs/rules.md | sort >"$work/table"
diff "$work/names" "$work/table" >/dev/null || fail "the rows in docs/rules.md are not those of rules.def"

# Families and roles that no pack gives, or that no code asks for: a name that was changed.
sed -n 's/^FAMILY(\([A-Z_]*\), *"\([a-z_]*\)".*/\1 \2/p' analyzer/pack/family.def | grep -v '^OTHER ' |
    while read -r id name; do
        grep -rq "FAMILY_$id\>" rules --include='*.c' || echo "$name (in no rule)"
        grep -q "family: $name\>" rules/packs/*.yaml rules/packs/python/*.yaml || echo "$name (in no pack)"
    done >"$work/unused"
sed -n 's/^ROLE(\([A-Z_]*\), *"\([a-z_]*\)".*/\1 \2/p' analyzer/pack/role.def |
    while read -r id name; do
        grep -rq "ROLE_$id\>" rules analyzer --include='*.c' || echo "$name (in no code)"
        grep -q "as $name\>\|\<$name: " rules/packs/*.yaml || [ "$name" = input ] || echo "$name (in no pack)"
    done >>"$work/unused"
[ ! -s "$work/unused" ] || fail "families and roles that nothing uses: $(tr '\n' ' ' <"$work/unused")"

# What is known about an API is in its pack: neither rules nor the analyzer know a name of ours.
# verify/c builds and runs programs of the API, and is the only one that has to.
grep -rn '\<mc_[a-z]' analyzer rules/*.c rules/*.h rules/*.def rules/engine --include='*.[ch]' --include='*.def' |
    grep -v '^analyzer/verify/c/' >"$work/own" || :
[ ! -s "$work/own" ] || fail "a name of our API outside of packs: $(head -3 "$work/own")"
exit $failed
