# Files that are not worth keeping, and those that git cannot keep: made when they are needed.

# bomb FILE BODY COUNT AFTER: a macro for ten of the one before, COUNT times.
bomb() {
    echo "#define m0 $2" >"$1"
    i=0
    while [ $i -lt "$3" ]; do
        echo "#define m$((i + 1)) m$i m$i m$i m$i m$i m$i m$i m$i m$i m$i"
        i=$((i + 1))
    done >>"$1"
    echo "$4" >>"$1"
}

# repeated FILE BEFORE PART COUNT AFTER
repeated() {
    awk -v before="$2" -v part="$3" -v count="$4" -v after="$5" \
        'BEGIN { printf "%s", before; for (i = 0; i < count; i++) printf "%s", part; print after }' >"$1"
}

# Only what is said first, and of units: how many there are makes no difference here. A trap is an
# illegal instruction on x86, and a breakpoint on arm64.
said() {
    { timeout 20 "$program" "$@" 2>&1; echo "exit code $?"; } |
        sed 's/(signal [45])$/(signal of a trap)/' |
        grep -v '^LIBCLANG FATAL\|next to the checked files\|no compile database\|^miscast: 0 findings\|note: analysed as far'
}

bomb macros.c '' 9 'm9 int x;'
bomb memory.c '1,' 6 'int t[] = { m6 };'
printf '%s\n' '#if __INCLUDE_LEVEL__ < 60' '#include "twice.h"' '#include "twice.h"' '#endif' >twice.h
echo '#include "twice.h"' >twice.c
for how in crash llvm_fatal_error; do
    printf '#pragma clang __debug %s\nint x;\n' $how >$how.c
done
mkfifo pipe
ln -s /dev/zero zero
for name in pipe zero; do
    mkdir in_$name
    ln -s ../$name in_$name/.miscast.yaml
    mkdir db_$name flags_$name
    ln -s ../$name db_$name/compile_commands.json
    ln -s ../$name flags_$name/compile_flags.txt
    cp fine.c in_$name/a.c
    printf '#include "%s"\nint x;\n' $name >include_$name.c
    printf 'const char b[] = {\n#embed "%s"\n};\n' $name >embed_$name.c
    ln -s $name source_$name.c
done
truncate -s 1T huge
ln -s huge huge.c
