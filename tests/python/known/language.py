"""What the language does with tensors in containers, classes and functions."""
import abc
import asyncio
import collections
import concurrent.futures
import contextlib
import copy
import dataclasses
import enum
import functools
import heapq
import importlib
import itertools
import math
import operator
import queue
import threading
import types
from collections import ChainMap, OrderedDict, UserDict, defaultdict, deque, namedtuple
from dataclasses import asdict, dataclass, field, fields, replace
from types import SimpleNamespace
from typing import ClassVar, Generic, List, NamedTuple, Protocol, TypedDict, TypeVar, Union

import torch
from torch import Tensor, nn

H = torch.ones(2).half()
F = torch.ones(2)


def c1():
    d = {}
    d.setdefault("a", []).append(H)
    return d["a"][0]


def c2():
    d = defaultdict(list)
    d["x"].append(H)
    return d["x"][-1]


def c3():
    d = defaultdict(lambda: H)
    return d["q"]


def c4():
    d = OrderedDict([("a", H), ("b", H)])
    return list(d.values())[0]


def c5():
    d = OrderedDict(a=H)
    return d.popitem()[1]


def c6():
    class C(UserDict):
        pass
    c = C()
    c["a"] = H
    return c["a"]


def c7():
    class C(dict):
        def __getattr__(self, k):
            return self[k]
    c = C(a=H)
    return c.a


def c8():
    class C(dict):
        def __init__(self, **kw):
            super().__init__(**kw)
            self.__dict__ = self
    c = C(a=H)
    return c.a


def c9():
    s = SimpleNamespace(a=H, b=F)
    s.c = s.a
    return s.c


def c10():
    m = ChainMap({"a": H}, {"a": F})
    return m["a"]


def c11():
    class T(TypedDict):
        x: Tensor
    t: T = {"x": H}
    return t["x"]


def c12():
    class C(list):
        def first(self):
            return self[0]
    c = C([H])
    c.append(H)
    return c.first()


def c13():
    q = queue.Queue()
    q.put(H)
    return q.get()


def c14():
    h = []
    heapq.heappush(h, (1, H))
    return heapq.heappop(h)[1]


def c15():
    d = deque(maxlen=3)
    d.appendleft(H)
    return d.popleft()


def c16():
    a, *rest = [H, H, H]
    return rest[-1]


def c17():
    (a, b), c = (H, H), F
    return b


def c18():
    xs = [H] * 3
    return xs[1]


def c20():
    xs = [F, H]
    xs.reverse()
    return xs[0]


def c21():
    xs = [H]
    xs.extend([H])
    xs.insert(0, H)
    return xs.pop()


def c22():
    return {k: v for k, v in zip(["a", "b"], [H, H])}["b"]


def c23():
    return [y for x in [[H, H], [H]] for y in x][2]


def c24():
    return next(iter([H]))


def c25():
    return next((x for x in [F, H] if x.dtype == torch.float16), None)


def c26():
    return max([H, H], key=lambda t: t.sum().item())


def c27():
    return sorted([H, H], key=lambda t: t.sum().item())[0]


def c28():
    return list(map(lambda x: x.half(), [F, F]))[1]


def c29():
    return list(filter(lambda x: x is not None, [None, H]))[0]


def c30():
    return list(reversed([F, H]))[0]


def c31():
    return [t for _, t in enumerate([H])][0]


def c32():
    return list(itertools.chain([H], [H]))[1]


def c33():
    return list(itertools.chain.from_iterable([[H], [H]]))[1]


def c34():
    return list(itertools.islice([H, H, H], 2))[0]


def c35():
    for a, b in itertools.product([H], [H, H]):
        pass
    return b


def c36():
    return next(itertools.cycle([H]))


def c37():
    return list(itertools.repeat(H, 3))[0]


def c38():
    return list(itertools.zip_longest([H], [H, H]))[0][1]


def c39():
    return list(itertools.accumulate([H, H]))[1]


def c41():
    return functools.reduce(lambda a, b: a + b, [H, H, H])


def c42():
    f = functools.partial(torch.ones, 3, dtype=torch.float16)
    return f()


def c43():
    @functools.lru_cache(maxsize=None)
    def f(n):
        return torch.ones(n).half()
    return f(3)


def c45():
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            return fn(*a, **k).half()
        return inner
    @deco
    def g(x):
        return x
    return g(F)


def c46():
    class Deco:
        def __init__(self, fn):
            self.fn = fn
        def __call__(self, *a):
            return self.fn(*a).half()
    @Deco
    def g(x):
        return x
    return g(F)


def c47():
    def with_arg(dtype):
        def deco(fn):
            def inner(*a):
                return fn(*a).to(dtype)
            return inner
        return deco
    @with_arg(torch.float16)
    def g(x):
        return x
    return g(F)


def c48():
    class A:
        @functools.cached_property
        def x(self):
            return H
    return A().x


def c49():
    class A:
        @property
        def x(self):
            return self._x
        @x.setter
        def x(self, v):
            self._x = v.half()
    a = A()
    a.x = F
    return a.x


def c50():
    class A:
        @classmethod
        def make(cls, t):
            o = cls()
            o.t = t
            return o
    return A.make(H).t


def c51():
    class A:
        @staticmethod
        def f(x):
            return x.half()
    return A.f(F)


def c52():
    class A:
        def __getattr__(self, n):
            return H
    return A().anything


def c53():
    class A:
        def __init__(self):
            object.__setattr__(self, "d", {})
        def __setattr__(self, k, v):
            self.d[k] = v
        def __getattr__(self, k):
            return self.d[k]
    a = A()
    a.x = H
    return a.x


def c54():
    class A:
        def __getitem__(self, i):
            return H
        def __len__(self):
            return 3
    return [x for x in A()][0] if False else A()[1]


def c55():
    class A:
        def __iter__(self):
            yield H
    return list(A())[0]


def c56():
    class A:
        def __iter__(self):
            self.i = 0
            return self
        def __next__(self):
            self.i += 1
            if self.i > 2:
                raise StopIteration
            return H
    for x in A():
        pass
    return x


def c57():
    class A:
        def __contains__(self, k):
            return True
        def __add__(self, o):
            return H
        def __radd__(self, o):
            return H
    return 1 + A()


def c58():
    class A:
        def __enter__(self):
            return H
        def __exit__(self, *e):
            return False
    with A() as x:
        return x


def c59():
    class A:
        def __call__(self, x):
            return x.half()
    return A()(F)


def c60():
    class A:
        def __new__(cls, *a):
            o = super().__new__(cls)
            o.t = H
            return o
    return A().t


def c61():
    class Base:
        registry = {}
        def __init_subclass__(cls, **kw):
            super().__init_subclass__(**kw)
            Base.registry[cls.__name__] = cls
    class Sub(Base):
        def f(self):
            return H
    return Base.registry["Sub"]().f()


def c62():
    class Meta(type):
        def __new__(m, name, bases, ns):
            c = super().__new__(m, name, bases, ns)
            return c
    class A(metaclass=Meta):
        def f(self):
            return H
    return A().f()


def c63():
    class Single:
        _inst = None
        def __new__(cls):
            if cls._inst is None:
                cls._inst = super().__new__(cls)
                cls._inst.t = H
            return cls._inst
    return Single().t


def c64():
    class D:
        def __set_name__(self, owner, name):
            self.name = "_" + name
        def __get__(self, o, t=None):
            return getattr(o, self.name)
        def __set__(self, o, v):
            setattr(o, self.name, v.half())
    class A:
        x = D()
    a = A()
    a.x = F
    return a.x


def c65():
    class E(enum.Enum):
        A = torch.float16
        B = torch.float32
    return F.to(E.A.value)


def c66():
    class E(str, enum.Enum):
        HALF = "half"
        FULL = "full"
    table = {E.HALF: torch.float16, E.FULL: torch.float32}
    return F.to(table[E("half")])


def c67():
    class E(enum.IntEnum):
        A = 1
    return H if E.A == 1 else F


def c68():
    class E(enum.Enum):
        A = enum.auto()
        @property
        def dtype(self):
            return torch.float16 if self is E.A else torch.float32
    return F.to(E.A.dtype)


def c69():
    def f(x):
        match x:
            case {"kind": "half", "t": t}:
                return t.half()
            case _:
                return x["t"]
    return f({"kind": "half", "t": F})


def c70():
    def f(x):
        match x:
            case [a, b]:
                return b
            case _:
                return None
    return f([F, H])


def c71():
    @dataclass
    class P:
        t: Tensor
        n: int = 0
    match P(H, 1):
        case P(t=t, n=1):
            return t


def c72():
    @dataclass
    class P:
        t: Tensor
        def half(self):
            return replace(self, t=self.t.half())
    return P(F).half().t


def c73():
    @dataclass
    class P:
        t: Tensor
    return P(**{f.name: getattr(P(H), f.name) for f in fields(P(H))}).t


def c74():
    @dataclass
    class P:
        t: Tensor
    return asdict(P(H))["t"]


def c75():
    @dataclass
    class P:
        t: Tensor = field(default_factory=lambda: torch.ones(2).half())
        k: ClassVar[int] = 3
    return P().t


def c76():
    @dataclass
    class P:
        t: Tensor
        def __post_init__(self):
            self.t = self.t.half()
    return P(F).t


def c77():
    @dataclass
    class A:
        x: Tensor
    @dataclass
    class B(A):
        y: Tensor = None
    return B(F, H).y


def c78():
    if (n := H) is not None:
        return n


def c79():
    x = None
    y = x or H
    return y


def c80():
    try:
        raise KeyError("a")
    except KeyError:
        return H
    finally:
        pass


def c81():
    for i in range(3):
        if i == 5:
            break
    else:
        return H


def c82():
    def g():
        yield F
        yield H
    return list(g())[1]


def c83():
    def g():
        yield from [H, H]
    return list(g())[0]


def c85():
    x = F
    def f():
        nonlocal x
        x = x.half()
    f()
    return x


def c87():
    fs = [lambda x=d: F.to(x) for d in (torch.float32, torch.float16)]
    return fs[1]()


def c88():
    f = getattr(F, "half")
    return f()


def c89():
    return getattr(torch, "ones")(2, dtype=getattr(torch, "float" + "16"))


def c90():
    return vars(SimpleNamespace(a=H))["a"]


def c91():
    class A:
        def __init__(self):
            self.a = H
    return A().__dict__["a"]


def c92():
    class A: pass
    a = A()
    setattr(a, "q", H)
    return a.q


def c93():
    class A:
        def __init__(self, **kw):
            self.__dict__.update(kw)
    return A(q=H).q


def c94():
    class A:
        def __init__(self, **kw):
            for k, v in kw.items():
                setattr(self, k, v)
    return A(q=H).q


def c95():
    def f(*args, **kw):
        return args[0] if not kw else kw["x"]
    return f(F, x=H)


def c96():
    def f(a, /, b, *, c):
        return c
    return f(F, F, c=H)


def c97():
    return (lambda *a: a[-1])(F, H)


def c98():
    return copy.deepcopy({"a": [H]})["a"][0]


def c99():
    return copy.copy([H])[0]


def c101():
    async def f():
        return H
    return asyncio.run(f())


def c102():
    r = []
    th = threading.Thread(target=lambda: r.append(H))
    th.start()
    th.join()
    return r[0]


def c103():
    with concurrent.futures.ThreadPoolExecutor() as ex:
        return list(ex.map(lambda x: x.half(), [F]))[0]


def c104():
    with concurrent.futures.ThreadPoolExecutor() as ex:
        return ex.submit(lambda x: x.half(), F).result()


def c105():
    @contextlib.contextmanager
    def cm():
        yield H
    with cm() as x:
        return x


def c106():
    with contextlib.ExitStack() as st:
        x = st.enter_context(contextlib.nullcontext(H))
    return x


def c107():
    with contextlib.suppress(KeyError):
        x = {}["a"]
    return H


def c108():
    T = TypeVar("T")
    class Box(Generic[T]):
        def __init__(self, v: T):
            self.v = v
    return Box[Tensor](H).v


def c109():
    class P(Protocol):
        def f(self) -> Tensor: ...
    class A(P):
        def f(self):
            return H
    return A().f()


def c110():
    class A(abc.ABC):
        @abc.abstractmethod
        def f(self): ...
        def g(self):
            return self.f()
    class B(A):
        def f(self):
            return H
    return B().g()


def c111():
    class A:
        def f(self):
            return F
    class B(A):
        def f(self):
            return super().f().half()
    class C(B):
        pass
    return C().f()


def c112():
    class M1:
        def f(self):
            return super().f().half()
    class A:
        def f(self):
            return F
    class B(M1, A):
        pass
    return B().f()


def c113():
    a, b = map(lambda t: t.half(), (F, F))
    return b


def c114():
    return dict(a=F, **{"b": H})["b"]


def c115():
    return {**{"a": F}, "a": H}["a"]


def c116():
    return ({"a": F} | {"a": H})["a"]


def c117():
    d = {"a": F}
    d |= {"a": H}
    return d["a"]


def c118():
    d = {"a": F}
    d.update(a=H)
    return d.get("a")


def c119():
    d = {("x", 1): H}
    return d["x", 1]


def c120():
    d = {1: F, 2: H}
    return d[1 + 1]


def c121():
    d = {torch.float16: H}
    return d[torch.float16]


def c122():
    d = {int: F, str: H}
    return d[type("a")]


def c123():
    d = dict.fromkeys(["a", "b"], H)
    return d["b"]


def c124():
    xs = [(1, F), (2, H)]
    return dict(xs)[2]


def c125():
    return [*[F], *(H, H)][1]


def c126():
    s = "float16"
    return F.to(getattr(torch, f"{s}"))


def c127():
    return F.to({"fp16": torch.float16}.get("fp16", torch.float32))


def c128():
    x = F
    x = x.half() if isinstance(x, torch.Tensor) else x
    return x


def c129():
    def f(x: Union[Tensor, List[Tensor]]):
        if isinstance(x, (list, tuple)):
            return [f(y) for y in x]
        return x.half()
    return f([F, [F]])[1][0]


def c130():
    def f(o):
        if isinstance(o, dict):
            return {k: f(v) for k, v in o.items()}
        if isinstance(o, (list, tuple)):
            return type(o)(f(v) for v in o)
        return o.half() if torch.is_tensor(o) else o
    return f({"a": [F, (F, 1)]})["a"][1][0]


def c131():
    x = [F, F]
    for i, t in enumerate(x):
        x[i] = t.half()
    return x[1]


def c132():
    x = {"a": F}
    for k in x:
        x[k] = x[k].half()
    return x["a"]


def c133():
    x = {"a": F, "b": F}
    for k, v in x.items():
        x[k] = v.half()
    return x["b"]


def c134():
    x = {"a": F, "b": F}
    for k in list(x.keys()):
        x[k] = x.pop(k).half()
    return x["b"]


def c135():
    i = 0
    x = F
    while True:
        i += 1
        x = x.half()
        if i > 3:
            break
    return x


def c137():
    m = importlib.import_module("torch")
    return m.ones(2).half()


def c139():
    m = types.MethodType(lambda self: self.t, SimpleNamespace(t=H))
    return m()


def c141():
    x, y = (F, H) if True else (None, None)
    return y


def c142():
    class A:
        t = F
        def __init__(self):
            type(self).t = H
    A()
    return A.t


def c143():
    class A:
        t: Tensor
    a = A()
    a.t = H
    return a.t


def c144():
    xs = []
    for i in range(4):
        xs += [H]
    return torch.stack(xs)


def c145():
    return torch.stack([H for _ in range(4)]).sum(0)


def c146():
    return sum([H, H, H])


def c147():
    return sum((H for _ in range(3)), torch.zeros(2).half())


def c148():
    return math.prod([1, 2]) * H


def c149():
    x = torch.zeros(2).half()
    for t in [H, H]:
        x = x + t
    return x


def c150():
    x = list(nn.Linear(2, 2).half().parameters())
    return x[0]


def c151():
    return dict(nn.Linear(2, 2).half().named_parameters())["weight"]


def c152():
    return nn.Linear(2, 2).half().state_dict()["weight"]


def c153():
    sd = nn.Sequential(nn.Linear(2, 2)).half().state_dict()
    return {k.replace("0.", ""): v for k, v in sd.items()}["weight"]


def c154():
    sd = nn.Sequential(nn.Linear(2, 2)).half().state_dict()
    return sd[next(iter(sd))]


def c155():
    m = nn.ModuleDict({"a": nn.Linear(2, 2)})
    m.half()
    return m["a"].weight


def c156():
    m = nn.ModuleList([nn.Linear(2, 2)] * 2)
    m.append(nn.Linear(2, 2))
    m.half()
    return m[-1].weight


def c157():
    m = nn.Sequential(OrderedDict(a=nn.Linear(2, 2)))
    m.half()
    return m.a.weight


def c158():
    m = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    m.half()
    return [p for n, p in m.named_parameters() if "weight" in n][0]


def c159():
    m = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).half()
    return [x for x in m.modules() if isinstance(x, nn.Linear)][0].weight


def c160():
    m = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).half()
    return dict(m.named_children())["0"].weight


def c161():
    m = nn.Sequential(nn.Sequential(nn.Linear(2, 2))).half()
    return m.get_submodule("0.0").weight


def c162():
    m = nn.Sequential(nn.Linear(2, 2)).half()
    return m.get_parameter("0.weight")


def c163():
    m = nn.Linear(2, 2)
    m.register_buffer("s", F)
    m.half()
    return m.s


def c164():
    m = nn.Linear(2, 2)
    m.register_parameter("s", nn.Parameter(F))
    m.half()
    return m.s


def c165():
    m = nn.Linear(2, 2)
    m.apply(lambda x: x.half())
    return m.weight


def c166():
    m = nn.Linear(2, 2)
    for p in m.parameters():
        p.data = p.data.half()
    return m.weight


def c167():
    m = nn.ParameterList([nn.Parameter(F)]).half()
    return m[0]


def c168():
    m = nn.ParameterDict({"a": nn.Parameter(F)}).half()
    return m["a"]


def c169():
    m = nn.Linear(2, 2)
    m.to(torch.float16)
    return m.weight.data


def c170():
    m = nn.Linear(2, 2).type(torch.float16)
    return m.bias


def c171():
    hooks = []
    m = nn.Linear(2, 2)
    m.register_forward_hook(lambda mod, i, o: o.half())
    return m(F)


def c174():
    m = nn.Linear(2, 2).half()
    m2 = copy.deepcopy(m)
    return m2.weight


def c175():
    opt = torch.optim.SGD(nn.Linear(2, 2).half().parameters(), lr=0.1)
    return opt.param_groups[0]["params"][0]


def c176():
    m = nn.Linear(2, 2)
    m.load_state_dict({k: v.half() for k, v in m.state_dict().items()})
    return m.weight.half()


def c178():
    return torch.utils.data.default_collate([H, H])


def c179():
    ds = torch.utils.data.TensorDataset(H.repeat(4, 1))
    return next(iter(torch.utils.data.DataLoader(ds, batch_size=2)))[0]


def c180():
    class DS(torch.utils.data.Dataset):
        def __len__(self):
            return 4
        def __getitem__(self, i):
            return {"x": H, "y": i}
    return next(iter(torch.utils.data.DataLoader(DS(), batch_size=2)))["x"]


def c181():
    class DS(torch.utils.data.IterableDataset):
        def __iter__(self):
            for i in range(4):
                yield H
    for b in torch.utils.data.DataLoader(DS(), batch_size=2):
        pass
    return b


def c182():
    ds = torch.utils.data.Subset(torch.utils.data.TensorDataset(H.repeat(4, 1)), [0, 1])
    return ds[0][0]


def c183():
    ds = torch.utils.data.ConcatDataset([torch.utils.data.TensorDataset(H.repeat(4, 1))])
    return ds[0][0]


def c184():
    loader = torch.utils.data.DataLoader([(H, 1), (H, 2)], batch_size=2)
    for i, (x, y) in enumerate(loader, start=1):
        pass
    return x


def c185():
    it = iter(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(H.repeat(4, 1)), batch_size=2))
    (x,) = next(it)
    return x


def c186():
    xs = torch.split(torch.ones(4).half(), 2)
    return xs[0]


def c187():
    return torch.chunk(torch.ones(4).half(), 2)[1]


def c188():
    a, b = torch.ones(2, 2).half().unbind(0)
    return b


def c190():
    return torch.ones(4).half().max(0).values


def c191():
    return torch.nn.utils.rnn.pad_sequence([H, H])


def c192():
    f = torch.no_grad()(lambda x: x.half())
    return f(F)


def c199():
    logits = {"a": H}
    return sum(v.mean() for v in logits.values())


def attributes_by_dict():
    class A(dict):
        __getattr__ = dict.__getitem__
        __setattr__ = dict.__setitem__
    a = A(x=F)
    a.y = H
    return a["y"]


def attributes_are_items():
    class A(dict):
        def __init__(self, *args, **kwargs):
            super(A, self).__init__(*args, **kwargs)
            self.__dict__ = self
    a = A({"x": F})
    a.x = H
    return dict(**a)["x"]


def nested_settings():
    class A(dict):
        def __getattr__(self, name):
            return self[name]

    def convert(x):
        return A({k: convert(v) if isinstance(v, dict) else v for k, v in x.items()})
    return F.to(convert({"model": {"dtype": torch.float16}}).model.dtype)


def list_of_own():
    class A(list):
        def to(self, dtype):
            return A([t.to(dtype) for t in self])
    return torch.stack(A([F]).to(torch.float16))


def named_tuple_unpacked():
    T = namedtuple("T", "a b")
    a, b = T(F, H)
    return b


def named_tuple_replaced():
    class T(NamedTuple):
        a: Tensor
        b: Tensor = None
    return T(F)._replace(b=H)[-1]


def named_tuples_zipped():
    T = namedtuple("T", ("a", "b"))
    return torch.cat(T(*zip(*[T(F, H), T(F, H)])).b)


def list_grows():
    xs = [F]
    ys = xs
    xs += [H]
    return ys[-1]


def spread_named_tuple():
    T = namedtuple("T", ("a", "b"))
    return (lambda a, b: b)(*T(F, H))


def class_of_instance():
    class A:
        t = F

        def __init__(self):
            type(self).t = H
    A()
    return A.t


reveal_type(c1())  # float16
reveal_type(c2())  # float16
reveal_type(c3())  # float16
reveal_type(c4())  # float16
reveal_type(c5())  # float16
reveal_type(c6())  # float16
reveal_type(c7())  # float16
reveal_type(c8())  # float16
reveal_type(c9())  # float16
reveal_type(c10())  # float16
reveal_type(c11())  # float16
reveal_type(c12())  # float16
reveal_type(c13())  # float16
reveal_type(c14())  # float16
reveal_type(c15())  # float16
reveal_type(c16())  # float16
reveal_type(c17())  # float16
reveal_type(c18())  # float16
reveal_type(c20())  # float16
reveal_type(c21())  # float16
reveal_type(c22())  # float16
reveal_type(c23())  # float16
reveal_type(c24())  # float16
reveal_type(c25())  # float16
reveal_type(c26())  # float16
reveal_type(c27())  # float16
reveal_type(c28())  # float16
reveal_type(c29())  # float16
reveal_type(c30())  # float16
reveal_type(c31())  # float16
reveal_type(c32())  # float16
reveal_type(c33())  # float16
reveal_type(c34())  # float16
reveal_type(c35())  # float16
reveal_type(c36())  # float16
reveal_type(c37())  # float16
reveal_type(c38())  # float16
reveal_type(c39())  # float16
reveal_type(c41())  # float16
reveal_type(c42())  # float16
reveal_type(c43())  # float16
reveal_type(c45())  # float16
reveal_type(c46())  # float16
reveal_type(c47())  # float16
reveal_type(c48())  # float16
reveal_type(c49())  # float16
reveal_type(c50())  # float16
reveal_type(c51())  # float16
reveal_type(c52())  # float16
reveal_type(c53())  # float16
reveal_type(c54())  # float16
reveal_type(c55())  # float16
reveal_type(c56())  # float16
reveal_type(c57())  # float16
reveal_type(c58())  # float16
reveal_type(c59())  # float16
reveal_type(c60())  # float16
reveal_type(c61())  # float16
reveal_type(c62())  # float16
reveal_type(c63())  # float16
reveal_type(c64())  # float16
reveal_type(c65())  # float16
reveal_type(c66())  # float16
reveal_type(c67())  # float16
reveal_type(c68())  # float16
reveal_type(c69())  # float16
reveal_type(c70())  # float16
reveal_type(c71())  # float16
reveal_type(c72())  # float16
reveal_type(c73())  # float16
reveal_type(c74())  # float16
reveal_type(c75())  # float16
reveal_type(c76())  # float16
reveal_type(c77())  # float16
reveal_type(c78())  # float16
reveal_type(c79())  # float16
reveal_type(c80())  # float16
reveal_type(c81())  # float16
reveal_type(c82())  # float16
reveal_type(c83())  # float16
reveal_type(c85())  # float16
reveal_type(c87())  # float16
reveal_type(c88())  # float16
reveal_type(c89())  # float16
reveal_type(c90())  # float16
reveal_type(c91())  # float16
reveal_type(c92())  # float16
reveal_type(c93())  # float16
reveal_type(c94())  # float16
reveal_type(c95())  # float16
reveal_type(c96())  # float16
reveal_type(c97())  # float16
reveal_type(c98())  # float16
reveal_type(c99())  # float16
reveal_type(c101())  # float16
reveal_type(c102())  # float16
reveal_type(c103())  # float16
reveal_type(c104())  # float16
reveal_type(c105())  # float16
reveal_type(c106())  # float16
reveal_type(c107())  # float16
reveal_type(c108())  # float16
reveal_type(c109())  # float16
reveal_type(c110())  # float16
reveal_type(c111())  # float16
reveal_type(c112())  # float16
reveal_type(c113())  # float16
reveal_type(c114())  # float16
reveal_type(c115())  # float16
reveal_type(c116())  # float16
reveal_type(c117())  # float16
reveal_type(c118())  # float16
reveal_type(c119())  # float16
reveal_type(c120())  # float16
reveal_type(c121())  # float16
reveal_type(c122())  # float16
reveal_type(c123())  # float16
reveal_type(c124())  # float16
reveal_type(c125())  # float16
reveal_type(c126())  # float16
reveal_type(c127())  # float16
reveal_type(c128())  # float16
reveal_type(c129())  # float16
reveal_type(c130())  # float16
reveal_type(c131())  # float16
reveal_type(c132())  # float16
reveal_type(c133())  # float16
reveal_type(c134())  # float16
reveal_type(c135())  # float16
reveal_type(c137())  # float16
reveal_type(c139())  # float16
reveal_type(c141())  # float16
reveal_type(c142())  # float16
reveal_type(c143())  # float16
reveal_type(c144())  # float16
reveal_type(c145())  # float16
reveal_type(c146())  # float16
reveal_type(c147())  # float16
reveal_type(c148())  # float16
reveal_type(c149())  # float16
reveal_type(c150())  # float16
reveal_type(c151())  # float16
reveal_type(c152())  # float16
reveal_type(c153())  # float16
reveal_type(c154())  # float16
reveal_type(c155())  # float16
reveal_type(c156())  # float16
reveal_type(c157())  # float16
reveal_type(c158())  # float16
reveal_type(c159())  # float16
reveal_type(c160())  # float16
reveal_type(c161())  # float16
reveal_type(c162())  # float16
reveal_type(c163())  # float16
reveal_type(c164())  # float16
reveal_type(c165())  # float16
reveal_type(c166())  # float16
reveal_type(c167())  # float16
reveal_type(c168())  # float16
reveal_type(c169())  # float16
reveal_type(c170())  # float16
reveal_type(c171())  # float16
reveal_type(c174())  # float16
reveal_type(c175())  # float16
reveal_type(c176())  # float16
reveal_type(c178())  # float16
reveal_type(c179())  # float16
reveal_type(c180())  # float16
reveal_type(c181())  # float16
reveal_type(c182())  # float16
reveal_type(c183())  # float16
reveal_type(c184())  # float16
reveal_type(c185())  # float16
reveal_type(c186())  # float16
reveal_type(c187())  # float16
reveal_type(c188())  # float16
reveal_type(c190())  # float16
reveal_type(c191())  # float16
reveal_type(c192())  # float16
reveal_type(c199())  # float16
reveal_type(attributes_by_dict())  # float16
reveal_type(attributes_are_items())  # float16
reveal_type(nested_settings())  # float16
reveal_type(list_of_own())  # float16
reveal_type(named_tuple_unpacked())  # float16
reveal_type(named_tuple_replaced())  # float16
reveal_type(named_tuples_zipped())  # float16
reveal_type(list_grows())  # float16
reveal_type(spread_named_tuple())  # float16
reveal_type(class_of_instance())  # float16
