"""What random programs are made of (see generate.py): each function adds a few lines to a program."""
import modules

B, D = 4, 8
BASE = (B, D)
SHAPES = [BASE, BASE, BASE, (D,), (D, D), ()]
CASTS = [".half()", ".float()", ".double()", ".bfloat16()", ".to(torch.float16)", ".to(torch.float64)",
         ".to(dtype=torch.bfloat16)", ".type(torch.float32)", ".to(torch.float32)", ".float()"]
DTYPE_OF = {"half": "float16", "float": "float32", "double": "float64", "bfloat16": "bfloat16"}


def sizes(shape):
    return ", ".join(map(str, shape))


def listed(shape):
    return "(" + "".join(f"{n}, " for n in shape).rstrip() + ")"


# ---- making tensors ----

def create(p, kind="f", shape=None):
    shape = p.r.choice(SHAPES) if shape is None else tuple(shape)
    on = p.on()
    home = p.is_home(on)
    if kind == "i":
        text = p.pick(f"torch.randint(0, {D}, {listed(shape)}{on})", f"torch.zeros({listed(shape)}, dtype=torch.long{on})",
                      f"torch.ones({listed(shape)}, dtype=torch.int64{on})")
        if shape == (D,):
            text = p.pick(text, f"torch.arange({D}{on})", f"torch.tensor([0, 1, 2, 3, 4, 5, 6, 7]{on})")
        return p.add(p.new(shape, "i", "int64", home, hint="idx"), text)
    if kind == "b":
        v = p.find("f", shape)
        if v:
            return p.add(p.new(shape, "b", "bool", v.home, hint="mask"), f"{v.name} {p.pick('>', '<', '>=', '!=')} 0")
        return p.add(p.new(shape, "b", "bool", home, hint="mask"),
                     p.pick(f"torch.ones({listed(shape)}, dtype=torch.bool{on})", f"torch.rand({listed(shape)}{on}) > 0.5"))
    return create_float(p, shape, on, home)


def create_float(p, shape, on, home):
    dtype = p.pick(None, None, None, "float64", "float16", "bfloat16", "float32", "dtype")
    word = "default" if dtype is None else dtype
    if dtype == "dtype":
        dtype = p.r.choice(p.dtypes) if p.dtypes else None
        word = dtype or "default"
    given = f", dtype={dtype if dtype in p.dtypes else 'torch.' + dtype}" if dtype else ""
    like = p.find("f", test=lambda v: v.home)
    ways = [f"torch.{p.pick('randn', 'rand', 'zeros', 'ones', 'randn')}({sizes(shape) or '()'}{given}{on})"] * 4
    ways.append(f"torch.full({listed(shape)}, {p.pick('0.5', '1.0', '2.5')}{given}{on})")
    if p.chance(0.25) and like:
        way = p.pick(f"torch.{p.pick('zeros', 'ones', 'rand', 'randn')}_like({like.name})",
                     f"{like.name}.new_{p.pick('zeros', 'ones')}({sizes(like.shape) or '()'})",
                     f"{like.name}.clone()", f"{like.name}.detach().clone()")
        grad = like.grad and way.endswith(".clone()") and "detach" not in way
        return p.add(p.new(like.shape, "f", like.dtype, like.home, grad), way)
    if p.chance(0.1) and shape:
        made = p.name("a")
        p.emit(f"{made} = np.{p.pick('zeros', 'ones')}({listed(shape)}{p.pick('', '', ', dtype=np.float32')})")
        if p.chance(0.3):
            p.emit(f"{made} = {made} {p.pick('* 2.0', '+ 1', '/ 3')}")
        way = p.pick(f"torch.from_numpy({made})", f"torch.tensor({made})", f"torch.as_tensor({made})",
                     f"torch.from_numpy({made}).float()", f"torch.tensor({made}, dtype=torch.float32)",
                     f"torch.from_numpy({made}.astype(np.float32))")
        if p.device:
            way += f".to({p.device})"
        return p.add(p.new(shape, "f", None, True), way)
    if shape == ():
        ways = [f"torch.tensor({p.pick('0.5', '2.0')}{given}{on})", f"torch.ones((){given}{on})"]
    if shape == (D,) and p.chance(0.4):
        ways = [f"torch.linspace(0, 1, {D}{given}{on})", f"torch.arange({D}, dtype=torch.float32{on})",
                f"torch.arange(0.0, {D}.0{given}{on})",
                f"torch.tensor([1.0, 2, 3, 4, 5, 6, 7, 8]{given}{on})",
                f"torch.tensor([float(i) for i in range({D})]{given}{on})"]
    way = p.r.choice(ways)
    if "arange(8, dtype" in way:
        word = "float32"
    grad = p.chance(0.12) and way.startswith("torch.") and not way.startswith("torch.as")
    if grad:
        way = way[:-1] + ", requires_grad=True)"
    v = p.new(shape, "f", word, home, grad, fresh=not grad)
    if not home and p.chance(0.7) and p.device:
        v.home = True
        way += p.pick(f".to({p.device})", f".to({p.device}, non_blocking=True)", f".to(device={p.device})")
        v.fresh = True
    return p.add(v, way)


# ---- steps ----

def cast(p):
    v = p.tensor("f")
    way = p.r.choice(CASTS)
    word = way.split("torch.")[1].strip(")") if "torch." in way else DTYPE_OF[way.strip(".()")]
    if p.dtypes and p.chance(0.4):
        word = p.r.choice(p.dtypes)
        way = p.pick(f".to({word})", f".to(dtype={word})", f".type({word})")
    elif p.chance(0.25):
        o = p.tensor("f")
        word = o.dtype
        way = p.pick(f".to({o.name}.dtype)", f".type_as({o.name})", f".to(dtype={o.name}.dtype)", f".to({o.name})")
        if not o.home == v.home:
            way = f".to({o.name}.dtype)"
    elif p.device and p.chance(0.3):
        way = p.pick(f".to({p.device}, {p.pick('torch.float32', 'torch.float16')})", f".to(device={p.device})", ".cpu()",
                     f".to({p.device})")
        word = way.split("torch.")[1].strip(")") if "torch." in way else v.dtype
        n = p.new(v.shape, "f", word, way != ".cpu()", v.grad, fresh=False)
        return p.add(n, v.name + way)
    if p.chance(0.3):  # the same name
        p.emit(f"{v.name} = {v.name}{way}")
        v.dtype, v.fresh = word, False
        return p.reveal(v.name) if p.chance(0.4) else None
    p.add(p.new(v.shape, "f", word, v.home, v.grad, fresh=False), v.name + way)


UNARY = ["{x}.exp()", "torch.tanh({x})", "F.relu({x})", "F.gelu({x})", "{x}.sigmoid()", "torch.sqrt({x}.abs())", "-{x}",
         "{x}.abs()", "{x}.clamp(-1, 1)", "{x} ** 2", "{x}.pow(2)", "torch.sin({x})", "torch.log({x}.abs() + 1e-6)",
         "F.dropout({x}, 0.1)", "{x}.square()", "{x}.neg()", "F.silu({x})", "torch.clamp({x}, min=0.0)",
         "torch.nan_to_num({x})", "{x}.relu()", "{x}.round()", "torch.sign({x})", "F.leaky_relu({x}, 0.1)", "{x}.rsqrt()",
         "F.softplus({x})", "torch.erf({x})", "{x}.cos()", "1 / ({x} + 2)", "{x}.log1p()", "F.elu({x})", "{x}.floor()",
         "{x}.reciprocal()", "torch.exp(-{x})", "F.hardtanh({x})", "{x}.tanh().detach()", "{x}.expm1()"]
LAST = ["F.softmax({x}, dim=-1)", "{x}.softmax(-1)", "F.log_softmax({x}, dim=-1)", "F.normalize({x}, dim=-1)",
        "F.layer_norm({x}, ({x}.shape[-1],))", "{x}.cumsum(-1)", "{x}.cumsum(dim=0)", "torch.flip({x}, [0])"]
SCALARS = ["{x} + 1", "{x} * 0.5", "{x} / 2", "2 - {x}", "{x} - 0.1", "{x} * math.sqrt(2)", "{x} / {x}.shape[-1]",
           "3.0 * {x}", "{x} + True", "{x} * {x}.numel()", "{x} * float(2)", "{x} / math.sqrt(8)", "{x} % 3", "{x} // 2"]
INT_SCALARS = ["{x} + 1", "{x} * 2", "{x} * 0.5", "{x} / 2", "{x} // 2", "{x} % 3", "-{x}", "{x}.float()", "{x} - 1.0",
               "{x}.to(torch.int32)", "{x}.abs()", "{x}.int()", "{x} ** 2", "{x} & 1", "torch.sqrt({x}.abs())", "{x}.exp()",
               "{x}.double()", "1 - {x}", "{x}.sigmoid()"]


def unary(p):
    v = p.tensor("f")
    forms = UNARY + SCALARS + (LAST if v.shape else [])
    text = p.r.choice(forms).format(x=v.name)
    p.add(p.new(v.shape, "f", v.dtype if not p.in_autocast else None, v.home, v.grad and "detach" not in text), text)


def integer(p):
    v = p.tensor("i")
    text = p.r.choice(INT_SCALARS).format(x=v.name)
    is_float = any(w in text for w in ("0.5", "/ 2", "1.0", "float", "sqrt", "exp", "double", "sigmoid")) and "//" not in text
    kind, word = ("f", None) if is_float else ("j", None) if "int" in text else ("i", "int64")
    p.add(p.new(v.shape, kind, word, v.home), text)


def reduce(p):
    v = p.tensor("f", BASE)
    text, shape, kind = p.pick(
        ("{x}.mean()", (), "f"), ("{x}.sum()", (), "f"), ("{x}.sum(-1)", (B,), "f"), ("{x}.mean(dim=0)", (D,), "f"),
        ("{x}.max()", (), "f"), ("{x}.max(-1)[0]", (B,), "f"), ("{x}.max(dim=-1).values", (B,), "f"),
        ("{x}.argmax(-1)", (B,), "i"), ("{x}.norm()", (), "f"), ("{x}.std()", (), "f"), ("{x}.var(dim=0)", (D,), "f"),
        ("torch.logsumexp({x}, dim=-1)", (B,), "f"), ("{x}.sum(0, keepdim=True)", (1, D), "f"),
        ("torch.mean({x}, dim=-1, keepdim=True)", (B, 1), "f"), ("{x}.amax(-1)", (B,), "f"), ("{x}.prod()", (), "f"),
        ("({x} > 0).sum()", (), "i"), ("({x} > 0).float().mean()", (), "f"), ("{x}.isnan().any()", (), "b"),
        ("torch.sum({x}, dtype=torch.float64)", (), "f"), ("{x}.min(dim=1)[1]", (B,), "i"), ("{x}.topk(3, dim=-1)[0]", (B, 3), "f"),
        ("{x}.sort(dim=-1)[1]", BASE, "i"), ("torch.topk({x}, 2)[1]", (B, 2), "i"), ("{x}.argsort(-1)", BASE, "i"),
        ("torch.linalg.norm({x})", (), "f"), ("{x}.median()", (), "f"), ("torch.count_nonzero({x})", (), "i"))
    same = v.dtype if not p.in_autocast and "float" not in text else None
    p.add(p.new(shape, kind, {"f": same, "i": "int64", "b": "bool"}[kind], v.home, v.grad and kind == "f"), text.format(x=v.name))


def together(p, a, b):
    """Whether the two can be operands of one operation; mistakes are rare."""
    return a.home == b.home or () in (a.shape, b.shape) and p.chance(0.5) or p.chance(0.02)


def binary(p):
    a = p.tensor("f")
    b = p.find("fib", test=lambda v: v.home == a.home and
               (v.shape == a.shape or v.shape in ((), (D,), (1, D)) and a.shape == BASE or v.shape == ()))
    if not b or not together(p, a, b):
        b = a
    x, y = (a, b) if p.chance(0.7) or b.kind == "b" else (b, a)
    text = p.pick("{x} + {y}", "{x} * {y}", "{x} - {y}", "{x} / ({y} + 2)", "torch.add({x}, {y}, alpha=2)", "torch.mul({x}, {y})",
                  "{x}.add({y})", "torch.maximum({x}, {y})", "torch.div({x}, 2 + {y})", "{x}.mul({y})", "torch.sub({x}, {y})",
                  "torch.where({x} > 0, {x}, {y})", "torch.atan2({x}, {y})", "torch.pow({x}.abs() + 1, {y})", "torch.minimum({x}, {y})",
                  "torch.fmod({x}, {y} + 2)", "torch.hypot({x}, {y})", "({x} + {y}) * 0.5", "{x} + {y} * 2")
    if "b" in (a.kind, b.kind):
        text = p.pick("{x} * {y}", "{x} + {y}", "torch.where({y}, {x}, {x} * 0.5)", "{x}.masked_fill({y}, 0.0)",
                      "{x}.masked_fill(~{y}, -1e4)", "torch.where({y}, {x}, torch.zeros_like({x}))", "{x} * {y}.float()")
    if "i" in (a.kind, b.kind) and ("atan2" in text or "hypot" in text):
        text = "{x} * {y}"
    same = a.dtype if a.dtype == b.dtype and not p.in_autocast else None
    p.add(p.new(a.shape if len(a.shape) >= len(b.shape) else b.shape, "f", same, a.home and b.home, a.grad or b.grad),
          text.format(x=x.name, y=y.name))


def compare(p):
    a = p.tensor("f")
    b = p.find("fi", a.shape, test=lambda v: v.home == a.home)
    text = p.pick("{x} > 0", "{x} <= 0.5", "{x} == {y}", "{x} < {y}", "({x} > 0) & ({y} < 1)", "torch.isfinite({x})",
                  "~({x} > 0)", "torch.eq({x}, {y})", "{x}.gt(0)", "({x} != 0).logical_or({y} > 0)", "{x}.isnan()", "{x}.bool()")
    p.add(p.new(a.shape, "b", "bool", a.home, hint="mask"), text.format(x=a.name, y=(b or a).name))


def same_dtype(p, v, other):
    """The text of v with the dtype of the other, as people see to it; mistakes are rare."""
    if v.dtype and v.dtype == other.dtype and not p.chance(0.05):
        return v.name
    if p.chance(0.03):
        return v.name
    return v.name + p.pick(f".to({other.name}.dtype)", f".type_as({other.name})", f".to(dtype={other.name}.dtype)")


def matmul(p):
    a = p.tensor("f", BASE)
    w = p.find("f", (D, D), test=lambda v: v.home == a.home)
    if not w:
        on = f", device={a.name}.device" if not a.home or p.chance(0.3) else p.on()
        w = p.new((D, D), "f", a.dtype, a.home, hint="w")
        p.add(w, p.pick(f"torch.randn({D}, {D}, dtype={a.name}.dtype{on})", f"torch.eye({D}, dtype={a.name}.dtype{on})",
                        f"torch.zeros({D}, {D}{on}).to({a.name}.dtype)"))
    x = same_dtype(p, w, a)
    text, shape = p.pick(("{a} @ {w}", BASE), ("torch.matmul({a}, {w})", BASE), ("F.linear({a}, {w})", BASE), ("{a}.mm({w})", BASE),
                         ("{a}.matmul({w}.t())", BASE), ("torch.einsum('bi,ij->bj', {a}, {w})", BASE),
                         ("torch.bmm({a}.unsqueeze(0), {w}.unsqueeze(0)).squeeze(0)", BASE),
                         ("torch.addmm({a}, {a}, {w})", BASE), ("{a} @ {w} + 1", BASE))
    p.add(p.new(shape, "f", a.dtype if not p.in_autocast else None, a.home, a.grad or w.grad), text.format(a=a.name, w=x))


VIEWS = [("{x}[0]", (D,)), ("{x}[:, 1:3]", (B, 2)), ("{x}.view(-1)", (B * D,)), ("{x}.reshape(8, 4)", (D, B)), ("{x}.t()", (D, B)),
         ("{x}.T", (D, B)), ("{x}.transpose(0, 1)", (D, B)), ("{x}.unsqueeze(0)", (1, B, D)), ("{x}.flatten()", (B * D,)),
         ("{x}[..., :4]", (B, 4)), ("{x}.permute(1, 0)", (D, B)), ("{x}.chunk(2, dim=-1)[0]", (B, 4)), ("{x}.contiguous()", BASE),
         ("{x}[:, 0]", (B,)), ("{x}[-1]", (D,)), ("{x}.repeat(1, 1)", BASE), ("{x}.clone()", BASE), ("{x}.detach()", BASE),
         ("{x}[None]", (1, B, D)), ("{x}.squeeze()", BASE), ("{x}.expand(4, 8)", BASE), ("torch.cat([{x}, {x}], dim=0)[:4]", BASE),
         ("torch.stack([{x}, {x}])[1]", BASE), ("{x}[1:]", (3, D)), ("{x}.narrow(0, 0, 2)", (2, D)), ("{x}.index_select(0, "
          "torch.tensor([0, 1, 2, 3], device={x}.device))", BASE), ("{x}[torch.arange(4, device={x}.device)]", BASE),
         ("{x}.roll(1, 0)", BASE), ("torch.tril({x})", BASE), ("{x}.view(2, 2, 8).mean(0)", (2, D)), ("{x}.view_as({x})", BASE)]


def view(p):
    v = p.tensor("f", BASE)
    text, shape = p.r.choice(VIEWS)
    if not v.shape == BASE:
        text, shape = "{x}.clone()", v.shape
    own = text.endswith(("clone()", "repeat(1, 1)", "mean(0)")) or "cat" in text or "stack" in text
    p.add(p.new(shape, "f", v.dtype, v.home, v.grad and "detach" not in text, fresh=own), text.format(x=v.name))


def inplace(p):
    v = p.find("f", test=lambda v: v.fresh and not v.grad)
    if not v:
        return create(p)
    o = p.find("f", v.shape, test=lambda w: w.home == v.home and not w.grad) or v
    forms = ["{x} += 1", "{x} *= 0.5", "{x}.add_({y})", "{x}.mul_(0.5)", "{x}.zero_()", "{x}.fill_(1.0)", "{x}.copy_({y})",
             "{x}.clamp_(min=0)", "{x} -= {y}", "{x}.normal_()", "{x}.div_(2)", "{x}.sub_({y}, alpha=0.1)", "{x}.relu_()",
             "{x}.uniform_(-1, 1)", "{x}.lerp_({y}, 0.5)" if o.dtype == v.dtype and o.dtype else "{x} /= 2", "{x}.exp_()"]
    if v.shape == BASE:
        forms += ["{x}[0] = 1", "{x}[:, 0] = 0.5", "{x}[{x} > 0] = 0", "{x}[1] = {y}[0]", "{x}[:2].mul_(2)", "{x}[..., 1:] *= 2",
                  "{x}.masked_fill_({x} < 0, 0)", "{x}[:, 1:3] = {y}[:, 3:5]", "{x}.t().add_(1)", "{x}[2] += {y}[1]"]
    p.emit(p.r.choice(forms).format(x=v.name, y=o.name))
    if p.chance(0.5):
        p.reveal(v.name)


def loss(p):
    a = p.tensor("f", BASE)
    b = p.find("f", BASE, test=lambda v: v.home == a.home and v.dtype == a.dtype and v.dtype) or a
    if p.chance(0.4):
        on = f", device={a.name}.device"
        t = p.add(p.new((B,), "i", "int64", a.home, hint="labels"), f"torch.randint(0, {D}, ({B},){on})")
        text = p.pick("F.cross_entropy({a}, {t})", "F.nll_loss(F.log_softmax({a}, dim=-1), {t})", "nn.CrossEntropyLoss()({a}, {t})",
                      "F.cross_entropy({a}.float(), {t})", "F.one_hot({t}, 8).float().mean()", "F.embedding({t}, {a}.t()).mean()")
        text = text.format(a=a.name, t=t.name)
    else:
        text = p.pick("F.mse_loss({a}, {b})", "nn.MSELoss()({a}, {b})", "F.l1_loss({a}, {b})", "F.smooth_l1_loss({a}, {b})",
                      "(({a} - {b}) ** 2).mean()", "F.binary_cross_entropy_with_logits({a}, {b}.sigmoid())",
                      "F.cosine_similarity({a}, {b}).mean()", "F.kl_div(F.log_softmax({a}, -1), F.softmax({b}, -1))")
        text = text.format(a=a.name, b=b.name)
    p.add(p.new((), "f", None, a.home, a.grad or b.grad, hint="loss"), text)


# ---- control ----

def branch(p):
    test = p.r.choice(p.flags) if p.flags and p.chance(0.75) else None
    v = p.tensor("f")
    if p.scope != "main" or not test:
        v = p.tensor("f")
        test = p.pick("{x}.dtype == torch.float16", "{x}.dtype in (torch.float16, torch.bfloat16)", "{x}.is_floating_point()",
                      "{x}.dtype != torch.float32", "{x}.is_cuda", '{x}.device.type == "cpu"', "{x}.dim() == 2",
                      "isinstance({x}, torch.Tensor)", "not {x}.dtype == torch.float64", "{x}.requires_grad").format(x=v.name)
    p.emit(f"if {test}:")
    if p.chance(0.6):
        p.emit(f"    {v.name} = {v.name}{p.r.choice(CASTS + ['.clone()', '.detach()', ' * 2'])}")
        v.fresh, v.dtype = False, None
    else:
        p.body(p.pick(1, 2))
    if p.chance(0.35):
        p.emit("else:")
        p.emit(f"    {v.name} = {v.name}{p.r.choice(CASTS + ['.clone()', ' + 1'])}")
        v.fresh, v.dtype = False, None
    p.reveal(v.name)


def loop(p):
    if p.in_loop > 1:
        return unary(p)
    p.in_loop += 1
    v = p.tensor("f")
    i = p.name("i")
    head = p.pick(f"for {i} in range({p.pick(1, 2, 3)}):", f"for {i}, _ in enumerate([1.0, 2.0]):", f"for {i} in (1, 2):")
    if p.chance(0.4):  # a sum
        acc = p.new(v.shape, "f", None, v.home, hint="total")
        p.emit(f"{acc.name} = {p.pick('0', '0.0', f'torch.zeros_like({v.name})', '0')}")
        p.emit(head)
        p.emit(f"    {acc.name} = {acc.name} + {v.name}{p.pick('', ' * 2', '.float()', f' * {i}', '.double()')}")
        acc.grad = v.grad
        p.vars.append(acc)
        p.reveal(acc.name)
    elif p.chance(0.4):
        p.emit(head)
        p.emit(f"    {v.name} = {v.name}{p.pick(' * 0.5', '.tanh()', '.float()', ' + 1', f' * {i}', '.double()', '.relu()')}")
        v.dtype, v.fresh = None, False
        p.reveal(v.name)
    else:
        p.emit(head)
        p.body(p.pick(1, 2, 3))
    p.in_loop -= 1


def region(p):
    kind = p.pick("autocast", "autocast", "no_grad", "inference", "enabled")
    if p.in_autocast and kind == "autocast":
        kind = "no_grad"
    if kind == "autocast":
        low = p.pick("bfloat16", "bfloat16", "float16")
        flag = f", enabled={p.r.choice(p.flags)}" if p.flags and p.scope == "main" and p.chance(0.4) else ""
        if flag and not flag.startswith(", enabled=args.") or " " in flag[10:]:
            flag = flag.replace("enabled=", "enabled=bool(") + ")" if flag else ""
        if p.device and p.cuda:
            head = p.pick(f'torch.autocast("cuda", dtype=torch.{low}{flag})', f'torch.autocast(device_type="cuda"{flag})',
                          f'torch.autocast("cuda"{flag})', f'torch.amp.autocast("cuda", dtype=torch.{low}{flag})',
                          f'torch.autocast("cpu", dtype=torch.bfloat16{flag})', f"torch.cuda.amp.autocast({flag[2:]})")
        else:
            head = p.pick(f'torch.autocast("cpu", dtype=torch.bfloat16{flag})', f'torch.autocast(device_type="cpu"{flag})',
                          f"torch.cpu.amp.autocast({flag[2:]})")
        p.in_autocast += 1
    else:
        head = {"no_grad": "torch.no_grad()", "inference": "torch.no_grad()", "enabled": "torch.enable_grad()"}[kind]
        if kind != "enabled":
            p.no_grad += 1
    p.emit(f"with {head}:")
    inner = []
    p.indent += 1
    before = list(p.vars)
    start = len(p.lines)
    for _ in range(p.pick(2, 3, 4)):
        if p.in_autocast and p.chance(0.5):
            p.r.choice([matmul, binary, unary, loss, use_module, reduce])(p)
        else:
            step(p)
    if len(p.lines) == start:
        p.emit("pass")
    p.indent -= 1
    inner = [v for v in p.vars if v not in before]
    if kind == "autocast":
        p.in_autocast -= 1
        for v in p.vars:
            if v.kind == "f" and v in inner:
                v.dtype = None
    elif kind != "enabled":
        p.no_grad -= 1
    if inner and p.chance(0.6):
        v = p.r.choice(inner)
        p.reveal(p.pick(f"{v.name}", f"{v.name} * 1"))


def attempt(p):
    v = p.tensor("f", BASE)
    n = p.new(BASE, "f", None, v.home, v.grad)
    kind = p.pick("matmul", "value", "key")
    p.emit("try:")
    if kind == "matmul":
        p.emit(f"    {n.name} = {v.name} @ torch.zeros({D}, {D}, dtype=torch.{p.pick('float32', 'float64')}, device={v.name}.device)")
        p.emit(f"except {p.pick('RuntimeError', 'Exception', '(RuntimeError, ValueError)', 'RuntimeError as e')}:")
        p.emit(f"    {n.name} = {v.name}.double()")
    elif kind == "value":
        p.emit(f"    {n.name} = {v.name} * int('{p.pick('2', 'x')}')")
        p.emit("except ValueError:")
        p.emit(f"    {n.name} = {v.name} * 2")
    else:
        p.emit(f"    {n.name} = {{'a': {v.name}}}['{p.pick('a', 'b')}']")
        p.emit("except KeyError:")
        p.emit(f"    {n.name} = {v.name}.half()")
    if p.chance(0.3):
        p.emit("finally:")
        p.emit("    pass")
    n.fresh = False
    p.vars.append(n)
    p.reveal(n.name)


# ---- containers, functions ----

def container(p):
    a = p.tensor("f", BASE)
    b = p.find("f", BASE, test=lambda v: v.home == a.home) or a
    c = p.name(p.pick("items", "parts", "state", "batch"))
    kind = p.pick("list", "dict", "tuple", "comprehension", "dict comprehension", "append", "zip", "sum", "split", "unbind", "sorted",
                  "nested", "star", "map")
    n = p.new(BASE, "f", None, a.home, a.grad or b.grad, fresh=False)
    if kind == "list":
        p.emit(f"{c} = [{a.name}, {b.name}{p.r.choice(CASTS)}]")
        text = f"{c}[{p.pick('0', '1', '-1')}]"
    elif kind == "dict":
        p.emit(f'{c} = {{"x": {a.name}, "y": {b.name}}}')
        p.emit(p.pick(f'{c}["y"] = {c}["y"].double()', f'{c}["z"] = {c}["x"] + 1', f'{c}.update(y={a.name}.half())',
                      f'for k, v in {c}.items():\n{"    " * p.indent}    {c}[k] = v.float()', f'{c} = dict({c}, x={b.name}.float())'))
        text = p.pick(f'{c}["x"]', f'{c}["y"]', f'{c}.get("x")', f'{c}.pop("y")')
    elif kind == "tuple":
        p.emit(f"{c}, {c}_ = {a.name}{p.r.choice(CASTS)}, {b.name}")
        text = p.pick(c, c + "_")
    elif kind == "comprehension":
        p.emit(f"{c} = [{p.pick('v.float()', 'v * 2', 'v.half()', 'v.detach()', 'v')} for v in ({a.name}, {b.name})]")
        text = p.pick(f"{c}[0]", f"torch.stack({c})[0]", f"sum({c})", f"torch.cat({c})[:4]", f"{c}[1] + {c}[0]")
    elif kind == "dict comprehension":
        p.emit(f'{c} = {{k: v{p.r.choice(CASTS)} for k, v in {{"a": {a.name}, "b": {b.name}}}.items()}}')
        text = p.pick(f'{c}["a"]', f'{c}["b"]', f"list({c}.values())[0]")
    elif kind == "append":
        p.emit(f"{c} = []")
        p.emit(f"for i in range({p.pick(2, 3)}):")
        p.emit(f"    {c}.append({a.name}{p.pick(' * i', '.float()', '', ' + i')})")
        text = p.pick(f"torch.stack({c}).mean(0)", f"{c}[-1]", f"torch.cat({c}, dim=0)[:4]", f"{c}[0]", f"sum({c}) / len({c})")
    elif kind == "zip":
        p.emit(f"{c} = {a.name}")
        p.emit(f"for u, v in zip([{a.name}, {b.name}], [1.0, 2.0]):")
        p.emit(f"    {c} = {c} + u * v")
        text = c
    elif kind == "sum":
        text = f"sum([{a.name}, {b.name}])"
    elif kind == "split":
        text, n.shape = p.pick(f"{a.name}.split(4, dim=-1)[1]", f"torch.chunk({a.name}, 2, dim=1)[0]"), (B, 4)
        if p.chance(0.5):
            p.emit(f"{c}, {c}_ = {a.name}.chunk(2, dim=-1)")
            text = p.pick(f"{c} * {c}_", c, f"torch.cat([{c}, {c}_[:, :0]], dim=-1)")
    elif kind == "unbind":
        text, n.shape = p.pick(f"{a.name}.unbind(0)[1]", f"torch.stack([r * 2 for r in {a.name}])[0]", f"[r for r in {a.name}][2]"), (D,)
    elif kind == "sorted":
        p.emit(f'{c} = {{"b": {a.name}, "a": {b.name}.float()}}')
        p.emit(f"for k in sorted({c}):")
        p.emit(f"    reveal_type({c}[k])")
        text = f'{c}[{p.pick(chr(34) + "a" + chr(34), chr(34) + "b" + chr(34))}]'
    elif kind == "nested":
        p.emit(f'{c} = {{"in": [{a.name}, {b.name}], "n": 2}}')
        text = p.pick(f'{c}["in"][0]', f'{c}["in"][1] * {c}["n"]', f'{c}["in"][-1]')
    elif kind == "star":
        p.emit(f"{c}, *{c}_rest = [{a.name}, {b.name}, {a.name}.double()]")
        text = p.pick(c, f"{c}_rest[-1]", f"{c}_rest[0]")
    else:
        p.emit(f"{c} = list(map(lambda v: v{p.r.choice(CASTS)}, [{a.name}, {b.name}]))")
        text = p.pick(f"{c}[0]", f"{c}[1]")
    p.add(n, text)


def number(p):
    a = p.tensor("f", BASE)
    kind = p.pick("item", "finfo", "len", "promote", "default", "result", "shape", "wrapped", "numpy", "like", "eps", "ternary", "and")
    n = p.new(BASE, "f", None, a.home, a.grad, fresh=False)
    text = {
        "item": f"{a.name} * {p.pick('{x}.mean().item()', '{x}.sum().item()', 'float({x}.max())', '{x}.shape[0]')}",
        "finfo": "{x}.masked_fill({x} > 0, torch.finfo({x}.dtype).min)",
        "len": "{x} / len({x})",
        "promote": "{x}.to(torch.promote_types({x}.dtype, torch.float32))",
        "default": "{x}.to(torch.get_default_dtype())",
        "result": "torch.zeros(4, 8, dtype=torch.result_type({x}, 1.0), device={x}.device) + {x}",
        "shape": "torch.zeros({x}.shape, dtype={x}.dtype, device={x}.device)",
        "wrapped": p.pick("{x} * torch.tensor(2.0)", "{x} + torch.tensor(1)", "{x} * torch.tensor(0.5, dtype=torch.float64)",
                          "torch.tensor(2.0) - {x}", "torch.tensor([0.5], device={x}.device) * {x}"),
        "numpy": "torch.from_numpy({x}.detach().cpu().float().numpy() * 2).to({x}.device)",
        "like": "torch.full_like({x}, 0.5, dtype=torch.float32) + {x}",
        "eps": "{x} / ({x}.norm(dim=-1, keepdim=True) + 1e-6)",
        "ternary": "{x}.float() if {x}.dtype == torch.float16 else {x}",
        "and": "{x} if {x} is not None else torch.zeros(4, 8)",
    }[kind].replace("{x}", a.name)
    p.add(n, text)


def define_function(p):
    """A function of one (4, 8) tensor, and of options that have defaults."""
    kept = p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes
    name = p.name(p.pick("scale", "prepare", "mix", "norm", "helper"))
    p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes = [], [], 1, "function", "x.device", [], []
    kind = p.pick("plain", "dtype", "factor", "kwargs", "closure", "decorated", "two", "flag")
    args = {"plain": "x", "dtype": "x, dtype=None", "factor": "x, factor=0.5", "kwargs": "x, **kwargs", "closure": "x", "decorated": "x",
            "two": "x, other=None", "flag": "x, cast=False"}[kind]
    calls = {"plain": ["{x}"], "dtype": ["{x}", "{x}, torch.float32", "{x}, dtype=torch.float64", "{x}, {x}.dtype"],
             "factor": ["{x}", "{x}, 2", "{x}, factor=1.5", "{x}, torch.tensor(0.5)"], "kwargs": ["{x}", "{x}, dtype=torch.float64"],
             "closure": ["{x}"], "decorated": ["{x}"], "two": ["{x}", "{x}, {x}.float()", "{x}, other={x}"],
             "flag": ["{x}", "{x}, True", "{x}, cast=True"]}[kind]
    v = Var(p, "x")
    p.vars.append(v)
    if kind == "dtype":
        p.emit(p.pick("if dtype is None:\n        dtype = x.dtype", "dtype = dtype or x.dtype", "dtype = x.dtype if dtype is None else dtype"))
        p.dtypes = ["dtype"]
    if kind == "factor":
        p.emit("x = x * factor")
        v.dtype = None
    if kind == "flag":
        p.emit("if cast:")
        p.emit(f"    x = x{p.r.choice(CASTS)}")
        v.dtype = None
    if kind == "two":
        p.emit("if other is not None:")
        p.emit(f"    x = x {p.pick('+', '*')} other")
        v.dtype = None
    if kind == "kwargs":
        p.emit("x = torch.zeros(4, 8, device=x.device, **kwargs) + x")
        v.dtype = None
    if kind == "closure":
        p.emit("def inner(y):")
        p.emit(f"    return y.to(x.dtype) + x{p.pick('', '.float()', ' * 2')}")
        p.vars.append(Var(p, p.name("v")))
        p.emit(f"{p.vars[-1].name} = inner({p.pick('x', 'x.double()', 'torch.zeros_like(x)')})")
        p.vars[-1].dtype = None
    for _ in range(p.pick(0, 1, 2, 3)):
        step(p)
    result = p.find("f", BASE) or v
    if kind == "dtype" and p.chance(0.7):
        p.emit(f"return {result.name}.to(dtype)")
    else:
        p.emit(f"return {result.name}")
    body = p.lines
    p.vars, p.lines, p.indent, p.scope, p.device, p.flags, p.dtypes = kept
    head = [f"def {name}({args}):"]
    if kind == "decorated":
        head = [p.pick("@torch.no_grad()", "@torch.no_grad()", "@torch.enable_grad()")] + head
    p.top += ["", *head, *body, ""]
    p.functions.append((name, calls))


def Var(p, name):
    v = p.new(BASE, "f", "in", True, False, fresh=False)
    v.name = name
    return v


def use_function(p):
    if not p.functions or p.scope == "function":
        return unary(p)
    name, calls = p.r.choice(p.functions)
    v = p.tensor("f", BASE)
    p.add(p.new(BASE, "f", None, v.home, True, fresh=False), f"{name}({p.r.choice(calls).format(x=v.name)})")


def define_class(p):
    modules.define(p)


def use_module(p):
    if p.scope == "function":
        return matmul(p)
    modules.use(p)


STEPS = [(create, 5), (cast, 12), (unary, 10), (integer, 3), (reduce, 6), (binary, 14), (compare, 3), (matmul, 6), (view, 7), (inplace, 8),
         (loss, 3), (branch, 9), (loop, 6), (region, 5), (attempt, 2), (container, 8), (number, 6), (use_function, 6), (use_module, 14)]


def step(p):
    if p.indent > 3:
        return unary(p)
    p.r.choices([s for s, _ in STEPS], [w for _, w in STEPS])[0](p)
