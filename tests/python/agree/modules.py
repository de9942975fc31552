"""Modules in random programs: classes, members of the library, and what is done with them (see generate.py). Every
module maps (4, 8) to (4, 8)."""
import blocks

B, D = 4, 8
LIBRARY = ["nn.Linear(8, 8)", "nn.Linear(8, 8, bias=False)", "nn.LayerNorm(8)", "nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))",
           "nn.BatchNorm1d(8)", "nn.Dropout(0.1)", "nn.GELU()", "nn.Identity()", "nn.Linear(8, 8, dtype=torch.float64)",
           "nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8))", "nn.Linear(in_features=8, out_features=8)", "nn.PReLU()"]
CASTS = ["half()", "double()", "bfloat16()", "float()", "to(torch.float64)", "to(torch.bfloat16)", "to(dtype=torch.float16)",
         "type(torch.float64)"]


class Model:
    def __init__(self, name, members):
        self.name, self.members = name, members  # members: texts such as ".fc.weight"


def define(p):
    name = f"{p.pick('Net', 'Block', 'Head', 'Encoder', 'MLP')}{len(p.classes)}"
    kept = p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes
    p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes = [], [], 2, "forward", "x.device", [], []
    setup, members, uses = ["super().__init__()" if p.chance(0.8) else f"super({name}, self).__init__()"], [], []
    for k in range(p.pick(1, 2, 2, 3, 4)):
        add_member(p, k, setup, members, uses)
    x = blocks.Var(p, "x")
    p.vars.append(x)
    p.r.shuffle(uses)
    prologue(p)
    for use in uses:
        use(p)
        if p.chance(0.3):
            p.reveal("x")
        if p.chance(0.25):
            blocks.step(p)
    if p.chance(0.3):
        p.emit(p.pick("return x.to(dtype)", "return x.to(dtype)")) if any("dtype = x.dtype" in l for l in p.lines) else p.emit("return x")
    else:
        p.emit("return x")
    body = p.lines
    p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes = kept
    args = p.pick("", "", ", scale=0.5", ", depth=2", ", *, eps=1e-5")
    text = ["", f"class {name}(nn.Module):"]
    if p.chance(0.1):
        text += ["    kind = 'plain'", ""]
    text += [f"    def __init__(self{args}):"] + ["        " + s for s in setup] + ["", "    def forward(self, x):"] + body
    if p.chance(0.3) and any(".weight" in m for m in members):
        w = next(m for m in members if ".weight" in m)
        text += ["", "    @property", "    def dtype(self):", f"        return self{w}.dtype"]
    p.top += text + [""]
    p.classes.append(Model(name, members))


def prologue(p):
    if p.chance(0.25):
        p.emit("dtype = x.dtype")
        if p.chance(0.3):
            p.emit("x = x.float()")


def add_member(p, k, setup, members, uses):
    kind = p.pick("layer", "layer", "layer", "parameter", "buffer", "list", "sequential", "block", "plain", "attention", "gru", "conv",
                  "embedding", "dict", "position")
    own = p.classes[-1] if p.classes else None
    n = f"{p.pick('fc', 'layer', 'proj')}{k}"
    if kind == "block" and own:
        setup.append(f"self.{n} = {own.name}()")
        members += [f".{n}{m}" for m in own.members]
        uses.append(lambda p: p.emit(f"x = {p.pick('x + ', '')}self.{n}(x)"))
    elif kind == "parameter":
        setup.append(f"self.{n} = nn.Parameter({p.pick('torch.ones(8)', 'torch.zeros(8)', 'torch.randn(8) * 0.02', 'torch.tensor(1.0)', 'torch.ones(8), requires_grad=False')})")
        members.append(f".{n}")
        uses.append(lambda p: p.emit(p.pick(f"x = x * self.{n}", f"x = x + self.{n}", f"x = x * self.{n}.to(x.dtype)", f"x = x * self.{n}.float()")))
    elif kind == "buffer":
        made = p.pick("torch.ones(8)", "torch.zeros(8)", "torch.arange(8).float()", "torch.arange(8)", "torch.ones(4, 8, dtype=torch.bool)",
                      "torch.tensor(0.5)", "torch.linspace(0, 1, 8)", "torch.full((8,), 2.0)")
        more = p.pick("", "", ", persistent=False")
        setup.append(f'self.register_buffer("{n}", {made}{more})')
        members.append(f".{n}")
        uses.append(lambda p: p.emit(p.pick(f"x = x * self.{n}", f"x = x + self.{n}", f"x = x * self.{n}.to(x.dtype)")))
    elif kind == "plain":
        setup.append(f"self.{n} = {p.pick('torch.ones(8)', '0.5', '2', 'torch.tensor(2.0)')}")
        uses.append(lambda p: p.emit(f"x = x * self.{n}"))
    elif kind == "list":
        count = p.pick("2", "3", "depth") if False else p.pick("2", "3")
        item = own.name + "()" if own and p.chance(0.4) else p.pick("nn.Linear(8, 8)", "nn.Linear(8, 8)", "nn.LayerNorm(8)")
        setup.append(p.pick(f"self.{n} = nn.ModuleList([{item} for _ in range({count})])", f"self.{n} = nn.ModuleList({item} for _ in range({count}))"))
        if item.startswith("nn."):
            members.append(f".{n}[0].weight")

        def run(p):
            p.emit(p.pick(f"for layer in self.{n}:", f"for i, layer in enumerate(self.{n}):", f"for layer in self.{n}[:2]:"))
            p.emit(f"    x = {p.pick('layer(x)', 'x + layer(x)', 'torch.relu(layer(x))', 'F.gelu(layer(x))')}")
        uses.append(run)
    elif kind == "sequential":
        items = [own.name + "()" if own and p.chance(0.3) else p.r.choice(LIBRARY[:8]) for _ in range(p.pick(1, 2, 3))]
        if p.chance(0.3):
            setup.append(f"layers = [{', '.join(items)}]")
            setup.append(f"self.{n} = nn.Sequential(*layers)")
        else:
            setup.append(f"self.{n} = nn.Sequential({', '.join(items)})")
        if items[0].startswith(("nn.Linear", "nn.LayerNorm")):
            members.append(f".{n}[0].weight")
        uses.append(lambda p: p.emit(f"x = self.{n}(x)"))
    elif kind == "attention":
        setup.append(f"self.{n} = nn.MultiheadAttention(8, 2, batch_first=True)")
        members.append(f".{n}.in_proj_weight")
        uses.append(lambda p: p.emit(f"x = self.{n}(x.unsqueeze(0), x.unsqueeze(0), x.unsqueeze(0), need_weights={p.pick('True', 'False')})[0].squeeze(0)"))
    elif kind == "gru":
        setup.append(f"self.{n} = nn.{p.pick('GRU', 'LSTM', 'RNN')}(8, 8, batch_first=True)")
        members.append(f".{n}.weight_ih_l0")

        def run(p):
            if p.chance(0.5):
                p.emit(f"x, _ = self.{n}(x.unsqueeze(0))")
                p.emit("x = x.squeeze(0)")
            else:
                p.emit(f"x = self.{n}(x.unsqueeze(0))[0][0]")
        uses.append(run)
    elif kind == "conv":
        setup.append(f"self.{n} = nn.Conv1d(1, 1, 3, padding=1{p.pick('', ', bias=False')})")
        members.append(f".{n}.weight")
        uses.append(lambda p: p.emit(f"x = self.{n}(x.unsqueeze(1)).squeeze(1)"))
    elif kind in ("embedding", "position"):
        setup.append(f"self.{n} = nn.Embedding(8, 8)")
        members.append(f".{n}.weight")
        uses.append(lambda p: p.emit(p.pick(f"x = x + self.{n}(torch.arange(4, device=x.device))", f"x = x + self.{n}.weight[:4]",
                                            f"x = x + self.{n}(x.argmax(-1))")))
    elif kind == "dict":
        setup.append(f'self.{n} = nn.ModuleDict({{"a": nn.Linear(8, 8), "b": {p.r.choice(LIBRARY[:5])}}})')
        members.append(f'.{n}["a"].weight')
        uses.append(lambda p: p.emit(p.pick(f'x = self.{n}["a"](x)', f'x = self.{n}["b"](self.{n}["a"](x))',
                                            f"for m in self.{n}.values():\n            x = m(x)",
                                            f"for key in self.{n}:\n            x = self.{n}[key](x)")))
    else:
        layer = p.r.choice(LIBRARY[:8])
        setup.append(f"self.{n} = {layer}")
        if "Linear(" in layer and "Sequential" not in layer or "Norm" in layer and "Sequential" not in layer:
            members.append(f".{n}.weight")
        uses.append(lambda p: p.emit(p.pick(f"x = self.{n}(x)", f"x = x + self.{n}(x)", f"x = F.relu(self.{n}(x))",
                                            f"x = self.{n}(x.to(x.dtype))")))
    if kind in ("list", "sequential", "conv") and p.chance(0.05):
        setup.append(f"self.{n}.double()")


# ---- in the program ----

def make(p):
    n = p.name(p.pick("model", "net", "layer"))
    own = p.r.choice(p.classes) if p.classes and p.chance(0.7) else None
    made = own.name + "()" if own else p.r.choice(LIBRARY)
    members = own.members if own else [".weight"] if made.startswith(("nn.Linear", "nn.LayerNorm", "nn.PReLU")) else []
    if p.device and not p.chance(0.04):
        made += p.pick(f".to({p.device})", f".to({p.device})", f".to(device={p.device})")
    p.emit(f"{n} = {made}")
    p.modules.append((n, members, made))
    if p.chance(0.2):
        p.emit(f"{n}.eval()")
    if p.chance(0.35):
        change(p, p.modules[-1])
    return p.modules[-1]


def change(p, m):
    way = p.r.choice(CASTS)
    if p.dtypes and p.chance(0.5):
        way = p.pick(f"to({p.dtypes[0]})", f"to(dtype={p.dtypes[0]})")
    if p.flags and p.chance(0.4) and p.scope == "main":
        p.emit(f"if {p.r.choice(p.flags)}:")
        p.emit(f"    {p.pick(m[0] + '.' + way, m[0] + ' = ' + m[0] + '.' + way)}")
    else:
        p.emit(p.pick(f"{m[0]}.{way}", f"{m[0]} = {m[0]}.{way}"))
    if m[1]:
        p.reveal(m[0] + p.r.choice(m[1]))


def first_parameter(m):
    return f"next({m[0]}.parameters())"


def has_parameters(m):
    return any("weight" in member for member in m[1]) or any(w in m[2] for w in ("Linear", "Norm", "PReLU"))


def input_of(p, m, v):
    """The text of an input with the module's dtype; mistakes are rare."""
    if p.in_autocast and p.chance(0.7) or not has_parameters(m) or p.chance(0.05):
        return v.name
    like = m[0] + m[1][0] if m[1] and p.chance(0.6) and all(w not in m[1][0] for w in ("nothing",)) else first_parameter(m)
    if like.endswith("]") or not any(w in like for w in ("weight", "next")):
        like = first_parameter(m)
    return v.name + p.pick(f".to({like}.dtype)", f".to({like}.dtype)", f".to({like})", f".type_as({like})")


def use(p):
    m = p.r.choice(p.modules) if p.modules and p.chance(0.75) else None
    if p.scope != "main":
        return blocks.matmul(p)
    if not m:
        if p.indent > p.base:
            return blocks.matmul(p)
        m = make(p)
    kind = p.pick("call", "call", "call", "call", "cast", "train", "state", "copy", "loop", "freeze", "apply", "buffers", "member", "ema",
                  "named", "data", "children")
    v = p.tensor("f", (B, D), test=lambda v: v.home)
    if v.shape != (B, D) or not v.home:
        v = blocks.create(p, "f", (B, D))
    n = m[0]
    if kind == "cast" and p.indent <= p.base:
        change(p, m)
    elif kind == "train" and has_parameters(m) and p.indent <= p.base and not p.no_grad:
        train(p, m, v)
    elif kind == "state" and m[1]:
        s = p.name("state")
        p.emit(p.pick(f"{s} = {n}.state_dict()", f"{s} = {{k: v.clone() for k, v in {n}.state_dict().items()}}",
                      f"{s} = {{k: v.float() for k, v in {n}.state_dict().items()}}", f"{s} = copy.deepcopy({n}.state_dict())"))
        if p.chance(0.5):
            p.emit(p.pick(f"{n}.double()", f"{n}.half()", f"{n}.float()"))
        p.emit(f"{n}.load_state_dict({s})")
        p.reveal(n + p.r.choice(m[1]))
    elif kind == "copy":
        c = p.name("twin")
        p.emit(f"{c} = copy.deepcopy({n})")
        p.modules.append((c, m[1], m[2])) if p.indent <= p.base else None
        if p.chance(0.6):
            p.emit(f"{c}.{p.r.choice(CASTS)}")
        if m[1]:
            p.reveal(p.pick(c, n) + p.r.choice(m[1]))
    elif kind == "loop" and m[1]:
        p.emit(f"for q in {n}.parameters():")
        p.emit(p.pick("    q.data = q.data.double()", "    q.data = q.data.half()", "    q.data.mul_(0.5)", "    reveal_type(q)",
                      "    q.data = q.data.float()", "    reveal_type(q.data)"))
        p.reveal(n + p.r.choice(m[1]))
    elif kind == "freeze":
        p.emit(f"for q in {n}.parameters():")
        p.emit(p.pick("    q.requires_grad = False", "    q.requires_grad_(False)"))
        if m[1]:
            p.reveal(n + p.r.choice(m[1]))
    elif kind == "apply" and m[1]:
        f = p.name("init")
        p.emit(f"def {f}(module):")
        p.emit("    if isinstance(module, nn.Linear):")
        p.emit(p.pick("        nn.init.zeros_(module.weight)", "        module.double()", "        module.float()", "        module.weight.data.normal_()"))
        p.emit(f"{n}.apply({f})")
        p.reveal(n + p.r.choice(m[1]))
    elif kind == "buffers":
        p.emit(f"for b in {n}.buffers():")
        p.emit("    reveal_type(b)" if p.chance(0.3) else "    b.zero_()")
    elif kind == "member" and m[1]:
        w = n + p.r.choice(m[1])
        p.emit(f"reveal_type({w}{p.pick('.data', '.detach()', '.float()', ' * 2', '.to(torch.float64)', '.clone()')})")
    elif kind == "ema" and m[1]:
        c = p.name("ema")
        p.emit(f"{c} = copy.deepcopy({n}){p.pick('', '.float()', '.double()')}")
        p.emit("with torch.no_grad():")
        p.emit(f"    for a, b in zip({c}.parameters(), {n}.parameters()):")
        p.emit(p.pick("        a.mul_(0.9).add_(b, alpha=0.1)", "        a.copy_(b)", "        a.data = a.data * 0.9 + b.data * 0.1",
                      "        a.copy_(a * 0.9 + b.float() * 0.1)"))
        p.reveal(c + p.r.choice(m[1]))
    elif kind == "named" and m[1]:
        p.emit(f"for key, q in {n}.named_parameters():")
        p.emit('    if "bias" in key:')
        p.emit(p.pick("        q.data = q.data.float()", "        q.requires_grad_(False)", "        q.data.zero_()"))
        p.reveal(n + p.r.choice(m[1]))
    elif kind == "children" and m[1]:
        p.emit(f"for child in {n}.{p.pick('children', 'modules')}():")
        p.emit(f"    if isinstance(child, {p.pick('nn.LayerNorm', '(nn.LayerNorm, nn.BatchNorm1d)', 'nn.Linear')}):")
        p.emit(f"        child.{p.pick('float()', 'double()', 'eval()')}")
        p.reveal(n + p.r.choice(m[1]))
    elif kind == "data" and m[1] and any(".weight" in w and "[" not in w for w in m[1]):
        w = n + next(w for w in m[1] if ".weight" in w and "[" not in w)
        p.emit(p.pick(f"{w}.data = {w}.data.double()", f"{w}.data.fill_(0.1)", f"{w}.data = {w}.data.to(torch.float32)",
                      f"{w} = nn.Parameter({w}.detach().half())", f"{w}.requires_grad_(False)"))
        p.reveal(w)
    else:
        p.add(p.new((B, D), "f", None, True, True, fresh=False), f"{n}({input_of(p, m, v)})")


def train(p, m, v):
    opt = p.name("opt")
    n = m[0]
    p.emit(f"{opt} = torch.optim.{p.pick('SGD', 'Adam', 'AdamW')}({n}.parameters(), lr=0.01)")
    scaled = p.cuda and p.device and p.chance(0.2)
    if scaled:
        p.emit(p.pick("scaler = torch.cuda.amp.GradScaler()", 'scaler = torch.amp.GradScaler("cuda")'))
    p.emit(f"for epoch in range({p.pick(1, 2)}):")
    p.indent += 1
    p.emit(p.pick(f"{opt}.zero_grad()", f"{opt}.zero_grad(set_to_none=True)"))
    loss, out = p.name("loss"), p.name("pred")
    if scaled:
        p.emit(f'with torch.autocast("cuda", dtype=torch.float16):')
        p.emit(f"    {out} = {n}({v.name}.detach().float())")
    else:
        p.emit(f"{out} = {n}({input_of(p, m, v)})")
    p.emit(f"{loss} = {p.pick(f'{out}.mean()', f'{out}.float().pow(2).mean()', f'F.mse_loss({out}, torch.zeros_like({out}))', f'{out}.sum()')}")
    p.reveal(loss)
    if scaled:
        p.emit(f"scaler.scale({loss}).backward()")
        if p.chance(0.5):
            p.emit(f"scaler.unscale_({opt})")
            p.emit(f"torch.nn.utils.clip_grad_norm_({n}.parameters(), 1.0)")
        p.emit(f"scaler.step({opt})")
        p.emit("scaler.update()")
    else:
        p.emit(f"{loss}.backward({'retain_graph=True' if v.grad else ''})")
        if m[1] and p.chance(0.4):
            w = n + p.r.choice(m[1])
            p.emit(f"if {w}.grad is not None:")
            p.emit(f"    reveal_type({w}.grad)")
        if p.chance(0.3):
            p.emit(f"torch.nn.utils.clip_grad_norm_({n}.parameters(), 1.0)")
        p.emit(f"{opt}.step()")
    p.indent -= 1
    p.reveal(loss)
    if m[1]:
        p.reveal(n + p.r.choice(m[1]))
