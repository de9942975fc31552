"""Modules, autocast, gradients, optimizers and saving."""
import copy
import io
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

from . import case, raises


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.last = nn.Linear(8, 2)
        self.register_buffer("scale", torch.ones(1))
        self.plain = torch.ones(2)

    def forward(self, x):
        return self.last(F.relu(self.norm(self.first(x)))) * self.scale


@case
def modules():
    net = Net()
    kept = net.first.weight
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    assert net.cuda() is net and net.first.weight is kept and kept.is_cuda and net.scale.is_cuda and not net.plain.is_cuda
    assert all(p.is_leaf and p.requires_grad for p in net.parameters())
    before = kept.detach().clone()
    loss = net(torch.randn(3, 4, device="cuda")).pow(2).mean()
    loss.backward()
    assert kept.grad.is_cuda
    optimizer.step()
    assert optimizer.state[kept]["exp_avg"].is_cuda and not torch.equal(kept, before)
    raises("same device", lambda: net(torch.randn(3, 4)))
    twin = copy.deepcopy(net)
    assert twin.first.weight.is_cuda and twin.scale.is_cuda
    assert next(net.to("cpu").parameters()).device.type == "cpu"
    assert nn.Parameter(torch.ones(2, device="cuda")).is_cuda
    net.half().cuda()
    assert net.first.weight.dtype == torch.half and net.first.weight.is_cuda
    assert net(torch.randn(3, 4, device="cuda").half()).dtype == torch.half
    assert nn.Linear(2, 2, device="cuda").weight.is_cuda
    assert nn.DataParallel(nn.Linear(2, 2).cuda())(torch.ones(3, 2)).is_cuda


@case
def losses_of_two_dtypes():
    """They are computed; their gradients are not."""
    for a, b in ((torch.float16, torch.float32), (torch.float32, torch.float16), (torch.float32, torch.float64),
                 (torch.bfloat16, torch.int64)):
        for loss in (F.mse_loss, F.huber_loss):
            x = torch.ones(2, device="cuda").to(a).requires_grad_()
            found = loss(x, torch.ones(2, device="cuda").to(b))
            raises("Found dtype", lambda: found.float().backward())


@case
def set_data():
    p = nn.Parameter(torch.ones(2))
    p.data = p.data.cuda()
    assert p.is_cuda and p.requires_grad and p.is_leaf
    q = torch.ones(2, requires_grad=True)
    raises("", lambda: setattr(q, "grad", torch.ones(2, device="cuda")))


@case
def optimizers():
    for make in (lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), lambda p: torch.optim.AdamW(p, 0.1),
                 lambda p: torch.optim.Adam(p, 0.1, capturable=True), lambda p: torch.optim.Adam(p, 0.1, fused=True),
                 lambda p: torch.optim.RMSprop(p, 0.1), lambda p: torch.optim.Adam(p, 0.1, foreach=True)):
        w = nn.Parameter(torch.ones(3, device="cuda"))
        optimizer = make([w])
        for _ in range(2):
            optimizer.zero_grad()
            (w * 2).sum().backward()
            nn.utils.clip_grad_norm_([w], 1.0)
            optimizer.step()
        assert w.is_cuda and float(w[0]) < 0.9, (optimizer, w)
        state = copy.deepcopy(optimizer.state_dict())
        optimizer.load_state_dict(state)
        assert all(v.is_cuda for s in optimizer.state.values() for k, v in s.items()
                   if isinstance(v, torch.Tensor) and k != "step")


@case
def fused_is_adam():
    plain, fused = (nn.Parameter(torch.tensor([1.0, -2.0], device="cuda")) for _ in range(2))
    for w, options in ((plain, {}), (fused, {"fused": True})):
        optimizer = torch.optim.Adam([w], 0.1, weight_decay=0.1, amsgrad=True, **options)
        for _ in range(3):
            optimizer.zero_grad()
            (w ** 2).sum().backward()
            optimizer.step()
    assert torch.allclose(plain, fused, atol=1e-5), (plain, fused)


@case
def scaling():
    w = nn.Parameter(torch.ones(3, device="cuda"))
    optimizer = torch.optim.SGD([w], 0.1)
    scaler = torch.cuda.amp.GradScaler(init_scale=4.0, growth_interval=2)
    for _ in range(2):
        optimizer.zero_grad()
        scaler.scale((w * 2).sum()).backward()
        assert float(w.grad[0]) == 8.0
        scaler.unscale_(optimizer)
        assert float(w.grad[0]) == 2.0
        scaler.step(optimizer)
        scaler.update()
    assert abs(float(w[0]) - 0.6) < 1e-6 and scaler.get_scale() == 8.0
    optimizer.zero_grad()
    scaler.scale((w * float("inf")).sum()).backward()
    before = w.detach().clone()
    scaler.step(optimizer)
    scaler.update()
    assert torch.equal(w, before) and scaler.get_scale() == 4.0
    half = nn.Parameter(torch.ones(2, device="cuda").half())
    optimizer = torch.optim.SGD([half], 0.1)
    scaler.scale(half.sum()).backward()
    raises("Attempting to unscale FP16 gradients", lambda: scaler.unscale_(optimizer), ValueError)


@case
def autocast():
    net, x = nn.Linear(4, 4).cuda(), torch.ones(2, 4, device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        y = net(x)
        assert y.dtype == torch.float16 and (y + x).dtype == torch.float32 and F.softmax(y, -1).dtype == torch.float32
        assert y.sum().dtype == torch.float32 and F.relu(y).dtype == torch.float16
        assert F.mse_loss(y, y).dtype == torch.float32 and torch.matmul(x, x.t()).dtype == torch.float16
        assert (torch.ones(2, 4) @ torch.ones(4, 2)).dtype == torch.float32  # on the CPU
        with torch.autocast("cuda", enabled=False):
            assert net(x).dtype == torch.float32
            raises("dtype", lambda: net(y))
        raises("unsafe to autocast", lambda: F.binary_cross_entropy(torch.sigmoid(y), torch.ones_like(y)))
        assert F.binary_cross_entropy_with_logits(y, torch.ones_like(y)).dtype == torch.float32
    assert net(x).dtype == torch.float32
    with torch.cuda.amp.autocast(dtype=torch.bfloat16):
        assert net(x).dtype == torch.bfloat16
    y.float().sum().backward()
    assert net.weight.grad.dtype == torch.float32 and net.weight.grad.is_cuda
    with torch.autocast("cuda", dtype=torch.float32):
        assert torch.matmul(x.half(), x.half().t()).dtype == torch.float32
    norm = nn.BatchNorm1d(4).cuda()
    with torch.autocast("cuda"):
        assert norm(net(x)).dtype == torch.float16


@case
def cache():
    w = nn.Parameter(torch.ones(2, 2, device="cuda"))
    x = torch.ones(2, 2, device="cuda")
    with torch.autocast("cuda"):
        before = x @ w
        with torch.no_grad():
            w.fill_(3.0)
        assert torch.equal(x @ w, before)  # the cast from before is kept
    with torch.autocast("cuda"):
        assert not torch.equal(x @ w, before)
    with torch.autocast("cuda", cache_enabled=False):
        before = x @ w
        with torch.no_grad():
            w.fill_(1.0)
        assert not torch.equal(x @ w, before)


class Twice(torch.autograd.Function):
    seen = []

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y * 2

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        Twice.seen = [grad.is_cuda, x.is_cuda, y.is_cuda]
        return grad * y * 2, grad * x * 2


@case
def functions():
    x = torch.ones(2, device="cuda", requires_grad=True)
    y = x * 3
    out = Twice.apply(x, y)
    assert out.is_cuda
    seen = []
    y.register_hook(lambda g: seen.append(g.is_cuda))
    out.sum().backward()
    assert Twice.seen == [True, True, True] and seen == [True] and x.grad.is_cuda and float(x.grad[0]) == 12
    a = torch.ones(2, device="cuda", requires_grad=True)
    grad, = torch.autograd.grad((a * a).sum(), a)
    assert grad.is_cuda
    from torch.utils.checkpoint import checkpoint
    b = checkpoint(lambda t: F.dropout(t * 2, 0.5), a, use_reentrant=True)
    assert b.is_cuda
    b.sum().backward()
    assert a.grad.is_cuda


@case
def saving():
    x = {"w": torch.ones(2, device="cuda"), "b": torch.zeros(1), "p": nn.Parameter(torch.ones(3, device="cuda"))}

    def load(**options):
        file = io.BytesIO()
        torch.save(x, file)
        file.seek(0)
        return torch.load(file, **options)

    y = load()
    assert y["w"].is_cuda and not y["b"].is_cuda and y["p"].is_cuda
    y = load(map_location="cpu")
    assert not y["w"].is_cuda and not y["p"].is_cuda
    y = load(map_location="cuda")
    assert y["b"].is_cuda
    assert not load(map_location={"cuda:0": "cpu"})["w"].is_cuda
    assert load(map_location=torch.device("cuda:0"))["b"].is_cuda
    net = Net().cuda()
    with tempfile.NamedTemporaryFile() as file:
        torch.save(net.state_dict(), file.name)
        state = torch.load(file.name, map_location="cpu")
        assert not any(t.is_cuda for t in state.values())
        net.load_state_dict(state)
        assert net.first.weight.is_cuda
        other = Net()
        other.load_state_dict(torch.load(file.name))
        assert not other.first.weight.is_cuda


@case
def one_process():
    import torch.distributed as dist
    if not dist.is_available():
        return
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=0, world_size=1)
        net = nn.parallel.DistributedDataParallel(nn.Linear(2, 2).cuda(), device_ids=[0])
        net(torch.ones(3, 2, device="cuda")).sum().backward()
        assert net.module.weight.grad.is_cuda and float(net.module.weight.grad[0, 0]) == 3
        total = torch.ones(2, device="cuda")
        dist.all_reduce(total)
        assert total.is_cuda
        dist.destroy_process_group()


@case
def profilers():
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as found:
        torch.ones(2, device="cuda") + 1
    assert found.key_averages()
    with torch.autograd.profiler.profile(use_cuda=True) as found:
        torch.ones(2, device="cuda") + 1
    assert found.key_averages()


@case
def layers():
    x = torch.randn(2, 5, 4, device="cuda")
    for net in (nn.LSTM(4, 3, batch_first=True), nn.GRU(4, 3), nn.MultiheadAttention(4, 2, batch_first=True)):
        net.cuda()
        out = net(x, x, x)[0] if isinstance(net, nn.MultiheadAttention) else net(x)[0]
        assert out.is_cuda
        out.sum().backward()
    layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).cuda()
    assert layer(x).is_cuda and layer.eval()(x).is_cuda
    e = nn.Embedding(5, 4).cuda()
    assert e(torch.tensor([1, 2], device="cuda")).is_cuda
    raises("same device", lambda: e(torch.tensor([1, 2])))
    image = torch.randn(1, 3, 8, 8, device="cuda")
    net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()).cuda()
    assert net(image).is_cuda and F.interpolate(image, scale_factor=2).is_cuda
    with torch.autocast("cuda"):
        assert nn.LSTM(4, 3).cuda()(x)[0].dtype == torch.float16
    half = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU()).cuda().half()
    loss = half(torch.randn(2, 4, device="cuda").half()).float().pow(2).mean()
    loss.backward()
    assert half[0].weight.grad.dtype == torch.float16 and half[0].weight.grad.is_cuda


class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.view(b, t, self.heads, c // self.heads).transpose(1, 2) for p in self.qkv(self.norm1(x)).split(c, dim=2))
        scores = (q @ k.transpose(-2, -1)) * (k.size(-1) ** -0.5)
        scores = F.softmax(scores.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf")), dim=-1)
        x = x + self.out((F.dropout(scores, 0.1, self.training) @ v).transpose(1, 2).contiguous().view(b, t, c))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self, words=16, width=16, length=8):
        super().__init__()
        self.tokens, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, 2, length) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids, targets=None):
        where = torch.arange(ids.size(1), dtype=torch.long, device=ids.device)
        x = self.tokens(ids) + self.places(where)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        loss = None if targets is None else F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss


@case
def training():
    data = torch.arange(200) % 16
    for dtype in (torch.float16, torch.bfloat16):
        net = GPT().to("cuda")
        assert net.head.weight is net.tokens.weight and net.head.weight.is_cuda
        optimizer = torch.optim.Adam(net.parameters(), 1e-2, fused=True) if dtype == torch.float16 else torch.optim.AdamW(
            net.parameters(), 1e-2)
        scaler = torch.cuda.amp.GradScaler(enabled=dtype == torch.float16)
        losses = []
        for _ in range(12):
            at = torch.randint(len(data) - 9, (4,))
            ids = torch.stack([data[i:i + 8] for i in at]).pin_memory().to("cuda", non_blocking=True)
            targets = torch.stack([data[i + 1:i + 9] for i in at]).pin_memory().to("cuda", non_blocking=True)
            with torch.autocast("cuda", dtype=dtype):
                logits, loss = net(ids, targets)
            assert logits.dtype == dtype and loss.dtype == torch.float32
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.item())
        assert losses[-1] < losses[0] - 0.3, losses
        file = io.BytesIO()
        torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, file)
        file.seek(0)
        saved = torch.load(file, map_location="cuda")
        other = GPT().cuda()
        other.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        with torch.no_grad():
            net.eval(), other.eval()
            assert torch.equal(net(ids)[0], other(ids)[0])
            probs = F.softmax(other(ids)[0][:, -1] / 0.8, dim=-1)
            top, _ = torch.topk(probs, 3)
            probs[probs < top[:, [-1]]] = 0
            assert torch.multinomial(probs, 1).is_cuda
        half = net.half()
        assert half(ids)[0].dtype == torch.float16
