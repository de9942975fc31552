#!/bin/sh
# Notebooks: cells are one program, places are in cells, and what is no Python is skipped.
#
#   notebook.sh MISCAST
set -eu
miscast=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
unset MISCAST_PACKS FORCE_COLOR
NO_COLOR=1
export NO_COLOR
failures=0

fail() {
    echo "FAIL $*"
    cat out said
    failures=$((failures + 1))
}

# run CODE ARGUMENTS...: miscast has to exit with that code
run() {
    code=$1 got=0
    shift
    "$miscast" "$@" >out 2>said || got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, not $code"
}

has() {
    grep -qF -e "$1" out said || fail "no '$1'"
}

hasnt() {
    ! grep -qF -e "$1" out said || fail "'$1'"
}

# A list of lines, and a text; magics, also where they must not be taken for any.
cat >train.ipynb <<'END'
{"cells": [
  {"cell_type": "markdown", "source": ["# model.half()\n"]},
  {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch\n", "from torch import nn\n",
    "!pip install x\n", "files = !ls\n", "if files:\n", "    !touch y\n"]},
  {"cell_type": "code", "source": "model = nn.Linear(4, 2)\nx = torch.randn(3, 4)  # \u00e9\nmodel?\n?x"},
  {"cell_type": "raw", "source": "model.double()"},
  {"cell_type": "code", "source": "%%bash\nls | grep '\n"},
  {"cell_type": "code", "source": "%%time\nmodel.half()\nrest = (7\n  % 2)\ntext = '''\n!no\n'''\nprint(model(x))\n"}
 ], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
END
run 1 check --isolated --no-cache train.ipynb
has "train.ipynb:cell 6:8:7: error: linear needs one dtype: input is float32, weight is float16 [matmul-dtype]"
has "    8 | print(model(x))"
has "input became float32   train.ipynb:cell 3:2:5"
has "weight became float16  train.ipynb:cell 6:2:1"
hasnt "could not"
run 0 types --isolated --no-cache train.ipynb
has "1 | pass  # %matplotlib inline"
run 1 check --isolated --no-cache --format concise .
has "train.ipynb:cell 6:8:7: error:"
run 1 check --isolated --no-cache --format json train.ipynb
has '"cell": 6,'
has '"line": 8,'
run 1 check --isolated --no-cache --format sarif train.ipynb
has '"name": "cell 6"'
has '"startLine": 8'
run 2 trace train.ipynb:8
has "A place in a notebook is 'train.ipynb:cell 3:8'"
run 2 trace 'train.ipynb:cell 1:8'
has "has no code in cell 1"
run 0 trace 'train.ipynb:cell 6:8:13'
has "train.ipynb:cell 6:8:13: x is float32 cpu"
has "train.ipynb:cell 3:2:5"
run 0 types train.ipynb
has " 2 | x = torch.randn(3, 4)  # é"

# Nothing is written into it.
cp train.ipynb before
run 1 check --isolated --no-cache --fix --unsafe-fixes train.ipynb
cmp -s train.ipynb before || fail "it was changed"

# A comment in a cell suppresses; an older format; other languages; what is no notebook.
sed 's/print(model(x))/print(model(x))  # miscast: ignore[matmul-dtype] known/' before >train.ipynb
run 0 check --isolated --no-cache train.ipynb
cat >old.ipynb <<'END'
{"worksheets": [{"cells": [{"cell_type": "code", "input": ["import torch\n",
  "torch.ones(2, 2).half() @ torch.ones(2, 2)\n"]}]}], "nbformat": 3, "metadata": {}}
END
run 1 check --isolated --no-cache old.ipynb
has "old.ipynb:cell 1:2:1: error:"
rm old.ipynb

# The last expression of a cell is shown, unless a semicolon follows.
cat >shown.ipynb <<'END'
{"cells": [
  {"cell_type": "code", "source": "import torch\nx = torch.randn(4, 4)\nx.half()"},
  {"cell_type": "code", "source": "x.t(), x[0].double()  # ; \n\n# and no more"},
  {"cell_type": "code", "source": "for i in range(3):\n    x.half()\nx.float();"}
 ], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
END
run 1 check --isolated --no-cache --format concise shown.ipynb
has "shown.ipynb:cell 3:2:5: warning: the result of half() is discarded"
has "shown.ipynb:cell 3:3:1: warning: the result of float() is discarded"
has "(2 warnings, 1 note)"
rm shown.ipynb
# What is timed is run; a command may go on in the next line.
cat >timed.ipynb <<'END'
{"cells": [
  {"cell_type": "code", "source": "!pip install a \\\n  b c 'd\nimport torch\nx = torch.randn(4, 4)\n%timeit x.half()"},
  {"cell_type": "code", "source": "for i in range(3):\n    %time y = x @ x.half()\n%time for i in x: print(i)"}
 ], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
END
run 1 check --isolated --no-cache --format concise timed.ipynb
has "timed.ipynb:cell 2:2:15: error: '@' needs one dtype"
has "2 findings (1 error, 1 note)"
rm timed.ipynb
sed 's/"python"/"julia"/' before >other.ipynb
run 0 check --isolated --no-cache .
hasnt "other.ipynb"
rm other.ipynb
for text in '' '{' '[]' '{"cells": 7}' '{"cells": [7, {"cell_type": 3}, {"cell_type": "code"}]}'; do
    printf '%s' "$text" >odd.ipynb
    "$miscast" check --isolated --no-cache odd.ipynb >out 2>said || [ $? -le 3 ] || fail "'$text'"
done
has "1 file analysed"
printf '{' >odd.ipynb
run 3 check --isolated --no-cache odd.ipynb
has "odd.ipynb:1:1: error: could not be analysed: not a notebook"
[ "$failures" -eq 0 ]
