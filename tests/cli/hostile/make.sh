# Files that are not worth keeping: made when they are needed.

# repeated FILE BEFORE PART COUNT AFTER
repeated() {
    awk -v before="$2" -v part="$3" -v count="$4" -v after="$5" \
        'BEGIN { printf "%s", before; for (i = 0; i < count; i++) printf "%s", part; print after }' >"$1"
}

printf 'int x;\000int y;\n\377\376' >bytes.c
: >empty.c
echo '#include "self.c"' >self.c
line=$(printf 'new\nline.c')
for name in 'with space.c' "$line" -dash.c; do
    cp plain.c "./$name"
done
