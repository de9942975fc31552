"""The tensor API as tables, from its headers and from what packs say of PyTorch's functions: what a
program writes, with options, their types and defaults, what it returns, and PyTorch's counterpart;
and the types, constants and macros that it writes them with."""

import re

TYPES = {"mc_arg": "tensor or number", "mc_shape": "shape", "mc_dims": "dims", "int64_t": "int",
         "double": "number", "bool": "bool", "mc_dtype": "dtype", "mc_device": "device"}
# An option of these types takes no bare number: .padding = mc_dims(1, 1).
WRITTEN = {"mc_dims": ("dims", "mc_dims"), "mc_arg": ("num", "MC_NUM")}
# What other macros are made of; no program writes them.
INTERNAL = (r"MC_(API|PRINTF|AT|ARG|OPTIONS|DTYPE_BIT|LIST|FUNCTION|POINTER_DTYPE|CALL_\w+|FROM_\w+"
            r"|AUTOCAST_\w+)|mc_arg_kind|\w+_options")


def joined(text):
    """Declarations on one line each; comments are kept."""
    text = re.sub(r"\\\n\s*", " ", text)
    return re.sub(r"(MC_API [^;{]*?)\n\s+", r"\1 ", re.sub(r"(MC_API [^;{]*?)\n\s+", r"\1 ", text))


def option(kind, name, default):
    """An option as a program writes it."""
    kind = re.sub(r"\bconst\b", "", kind).strip()
    shown, maker = WRITTEN.get(kind, (TYPES.get(kind, kind), ""))
    if maker and re.fullmatch(r"-?[0-9.e-]+", default):
        default = f"{maker}({default})"
    shown = "" if kind == "mc_tensor *" or shown == name else f": {shown}"
    return f".{name}{shown} = {default}" if default else f".{name}{shown}"


def structs(text):
    """{name: [option]} of the options."""
    found = {}
    for name, body in re.findall(r"typedef struct (\w+_options) \{\n(.*?)\n\} \w+;", text, re.S):
        options = []
        body = re.sub(r"void \(\*(\w+)\)\(.*?\);", r"function \1;", body, flags=re.S)
        for kind, field, comment in re.findall(
                r"^ *([\w ]+?[ *]+)(\w+)(?:\[\w+\])?;(?:\s*/\*\s*(.*?)\s*\*/)?", body, re.S | re.M):
            default = re.search(r"\bdefault:? (.+?)(?:\. |: |[;,]|\.?$)", re.sub(r"\s+", " ", comment))
            says = default and "as the op says" not in comment
            # "default 0; of adamw 0.01": of one function it is another
            of_one = re.search(r"; (?:of )?(?!default)([a-z_]+):? ((?:that|[0-9])[\w. -]*)$", comment)
            if field != "mc_end":
                options.append(option(kind, field, default[1] if says else "") +
                               (f" <{of_one[1]}: {of_one[2]}>" if of_one else ""))
        found[name] = options
    return found


def of_function(text, name):
    """Options with the defaults of this function, of those that have several."""
    def one(match):
        default, who, instead = match.groups()
        return " = " + (re.sub(r"[0-9][0-9.e-]*", instead, default, count=1) if name == "mc_" + who and
                        instead[0].isdigit() else instead if name == "mc_" + who else default)
    return re.sub(r" = ([^,<]+) <(\w+): ([^>]*)>", one, text)


def split(text):
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in "(<") - (letter in ")>")
        if letter == "," and not depth:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return [*parts, current.strip()] if current.strip() else parts


def parameter(text):
    """An argument as a program writes it."""
    name = re.search(r"(\w+)(?:\[\])?$", text)[1]
    kind = re.sub(r"\bconst\b|\bstruct\b", "", text[:text.rindex(name)]).strip()
    if kind == "mc_tensor *" or TYPES.get(kind) == name:
        return name
    return f"{name}: {TYPES.get(kind, kind)}"


def arguments(text, options, macro):
    """macro: how the name is defined, if it is one: what it makes of its last words."""
    shown = []
    for part in split(text):
        kind = part.split()[0]
        if part in ("void", "mc_place at", "mc_dtype element"):
            continue
        if kind in options:
            shown += options[kind]
        elif "MC_LIST(__VA_ARGS__)" in macro and "const *" in part:
            shown.append("tensor, …")
        elif "MC_LIST(__VA_ARGS__)" in macro and part == "size_t count":
            continue
        elif kind in ("mc_shape", "mc_dims") and f"{kind}(__VA_ARGS__)" in macro:
            shown.append("size, …" if kind == "mc_shape" else "dim, …")
        else:
            shown.append(parameter(part))
    return ", ".join(shown)


def comment_of(text, at):
    """The comment behind it on its line, or the one that ends right before, on lines of its own."""
    line = text[at:text.find("\n", at)]
    behind = re.search(r"[;)]\s*/\* (.*?) \*/$", line)
    if behind:
        return behind[1]
    before = text[:at].rstrip()
    begin = before.rfind("/*")
    if not before.endswith("*/") or before[before.rfind("\n", 0, begin) + 1:begin].strip():
        return ""
    comment = before[begin + 2:-2]
    comment = re.sub(r"\s*\n \*\s*", " ", comment).strip()
    return "" if comment.startswith("----") or "clang-format" in comment else comment


def torch_names(pack):
    """{op: PyTorch's name}, the shortest: a function before a method. Of ops that are listed
    together, the calls name {op}."""
    found = {}
    pack = pack.replace("{F}.", "torch.nn.functional.")
    for ops, body in re.findall(r"\bops?: (\[[^]]*\]|\w+)(.*?)(?=\bops?: |\Z)", pack, re.S):
        for op in re.findall(r"\w+", ops):
            names = re.findall(r"\b((?:torch|Tensor)(?:\.\w+)*)\(", body.replace("{op}", op))
            for name in names:
                rank = (name.startswith("Tensor."), len(name))
                if name.endswith("." + op) and (op not in found or rank < found[op][0]):
                    found[op] = (rank, name)
    return {op: name for op, (_, name) in found.items()}


def returned(text):
    kind = text.replace("MC_API", "").replace("const", "").strip()
    return {"mc_tensor *": "tensor", "void": "", "int64_t": "int"}.get(kind, kind)


def names_of(text):
    """[(heading, [(name, signature, returns, comment)])], in the order of the header."""
    flat, options, headings = joined(text), structs(text), [("everything", [])]
    ops = {m[2]: m for m in re.finditer(r"^\s*MC_API (.*?)\b(mc_\w+)\((.*?)\);", flat, re.M)}
    pattern = (r"^/\* ---- (?P<title>.*?) -+ \*/"
               r"|^#define (?P<macro>mc_(?!op_)[a-z0-9_]+)\([^)]*\)(?P<body>.*)"
               r"|^MC_API .*?\b(?P<function>mc_(?!op_)[a-z0-9_]+)\(")
    seen = set()
    for match in re.finditer(pattern, flat, re.M):
        if match["title"]:
            headings.append((match["title"], []))
            continue
        name = match["macro"] or match["function"]
        body = match["body"] or ""
        called = re.search(r"\bmc_op_\w+", body)
        op = ops.get(called[0] if called else "") or ops.get("mc_op_" + name[3:]) or ops.get(name)
        if not op or name in seen:
            continue
        seen.add(name)
        comment = comment_of(flat, match.start())
        signature = f"{name}({of_function(arguments(op[3], options, body), name)})"
        headings[-1][1].append((name, signature, returned(op[1]), comment))
    return [(title, names) for title, names in headings if names]


def members(body):
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    named = [" ".join(m.split()) for m in body.split(";") if m.strip() and not m.endswith("*made")]
    opaque = "{" in body or (len(named) == 1 and named[0].startswith("uint64_t "))
    return "" if opaque else ", ".join(f"`{m}`" for m in named)


def constants(body):
    """Each with its comment; not those that only count or end them."""
    shown = []
    for name, comment in re.findall(r"\b(MC_\w+)(?: = \w+)?,?(?:\s*/\* (.*?) \*/)?", body, re.S):
        if not re.search(r"_(COUNT|LAST)$", name):
            shown.append(f"`{name}`" + (f" ({comment})" if comment else ""))
    return ", ".join(shown)


def words_of(text):
    """[(name, what it is, what it consists of, comment)]: types, constants and macros."""
    found, seen, above = [], set(), ""
    pattern = (r"^typedef (?P<kind>enum|struct) (?P<type>mc_\w+)(?: \{(?P<body>.*?)\} \w+| \w+);"
               r"|^typedef (?P<result>[\w ]+)\(\*(?P<function>mc_\w+)\)\((?P<takes>.*?)\);"
               r"|^#define (?P<macro>(?:MC_\w+|mc_shape|mc_dims|mc_params\w*)(?:\([^)]*\))?)")
    for match in re.finditer(pattern, text, re.M | re.S):
        shown = (match["type"] or match["function"] or match["macro"]).replace("(...)", "(…)")
        name = re.match(r"\w+", shown)[0]
        comment, body = comment_of(text, match.start()) or above, match["body"]
        above = ""  # a comment above what is not listed is about what follows that
        if name in seen or re.fullmatch(INTERNAL, name):
            above = comment if match["macro"] else ""
            continue
        seen.add(name)
        if match["kind"] == "enum":
            found.append((shown, "enum", constants(body), comment))
        elif match["kind"]:
            found.append((shown, "struct", members(body) if body else "", comment))
        elif match["function"]:
            takes = " ".join(match["takes"].split())
            found.append((shown, "function", f"`{match['result'].strip()} (*)({takes})`", comment))
        else:
            found.append((shown, "macro", "", comment))
    return found


def word_table(text):
    lines = ["### Types, constants and macros", "", "| | | constants, members | |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {kind} | {parts} | {comment} |"
              for name, kind, parts, comment in words_of(text)]
    return [*lines, ""] if len(lines) > 4 else []


def table(text, pack):
    torch, lines = torch_names(pack), word_table(text)
    for title, names in names_of(text):
        lines += [f"### {title[0].upper()}{title[1:]}", "", "| | returns | PyTorch | |", "|---|---|---|---|"]
        for name, signature, result, comment in names:
            counterpart = torch.get(name[3:], "")
            comment = comment.replace("|", "\\|")
            lines.append(f"| `{signature}` | {result} | {f'`{counterpart}`' if counterpart else ''} "
                         f"| {comment} |")
        lines.append("")
    return lines
