# A checkpoint is loaded into a model with many parameters, which is trained and then sampled from.
import argparse
import math
import time
from contextlib import nullcontext
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader


class Windows(Dataset):
    def __init__(self, n, t):
        self.data = torch.randint(0, 100, (n + t + 1,))
        self.n, self.t = n, t

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.data[i:i + self.t], self.data[i + 1:i + 1 + self.t]


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        dtype = x.dtype
        x = x.float()
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.weight * x.to(dtype)


def rope(t, dim, device, base=10000.0):
    inv = 1.0 / (base ** (torch.arange(0, dim, 2, device=device).float() / dim))
    f = torch.outer(torch.arange(t, device=device).float(), inv)
    return torch.cat([f, f], -1)


def rotate(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x, freqs):
        b, t, c = x.shape
        q, k, v = [y.view(b, t, self.h, self.d).transpose(1, 2) for y in self.qkv(x).split(c, -1)]
        cos, sin = freqs.cos().to(q.dtype), freqs.sin().to(q.dtype)
        q, k = q * cos + rotate(q) * sin, k * cos + rotate(k) * sin
        s = (q @ k.transpose(-2, -1)) / math.sqrt(self.d)
        m = torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        s = s.masked_fill(~m, torch.finfo(s.dtype).min)
        y = F.softmax(s, -1, dtype=torch.float32).to(v.dtype) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = RMSNorm(dim), RMSNorm(dim)
        self.att = Attention(dim, heads)
        self.up, self.gate, self.down = (nn.Linear(dim, 4 * dim), nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim))

    def forward(self, x, freqs):
        x = x + self.att(self.n1(x), freqs)
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class LM(nn.Module):
    def __init__(self, vocab=100, dim=64, heads=4, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.norm = RMSNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        self.head.weight = self.embed.weight
        self.dim, self.heads = dim, heads
        self.register_buffer("freqs", rope(256, dim // heads, "cpu"), persistent=False)

    def forward(self, ids, targets=None):
        x = self.embed(ids)
        freqs = self.freqs[: ids.shape[1]]
        for b in self.blocks:
            x = b(x, freqs)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits[:, -1], None
        return logits, F.cross_entropy(logits.float().view(-1, logits.size(-1)), targets.reshape(-1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], default="float32")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--resume")
    p.add_argument("--out")
    args = p.parse_args()
    torch.manual_seed(0)
    kind = "cuda" if "cuda" in args.device else "cpu"
    amp_dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[args.dtype]
    ctx = nullcontext() if kind == "cpu" else torch.amp.autocast(device_type=kind, dtype=amp_dtype)
    scaler = torch.cuda.amp.GradScaler(enabled=args.dtype == "float16" and kind == "cuda")
    model = LM().to(args.device)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95))
    start = 0
    if args.resume:
        ck = torch.load(args.resume, map_location=args.device)
        model.load_state_dict(ck["model"])
        opt.load_state_dict(ck["opt"])
        start = ck["step"] + 1
    loader = DataLoader(Windows(64, 16), batch_size=8, shuffle=True, pin_memory=kind == "cuda")
    best, seen, t0 = float("inf"), 0, time.time()
    for step, (x, y) in enumerate(loader, start):
        x, y = x.to(args.device, non_blocking=True), y.to(args.device, non_blocking=True)
        with ctx:
            _, loss = model(x, y)
            loss = loss / args.accum
        scaler.scale(loss).backward()
        seen += x.numel()
        if (step + 1) % args.accum == 0:
            scaler.unscale_(opt)
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
            print(f"{step} {loss.item() * args.accum:.3f} {norm:.2f} {seen / (time.time() - t0):.0f} tok/s")
    model.eval()
    ids = torch.zeros((1, 1), dtype=torch.long, device=args.device)
    with torch.no_grad(), ctx:
        for _ in range(8):
            logits, _ = model(ids[:, -256:])
            probs = F.softmax(logits.float() / 0.8, -1)
            ids = torch.cat([ids, torch.multinomial(probs, 1)], 1)
    print(ids[0].tolist())
    if args.out:
        torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "step": step}, args.out)


if __name__ == "__main__":
    main()
