# Reads layers.txt, the sources there are, the symbols of all objects, and the includes; see layers.sh.

function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }

# Inside a layer (analyzer/flow with its folders) headers may share structs: only symbols count.
function layer_of(folder,    part) {
    split(folder, part, "/")
    return part[1] == "rules" ? part[1] : part[1] "/" part[2]
}

# The runtime and the analyzer are linked apart: a name may be defined in both.
function world_of(path) { return path ~ /^runtime\// ? "runtime" : "analyzer" }

# A library of others that a symbol belongs to; "": none that is watched.
function library_of(symbol) {
    if (symbol ~ /^clang_/) return "libclang"
    if (symbol ~ /^sqlite3_/) return "sqlite"
    if (symbol ~ /^seccomp_/) return "libseccomp"
    if (symbol ~ /^yaml_/) return "libyaml"
    if (symbol ~ /^json_/) return "jansson"
    if (symbol ~ /^ts_|^tree_sitter_/) return "tree-sitter"
    if (symbol ~ /^cblas_|^openblas_/) return "openblas"
    return ""
}

function edge(from, to, via) {
    if (from == to) return
    if (!((from, to) in edges)) { order[++edge_count] = from SUBSEP to; edges[from, to] = 0 }
    edges[from, to]++
    if (split(vias[from, to], unused, " ") < 6) vias[from, to] = vias[from, to] " " via
}

FILENAME != last_file { last_file = FILENAME; file_number++ }

# ---- layers.txt ----

file_number == 1 && (/^[[:space:]]*#/ || NF == 0) { next }
file_number == 1 && $1 == "cycle" { bound[$2] = $3; next }
file_number == 1 && $1 == "knot" {
    for (i = 2; i <= NF; i++) for (j = 2; j <= NF; j++) if (i != j) knotted[$i, $j] = 1
    next
}
file_number == 1 && $1 == "inject" { injected[$2] = $3; next }
file_number == 1 {
    for (i = 2; i <= NF; i++) allowed[$1, $i] = 1
    next
}

# ---- sources: FILE ----

file_number == 2 { is_source[$1] = 1; next }

# ---- symbols: FILE NAME KIND ----

file_number == 3 && !($1 in is_source) { next }
# It defines functions of the C library again, for libclang: nobody else means these.
file_number == 3 && $1 == "frontends/clang/file_guard.c" && $2 !~ /^clang_/ && $3 != "U" { next }
file_number == 3 && NF >= 3 && $3 != "U" && $3 != "w" && $3 != "v" {
    home[world_of($1), $2] = $1
    next
}
file_number == 3 && NF >= 2 { wants[++want_count] = $1; wanted[want_count] = $2; next }

# ---- includes: include FILE HEADER ----

file_number == 4 { includes[++include_count] = folder_of($2) SUBSEP folder_of($3) SUBSEP $2 ":\"" $3 "\"" }

# ---- the graph ----

# Everything that can be reached from node, in reach[node, …]; next_of[node] lists where edges lead.
function search(node,    stack, depth, here, parts, n, i) {
    depth = 1
    stack[1] = node
    while (depth > 0) {
        here = stack[depth--]
        n = split(next_of[here], parts, " ")
        for (i = 1; i <= n; i++)
            if (!((node, parts[i]) in reach)) { reach[node, parts[i]] = 1; stack[++depth] = parts[i] }
    }
}

function file_edge(from, to) {
    if (from == to || folder_of(from) != folder_of(to) || (from, to) in file_edges) return
    file_edges[from, to] = 1
    next_of[from] = next_of[from] " " to
    if (!(from in is_node)) { is_node[from] = 1; nodes[++node_count] = from }
}

# The strongly connected components of files inside each folder: the largest one's size.
function measure_cycles(    i, j, folder, size) {
    for (i = 1; i <= node_count; i++) search(nodes[i])
    for (i = 1; i <= node_count; i++) {
        folder = folder_of(nodes[i])
        size = 0
        for (j = 1; j <= node_count; j++)
            if ((nodes[i], nodes[j]) in reach && (nodes[j], nodes[i]) in reach) size++
        if (size > largest[folder]) { largest[folder] = size; sample[folder] = nodes[i] }
    }
}

function members(file,    j, list) {
    for (j = 1; j <= node_count; j++)
        if ((file, nodes[j]) in reach && (nodes[j], file) in reach) list = list " " nodes[j]
    return list
}

function complain(text) { print text; failed = 1 }

END {
    for (i = 1; i <= want_count; i++) {
        at = home[world_of(wants[i]), wanted[i]]
        if (at == "") {
            library = library_of(wanted[i])
            if (library != "") edge(folder_of(wants[i]), library, wants[i] ":" wanted[i])
            continue
        }
        if (wanted[i] in injected) {
            edge(folder_of(wants[i]), injected[wanted[i]], wants[i] ":" wanted[i])
            continue
        }
        file_edge(wants[i], at)
        edge(folder_of(wants[i]), folder_of(at), wants[i] ":" wanted[i])
        symbol_edges += wants[i] != at
    }
    for (i = 1; i <= include_count; i++) {
        split(includes[i], part, SUBSEP)
        if (layer_of(part[1]) != layer_of(part[2])) edge(part[1], part[2], part[3])
    }
    if (mode == "edges") {
        for (i = 1; i <= edge_count; i++) { split(order[i], part, SUBSEP); print part[1], part[2], edges[part[1], part[2]], vias[part[1], part[2]] }
        exit
    }
    for (i = 1; i <= edge_count; i++) {
        split(order[i], part, SUBSEP)
        from = part[1]; to = part[2]
        if (!((from, to) in allowed))
            complain(from " must not use " to " (" edges[from, to] "):" vias[from, to])
        if (!((from, to) in knotted)) folder_next[from] = folder_next[from] " " to
        folders[from] = folders[to] = 1
    }
    for (pair in allowed) {
        split(pair, part, SUBSEP)
        if (!(pair in edges)) complain("layers.txt allows " part[1] " to use " part[2] ", which it does not")
    }
    measure_cycles()
    for (folder in largest) {
        if (largest[folder] == 0) continue
        printf "largest cycle of files in %s: %d\n", folder, largest[folder]
        if (largest[folder] > bound[folder] + 0)
            complain("  more than the " (bound[folder] + 0) " that layers.txt notes:" members(sample[folder]))
    }
    for (folder in bound)
        if (largest[folder] + 0 < bound[folder])
            complain("layers.txt notes a cycle of " bound[folder] " files in " folder "; it is " (largest[folder] + 0) " now")
    # Folders: the same search, over edges between folders, knots left out.
    split("", next_of); split("", reach)
    for (folder in folders) next_of[folder] = folder_next[folder]
    for (folder in folders) search(folder)
    for (folder in folders) if ((folder, folder) in reach && !(folder in is_told)) {
        list = ""
        for (other in folders)
            if ((folder, other) in reach && (other, folder) in reach) { list = list " " other; is_told[other] = 1 }
        complain("cycle of folders:" list)
    }
    print symbol_edges " edges between symbols of different files"
    exit failed
}
