#!/bin/sh
# hostile.sh MISCAST [PART]: programs that are made to keep the analysis busy or to fill the memory. Each
# ends within seconds, and is reported as usual. With PART, what is long is that many times shorter.
set -eu
miscast=$1
part=${2:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# repeated BEFORE TEXT COUNT AFTER: the text so many times, %d in it is the number
repeated() {
    count=$3
    [ "$count" -lt 1000 ] || count=$((count / part))
    awk -v before="$1" -v text="$2" -v count="$count" -v after="$4" 'BEGIN {
        printf "%s", before
        for (i = 0; i < count; i++)
            printf text, i, i
        printf "%s", after
    }'
}

# ends NAME CODE...: within 20 s, and with one of these exit codes
ends() {
    name=$1
    shift
    code=0
    (ulimit -c 0 && ulimit -t 20 && exec "$miscast" check --isolated "$name.py") >out 2>err || code=$?
    for wanted in "$@"; do
        [ "$code" -ne "$wanted" ] || return 0
    done
    echo "$name ended with $code"
    tail -n 5 err
    exit 1
}

# What follows a NUL byte is not passed over.
printf '\0import torch\n' >nul.py
ends nul 3

# Nor is what Python decodes before it reads it: by default, by a comment, or by a mark at the beginning.
printf '\377\376import torch\n' >bytes.py
printf '# coding: utf-8\nx = "\351"\n' >declared.py
printf '\357\273\277# coding: latin-1\nx = "\351"\n' >marked.py
printf '# coding: utf-7\nx = 1 +AAo-import torch\n' >seven.py
printf '#!/usr/bin/python\n# vim: set fileencoding=unicode_escape :\n#\\u000aimport torch\n' >escape.py
printf '# -*- coding: shift_jis -*-\nx = "\225\134"; y = ""\n' >jis.py
for name in bytes declared marked seven escape jis; do
    ends $name 3
done
printf '# -*- coding: latin-1 -*-\nx = "\351"\n' >latin.py
printf '\n# coding=GBK\nx = 1\n' >gbk.py
printf '\357\273\277x = "\303\251"\n' >utf.py
printf 'x = 1\n# coding: utf-7\n' >late.py
printf '\n\n# coding: utf-7\n' >third.py
for name in latin gbk utf late third; do
    ends $name 0
done

# A text that doubles again and again, in all the ways in which texts are made.
repeated 's = "abc"
' 's = s + s
' 200 '' >add.py
repeated 's = "abc"
' 's = f"{s}{s}"
' 200 '' >format.py
repeated 's = "aaaa"
' 's = s.replace("a", s)
' 40 '' >replace.py
repeated 's = "' 'a,' 2000 '"
' >split.py
repeated '' 't = s.split(",")
' 3000 '' >>split.py
for name in add format replace split; do
    ends $name 0
done

# Dicts with very many keys.
repeated 'x = {}
' 'x[%d] = %d
' 40000 'for y in x.values(): pass
' >keys.py
repeated 'x = {' '%d: %d, ' 40000 '}
' >dict.py
ends keys 0
ends dict 0

# A sum that is one of more numbers than can be counted.
{
    echo 'import os, torch'
    repeated '' 'n%d = 7 ** (%d %% 9) if "OPTION" in os.environ else 0
' 60 '' | awk '{ sub("OPTION", "A" NR); print }'
    repeated 'print(sum([' 'n%d, ' 60 ']))
'
    echo 'print(torch.ones(2) @ torch.ones(2).half())'
} >sums.py
ends sums 1

# Tensors that are one of two each, by questions that have nothing to do with each other, in one call: which of
# them are what is too large to be written down.
{
    echo 'import argparse, torch
parser = argparse.ArgumentParser()
add = parser.add_argument'
    repeated '' 'add("--a%d", type=int, default=0)
add("--b%d", type=int, default=0)
' 18 'args = parser.parse_args()
'
    repeated '' 'a%d = args.a%d > 3
' 18 ''
    repeated '' 'b%d = args.b%d > 3
' 18 'all = []
'
    repeated '' 'x = torch.zeros(4)
if a%d == b%d: x = x.double()
all.append(x)
' 18 'print(torch.cat(all))
'
} >pairs.py
ends pairs 0

# The same in a function that many call which nobody calls; what is behind it is found all the same.
{
    awk '/^all = / { print "def costly():" } { print (behind ? "    " : "") $0 } /^all = / { behind = 1 }' pairs.py |
        sed 's/^all = .*/    all = []/'
    repeated '' 'def test_%d(): return costly()
' 100 'def last():
    costly()
    return torch.ones(2) @ torch.ones(2).half()
'
} >costly.py
ends costly 1

# Blocks that may all leave for the same one.
repeated 'x = ' 'a < ' 100000 '1
' >chain.py
repeated 'if a: pass
' 'elif a: pass
' 50000 '' >elif.py
ends chain 0
ends elif 0

# An import and a decorator that take too long: what follows them is analysed all the same.
repeated 'a = input()
x = ' 'a < ' 20000 '1
' >endless.py
repeated 'import torch
import endless
def registered(f):
    x = ' 'endless.a < ' 20000 '1
    return f
' >behind.py
cat >>behind.py <<'END'
@registered
def cast(x):
    return x.half()
print(torch.ones(2, 2) @ cast(torch.ones(2, 2)))
END
ends behind 1
repeated 'with ' 'a, ' 40000 'a: pass
' >with.py
ends with 0

# Very many regions, and modules that hold each other.
repeated 'import torch
x = torch.zeros(1, 1)
' 'with torch.autocast("cpu", dtype=torch.bfloat16): x = x @ x
' 5000 '' >regions.py
ends regions 0
cat >modules.py <<'END'
import copy
import torch
from torch import nn
def make(depth):
    return nn.Sequential(make(depth - 1), make(depth - 1)) if depth else nn.Linear(1, 1)
m = make(16)
m.half()
m(torch.zeros(1, 1))
for i in range(100):
    m = nn.Sequential(m, copy.deepcopy(m))
END
ends modules 0
