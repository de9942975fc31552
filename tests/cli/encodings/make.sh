# Files in other encodings than UTF-8, with a mark at their beginning or without.
printf '\377\376i\000n\000t\000 \000x\000;\000\n\000' >utf16le.c
printf '\376\377\000i\000n\000t\000 \000x\000;\000\n' >utf16be.c
printf '\377\376\000\000i\000\000\000' >utf32le.c
printf '\000\000\376\377\000\000\000i' >utf32be.c
printf '\n\000\n\000' >unmarked.c
printf '/* \000 */\n' >zero.h
printf '\357\273\277int main(void) { return 0; }\n' >utf8.c
cp utf16be.c marked.h
echo '#include "marked.h"' >marked.c
echo '#include "zero.h"' >zero.c
