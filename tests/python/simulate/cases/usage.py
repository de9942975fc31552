"""Idioms of programs that people write: they run through."""
import copy

import torch
import torch.nn.functional as F
from torch import nn, optim

from . import case, raises


@case
def unet():

    class Up(nn.Module):

        def __init__(s):
            super().__init__()
            s.a = nn.ConvTranspose2d(4, 2, 2, 2)
            s.b = nn.Conv2d(4, 2, 3, padding=1)
            s.n = nn.GroupNorm(1, 2)

        def forward(s, x, k):
            return F.silu(s.n(s.b(torch.cat([s.a(x), k], 1))))
    m = Up().to("cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        y = m(torch.randn(1, 4, 4, 4, device="cuda"), torch.randn(1, 2, 8, 8, device="cuda"))
    y.float().mean().backward()


@case
def ema():
    m = nn.Linear(2, 2).to("cuda")
    e = copy.deepcopy(m)
    with torch.no_grad():
        for a, b in zip(e.parameters(), m.parameters()):
            a.mul_(0.9).add_(b, alpha=0.1)
            a.data.copy_(b.data)
    e.load_state_dict(m.state_dict())


@case
def swa():
    from torch.optim.swa_utils import AveragedModel, SWALR
    m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).to("cuda")
    a = AveragedModel(m)
    a.update_parameters(m)
    torch.optim.swa_utils.update_bn([torch.randn(4, 2, device="cuda")], a)


@case
def schedulers():
    m = nn.Linear(2, 2).to("cuda")
    o = optim.SGD(m.parameters(), 0.1)
    for s in (optim.lr_scheduler.CosineAnnealingLR(o, 10), optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=10), optim.lr_scheduler.ReduceLROnPlateau(o)):
        m(torch.randn(2, 2, device="cuda")).sum().backward()
        o.step()
        s.step(1.0) if "Plateau" in type(s).__name__ else s.step()


@case
def optimizers():
    for O in (optim.Adadelta, optim.Adagrad, optim.Adamax, optim.ASGD, optim.NAdam, optim.RAdam, optim.Rprop, optim.RMSprop, optim.AdamW):
        m = nn.Linear(2, 2).to("cuda")
        o = O(m.parameters())
        m(torch.ones(1, 2, device="cuda")).sum().backward()
        o.step()
        copy.deepcopy(o.state_dict())
    m = nn.Linear(2, 2).to("cuda")
    o = optim.LBFGS(m.parameters())

    def c():
        o.zero_grad()
        l = m(torch.ones(1, 2, device="cuda")).pow(2).sum()
        l.backward()
        return l
    o.step(c)
    e = nn.Embedding(4, 2, sparse=True).to("cuda")


@case
def weight_norms():
    m = nn.utils.weight_norm(nn.Linear(2, 2)).to("cuda")
    m(torch.ones(1, 2, device="cuda")).sum().backward()
    s = nn.utils.spectral_norm(nn.Linear(2, 2)).to("cuda")
    s(torch.ones(1, 2, device="cuda")).sum().backward()
    from torch.nn.utils import parametrizations as P
    q = P.spectral_norm(nn.Linear(2, 2)).to("cuda")
    q(torch.ones(1, 2, device="cuda")).sum().backward()
    o = P.orthogonal(nn.Linear(2, 2)).to("cuda")
    o(torch.ones(1, 2, device="cuda"))
    nn.utils.parameters_to_vector(m.parameters())
    nn.utils.clip_grad_value_(m.parameters(), 1.0)


@case
def prune():
    import torch.nn.utils.prune as pr
    m = nn.Linear(4, 4).to("cuda")
    pr.l1_unstructured(m, "weight", 0.5)
    m(torch.ones(1, 4, device="cuda"))


@case
def rnns():
    x = torch.randn(3, 5, 4, device="cuda")
    l = torch.tensor([5, 3, 2])
    p = nn.utils.rnn.pack_padded_sequence(x, l, batch_first=True)
    o, h = nn.LSTM(4, 3, 2, bidirectional=True, batch_first=True).to("cuda")(p)
    y, n = nn.utils.rnn.pad_packed_sequence(o, batch_first=True)
    assert y.is_cuda and (not n.is_cuda)
    y.sum().backward()
    c = nn.LSTMCell(4, 3).to("cuda")
    h = c(x[0])
    nn.GRUCell(4, 3).to("cuda")(x[0])
    for net, state in ((nn.GRU(4, 3), torch.zeros(1, 5, 3)), (nn.RNN(4, 3), torch.zeros(1, 5, 3)),
                       (nn.LSTM(4, 3), (torch.zeros(1, 5, 3), torch.zeros(1, 5, 3)))):
        raises("Input and hidden tensors are not at the same device, found input tensor at cuda:0", lambda: net.to("cuda")(x, state))


@case
def losses():
    x = torch.randn(4, 3, device="cuda", requires_grad=True)
    y = torch.tensor([0, 1, 2, 0], device="cuda")
    p = torch.rand(4, 3, device="cuda")
    for l in (nn.CrossEntropyLoss(label_smoothing=0.1), nn.MultiMarginLoss(), nn.CrossEntropyLoss(weight=torch.ones(3, device="cuda"))):
        l(x, y).backward()
    for l in (nn.BCEWithLogitsLoss(pos_weight=torch.ones(3, device="cuda")), nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss(), nn.HuberLoss(), nn.KLDivLoss(), nn.PoissonNLLLoss(), nn.MultiLabelSoftMarginLoss(), nn.SoftMarginLoss()):
        l(x, p).backward()
    nn.GaussianNLLLoss()(x, p, torch.ones(4, 3, device="cuda"))
    nn.TripletMarginLoss()(x, p, p)
    nn.CosineEmbeddingLoss()(x, p, torch.ones(4, device="cuda"))
    nn.MarginRankingLoss()(x[:, 0], p[:, 0], torch.ones(4, device="cuda"))
    nn.CTCLoss()(torch.randn(5, 2, 4, device="cuda").log_softmax(2), torch.tensor([[1, 2], [1, 3]], device="cuda"), torch.tensor([5, 5]), torch.tensor([2, 2]))


@case
def rope():
    t_ = torch.arange(8, device="cuda").float()
    f = 1.0 / 10000 ** (torch.arange(0, 4, 2, device="cuda").float() / 4)
    fr = torch.outer(t_, f)
    e = torch.polar(torch.ones_like(fr), fr)
    q = torch.randn(1, 8, 2, 4, device="cuda")
    qc = torch.view_as_complex(q.float().reshape(1, 8, 2, 2, 2))
    r = torch.view_as_real(qc * e[None, :, None, :]).flatten(3)
    assert r.is_cuda
    cos = torch.cat((fr, fr), -1).cos()[None, :, None, :].to(q.dtype)
    x1, x2 = q.chunk(2, -1)
    q * cos + torch.cat((-x2, x1), -1) * cos


@case
def kvcache():
    k = torch.zeros(1, 2, 8, 4, device="cuda", dtype=torch.bfloat16)
    k[:, :, torch.arange(3, device="cuda")] = torch.ones(1, 2, 3, 4, device="cuda", dtype=torch.bfloat16)
    k[:, :, 3:5].copy_(torch.ones(1, 2, 2, 4))
    k.index_copy_(2, torch.tensor([1], device="cuda"), torch.ones(1, 2, 1, 4, device="cuda", dtype=torch.bfloat16))


@case
def sampling():
    l = torch.randn(2, 10, device="cuda")
    s, i = torch.sort(l, descending=True)
    c = torch.cumsum(F.softmax(s, -1), -1)
    m = c > 0.9
    m[..., 1:] = m[..., :-1].clone()
    m[..., 0] = 0
    l[m.scatter(1, i, m)] = -float("inf")
    torch.multinomial(F.softmax(l, -1), 1).squeeze(1)
    l.argmax(-1).tolist()
    torch.gumbel_softmax if 0 else F.gumbel_softmax(l)


@case
def moe():
    x = torch.randn(6, 4, device="cuda")
    g = torch.randn(6, 3, device="cuda").softmax(-1)
    w, i = g.topk(2, -1)
    out = torch.zeros_like(x)
    es = nn.ModuleList((nn.Linear(4, 4) for _ in range(3))).to("cuda")
    for n, e in enumerate(es):
        r, c = torch.where(i == n)
        out.index_add_(0, r, e(x[r]) * w[r, c, None])
    F.one_hot(i, 3).permute(2, 1, 0)
    out.sum().backward()


@case
def gan():
    g = nn.Linear(2, 2).to("cuda")
    d = nn.Linear(2, 1).to("cuda")
    r = torch.randn(3, 2, device="cuda")
    a = torch.rand(3, 1, device="cuda")
    f = g(r)
    h = (a * r + (1 - a) * f).requires_grad_(True)
    o = d(h)
    gr = torch.autograd.grad(o, h, torch.ones_like(o), create_graph=True, retain_graph=True)[0]
    ((gr.norm(2, dim=1) - 1) ** 2).mean().backward()


@case
def vae():
    mu = torch.zeros(2, 3, device="cuda", requires_grad=True)
    lv = torch.zeros(2, 3, device="cuda")
    z = mu + torch.randn_like(mu) * torch.exp(0.5 * lv)
    (-0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())).backward()
    z.detach().cpu().numpy()


@case
def rl():
    d = torch.distributions.Categorical(logits=torch.randn(4, 3, device="cuda", requires_grad=True))
    a = d.sample()
    (-d.log_prob(a) * torch.tensor([1.0, 2, 3, 4], device="cuda")).mean().backward()
    a.cpu().numpy()
    a[0].item()
    q = torch.randn(4, 3, device="cuda").gather(1, a[:, None]).squeeze(1)


@case
def gnn():
    n = torch.randn(4, 3, device="cuda")
    e = torch.tensor([[0, 1, 2], [1, 2, 3]], device="cuda")
    out = torch.zeros(4, 3, device="cuda").scatter_add_(0, e[1][:, None].expand(-1, 3), n[e[0]])
    torch.zeros(4, device="cuda").index_add_(0, e[1], torch.ones(3, device="cuda"))
    torch.scatter_reduce(torch.zeros(4, device="cuda"), 0, e[1], torch.ones(3, device="cuda"), "sum")
    torch.bincount(e[1], minlength=4)


@case
def vision():
    x = torch.randn(1, 3, 8, 8, device="cuda")
    F.interpolate(x, size=(4, 4), mode="bilinear", align_corners=False)
    F.grid_sample(x, F.affine_grid(torch.eye(2, 3, device="cuda")[None], x.shape))
    F.unfold(x, 2)
    F.pixel_shuffle(torch.randn(1, 4, 2, 2, device="cuda"), 2)
    F.adaptive_avg_pool2d(x, 1)
    F.max_pool2d(x, 2, return_indices=True)
    F.avg_pool2d(x, 2)
    F.pad(x, (1, 1, 1, 1), mode="reflect")
    nn.Upsample(scale_factor=2)(x)
    x.unfold(2, 2, 2)
    torch.nn.functional.normalize(x)
    x.flip(-1)
    x.roll(1, 2)


@case
def fft():
    torch.fft.irfft(torch.fft.rfft(torch.randn(8, device="cuda")))
    torch.stft(torch.randn(64, device="cuda"), 16, return_complex=True, window=torch.hann_window(16, device="cuda"))


@case
def linalg():
    a = torch.randn(3, 3, device="cuda")
    torch.linalg.inv(a)
    torch.linalg.svd(a)
    torch.linalg.qr(a)
    torch.linalg.eigh(a @ a.T)
    torch.linalg.solve(a, a)
    torch.linalg.norm(a)
    torch.det(a)
    torch.linalg.lstsq(a, a)
    torch.linalg.pinv(a)
    torch.cholesky_solve(a, torch.linalg.cholesky(a @ a.T + torch.eye(3, device="cuda")))
    torch.trace(a)
    torch.linalg.matrix_rank(a)
    a.inverse()
    torch.einsum("ij,kj->ik", a, a)
    torch.cdist(a, a)
    torch.kron(a, a)


@case
def grad_penalties():
    x = torch.ones(2, device="cuda", requires_grad=True)
    torch.autograd.functional.jacobian(lambda v: v ** 2, x)
    torch.autograd.functional.hessian(lambda v: (v ** 3).sum(), x)


@case
def checkpointing():
    from torch.utils.checkpoint import checkpoint, checkpoint_sequential
    m = nn.Sequential(nn.Linear(2, 2), nn.Dropout(), nn.Linear(2, 2)).to("cuda")
    x = torch.ones(1, 2, device="cuda", requires_grad=True)
    checkpoint_sequential(m, 2, x).sum().backward()
    checkpoint(m, x, use_reentrant=False).sum().backward()


@case
def hooks():
    m = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).to("cuda")
    s = []
    m[0].register_forward_hook(lambda a, b, c: s.append(c.is_cuda))
    m[0].register_full_backward_hook(lambda a, b, c: s.append(c[0].is_cuda))
    m[0].register_forward_pre_hook(lambda a, b: s.append(b[0].is_cuda))
    m(torch.ones(1, 2, device="cuda")).sum().backward()
    assert s == [True] * 3, s


@case
def saved_hooks():
    with torch.autograd.graph.save_on_cpu():
        y = (torch.ones(2, device="cuda", requires_grad=True) ** 2).sum()
    y.backward()


@case
def inference():
    with torch.inference_mode():
        nn.Linear(2, 2).to("cuda")(torch.ones(1, 2, device="cuda"))


@case
def meters():
    tot = torch.zeros(3, 3, device="cuda", dtype=torch.int64)
    p = torch.tensor([0, 1], device="cuda")
    tot.index_put_((p, p), torch.ones(2, device="cuda", dtype=torch.int64), accumulate=True)
    (p == p).float().mean().item()
    print(f"{tot.sum():d} {tot.float().mean():.3f}", file=open("/dev/null", "w"))
    torch.stack([torch.tensor(1.0, device="cuda")] * 2).mean().cpu().item()
    sum([torch.tensor(1.0, device="cuda")] * 2) / 2
    max(torch.tensor(1.0, device="cuda"), torch.tensor(2.0, device="cuda"))
    round(float(torch.tensor(1.0, device="cuda")), 2)


@case
def batch_utils():
    b = {"a": torch.ones(2), "b": [torch.ones(1)]}
    b = {k: v.to("cuda", non_blocking=True) if torch.is_tensor(v) else [x.to("cuda") for x in v] for k, v in b.items()}
    from torch.utils.data import default_collate
    default_collate([torch.ones(2, device="cuda")] * 2)


@case
def lookahead_loader():
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        x = torch.ones(2).pin_memory().cuda(non_blocking=True)
    torch.cuda.current_stream().wait_stream(s)
    x.record_stream(torch.cuda.current_stream())
    s.synchronize()


@case
def lazy():
    m = nn.LazyLinear(3).to("cuda")
    m(torch.ones(2, 4, device="cuda"))
    nn.LazyConv2d(2, 3).to("cuda")(torch.ones(1, 3, 8, 8, device="cuda"))


@case
def mha():
    m = nn.MultiheadAttention(8, 2, batch_first=True).to("cuda")
    x = torch.randn(2, 3, 8, device="cuda")
    m(x, x, x, key_padding_mask=torch.zeros(2, 3, dtype=torch.bool, device="cuda"))
    nn.TransformerDecoderLayer(8, 2, batch_first=True).to("cuda")(x, x)
    e = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=True), 2).to("cuda").eval()
    e(x, src_key_padding_mask=torch.tensor([[False, False, True], [False, True, True]], device="cuda"))
    m.half()(x.half(), x.half(), x.half())


@case
def fp16_optim():
    m = nn.Linear(2, 2).to("cuda").half()
    master = [p.detach().clone().float().requires_grad_() for p in m.parameters()]
    o = optim.SGD(master, 0.1)
    m(torch.ones(1, 2, device="cuda").half()).float().sum().backward()
    for a, b in zip(master, m.parameters()):
        a.grad = b.grad.float() / 128
    o.step()
    for a, b in zip(master, m.parameters()):
        b.data.copy_(a.data)


@case
def bf16_stochastic():
    x = torch.randn(4, device="cuda")
    r = x.view(torch.int32)
    r.add_(torch.randint(0, 1 << 16, (4,), device="cuda", dtype=torch.int32)).bitwise_and_(-65536)
    x.bfloat16()


@case
def quant():
    x = torch.randn(4, 4, device="cuda")
    s = x.abs().amax(-1, keepdim=True) / 127
    q = (x / s).round().clamp(-128, 127).to(torch.int8)
    q.float() * s


@case
def cuda_tensors():
    torch.cuda.FloatTensor(2, 2).fill_(1)
    torch.cuda.LongTensor([1])
    x = torch.ones(1).type(torch.cuda.FloatTensor)


@case
def buffers():

    class M(nn.Module):

        def __init__(s):
            super().__init__()
            s.register_buffer("m", torch.zeros(2))
            s.register_buffer("c", torch.tensor(0))

        def forward(s, x):
            s.m = s.m * 0.9 + x.mean(0) * 0.1
            s.c += 1
            return x - s.m
    m = M().to("cuda")
    m(torch.ones(3, 2, device="cuda"))
    assert m.m.is_cuda and m.c.is_cuda


@case
def memfmt():
    x = torch.randn(1, 3, 4, 4, device="cuda").to(memory_format=torch.channels_last)
    nn.Conv2d(3, 2, 1).to("cuda").to(memory_format=torch.channels_last)(x)
    x.contiguous(memory_format=torch.channels_last).is_contiguous()


@case
def autocast_funcs():

    class Fn(torch.autograd.Function):

        @staticmethod
        @torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)
        def forward(ctx, x):
            ctx.save_for_backward(x)
            assert x.dtype == torch.float32
            return x * 2

        @staticmethod
        @torch.cuda.amp.custom_bwd
        def backward(ctx, g):
            ctx.saved_tensors
            return g * 2
    with torch.cuda.amp.autocast():
        Fn.apply(torch.ones(2, device="cuda", requires_grad=True).half()).sum().backward()

    @torch.cuda.amp.autocast()
    def f(x):
        return x @ x
    assert f(torch.ones(2, 2, device="cuda")).dtype == torch.half
