#!/bin/sh
# Validates SARIF against its official schema. The schema comes from the npm package of its authors,
# once per build folder; skipped (77) if it or a validator is not available.
#
#   schema.sh PROGRAM INCLUDE CASE CACHE
set -eu
program=$1 include=$2 case=$3 cache=$4
schema=${MISCAST_SARIF_SCHEMA:-$cache/sarif-2.1.0.json}
package=@microsoft/sarif-multitool-linux

skip() {
    echo "skipped: $*" >&2
    exit 77
}

python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -W ignore -c 'import jsonschema' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || skip "no validator: python3-jsonschema is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
if [ ! -s "$schema" ]; then
    command -v npm >/dev/null 2>&1 || skip "no schema, and no npm to get it"
    (cd "$work" && timeout 120 npm pack --silent "$package" >/dev/null 2>&1) || skip "no schema: npm cannot get $package"
    tar -xzf "$work"/*.tgz -C "$work" package/sarif-2.1.0.json || skip "no schema in $package"
    mkdir -p "$cache"
    mv "$work/package/sarif-2.1.0.json" "$schema"
fi

cp -R "$case"/. "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
status=0
"$program" check --isolated --verify --no-cache --format sarif=report.sarif --format text *.c >text 2>err || status=$?
[ "$status" -eq 1 ] || {
    cat err >&2
    echo "the case has no findings" >&2
    exit 1
}
"$python" -W ignore - report.sarif "$schema" <<'END'
import json
import sys

import jsonschema

report = json.load(open(sys.argv[1]))
schema = json.load(open(sys.argv[2]))
validator = jsonschema.validators.validator_for(schema)(schema)
wrong = sorted(validator.iter_errors(report), key=lambda e: list(map(str, e.path)))
for e in wrong[:10]:
    print("/".join(map(str, e.path)), e.message[:200], file=sys.stderr)
results = report["runs"][0]["results"]
if not results or not any("codeFlows" in r for r in results) or not any("fixes" in r for r in results):
    wrong.append("no results with lineage and fixes")
    print(wrong[-1], file=sys.stderr)
for r in results:
    verdict = r["properties"]["verdict"]["kind"]
    assert verdict in ("confirmed", "refuted", "not reached", "not run"), verdict
    assert (r.get("kind") == "pass") == (verdict == "refuted") == (r["level"] == "none")
    assert 0 <= r["rank"] <= 100
# What GitHub needs beyond the schema.
rules = report["runs"][0]["tool"]["driver"]["rules"]
for r in results:
    region = r["locations"][0]["physicalLocation"]["region"]
    assert {"startLine", "startColumn", "endLine", "endColumn"} <= set(region), region
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
    assert r["partialFingerprints"]["primaryLocationLineHash"]
    assert not r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("/")
for rule in rules:
    assert rule["help"]["markdown"].startswith("# " + rule["name"]), rule["name"]
    assert "security-severity" not in rule.get("properties", {})
sys.exit(bool(wrong))
END
