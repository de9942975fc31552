"""What shadow values cost a PyTorch program: the training step of a GPT with 6 layers of width 384, alone and by
`miscast run`, in f32 and under autocast.

    python3 tests/bench/run_torch.py MISCAST|WATCHER [--device cpu|cuda] [--batch N] [--steps N] [--bar RATIO]

Instead of miscast, the folder of its watcher will do, without a report. Times are wall clock on cuda, and CPU time on the CPU, which other programs on the machine do not change; the median of
the steps after the first two. The sizes are those of nanoGPT's smallest configuration (256 tokens, batches of 64 on a
GPU). Exit code 1: some ratio is above the bar."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

WARM = 2


def options():
    p = argparse.ArgumentParser()
    p.add_argument("miscast", nargs="?")
    p.add_argument("--device", default="cpu")
    p.add_argument("--batch", type=int)
    p.add_argument("--tokens", type=int)
    p.add_argument("--steps", type=int, default=4)
    p.add_argument("--bar", type=float, default=8)
    p.add_argument("--precision", help=argparse.SUPPRESS)
    p.add_argument("--only")
    args = p.parse_args()
    cuda = args.device == "cuda"
    args.batch = args.batch or (64 if cuda else 4)
    args.tokens = args.tokens or (256 if cuda else 128)
    return args


def model_of(tokens):
    import torch.nn.functional as F
    from torch import nn
    import torch

    class Block(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.drop = nn.Dropout(0.2)

        def attend(self, q, k, v):
            if hasattr(F, "scaled_dot_product_attention"):
                return F.scaled_dot_product_attention(q, k, v, is_causal=True)
            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
            keep = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
            return scores.masked_fill(~keep, float("-inf")).softmax(-1) @ v

        def forward(self, x):
            b, t, c = x.shape
            parts = self.qkv(self.norm1(x)).split(c, dim=2)
            q, k, v = (p.view(b, t, self.heads, c // self.heads).transpose(1, 2) for p in parts)
            x = x + self.drop(self.out(self.attend(q, k, v).transpose(1, 2).reshape(b, t, c)))
            return x + self.drop(self.down(F.gelu(self.up(self.norm2(x)))))

    class GPT(nn.Module):
        def __init__(self, words=65, width=384, layers=6, heads=6):
            super().__init__()
            self.words, self.places = nn.Embedding(words, width), nn.Embedding(tokens, width)
            self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

        def forward(self, ids, targets):
            x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
            for block in self.blocks:
                x = block(x)
            return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), targets.flatten())

    return GPT()


def train(args):
    """The program that is measured; prints the time of each step."""
    import torch

    cuda = args.device == "cuda"
    torch.manual_seed(0)
    model = model_of(args.tokens).to(args.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    half = {"f16": torch.float16, "bf16": torch.bfloat16}.get(args.precision)
    scaler = torch.cuda.amp.GradScaler(enabled=cuda and args.precision == "f16")
    now = time.perf_counter if cuda else time.process_time
    times = []
    for _ in range(WARM + args.steps):
        if cuda:
            torch.cuda.synchronize()
        begun = now()
        ids = torch.randint(0, 65, (args.batch, args.tokens + 1), device=args.device)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(args.device, dtype=half or torch.bfloat16, enabled=half is not None):
            loss = model(ids[:, :-1], ids[:, 1:])
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if cuda:
            torch.cuda.synchronize()
        times.append(now() - begun)
    memory = torch.cuda.max_memory_allocated() if cuda else peak()
    print("TIMES", json.dumps([times[WARM:], memory]))


def peak():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(args, precision, miscast):
    command = [sys.executable, os.path.abspath(__file__), "--device", args.device, "--batch", str(args.batch),
               "--tokens", str(args.tokens), "--steps", str(args.steps), "--precision", precision]
    env = dict(os.environ)
    if miscast and os.path.isdir(miscast):
        env.update(MISCAST_RUN=os.devnull, PYTHONPATH=os.path.join(os.path.abspath(miscast), "inject"))
    elif miscast:
        command = [miscast, "run", "--exit-zero", "--"] + command
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, env=env)
    found = [l for l in done.stdout.splitlines() if l.startswith("TIMES ")]
    if not found:
        print(done.stdout[-2000:])
        return None
    times, memory = json.loads(found[0][6:])
    said = [l for l in done.stdout.splitlines() if not l.startswith("TIMES ")]
    return statistics.median(times), memory, said


def main():
    args = options()
    if args.precision:
        return train(args)
    import torch

    print("torch %s, %s, batch %d of %d tokens" % (torch.__version__, args.device, args.batch, args.tokens))
    print("%-6s %10s %10s %7s %8s" % ("", "alone", "shadow", "ratio", "memory"))
    above = False
    wanted = ["f32", "bf16", "f16"] if args.device == "cuda" else ["f32", "bf16"]
    for precision in [args.only] if args.only else wanted:
        alone, shadow = measure(args, precision, None), measure(args, precision, args.miscast)
        if alone is None or shadow is None:
            print("%-6s not measured" % precision)
            continue
        ratio = shadow[0] / alone[0]
        above |= ratio > args.bar
        print("%-6s %7.1f ms %7.1f ms %6.2fx %7.2fx" % (precision, 1e3 * alone[0], 1e3 * shadow[0], ratio,
                                                        shadow[1] / alone[1]))
        for line in shadow[2]:
            print("    " + line)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
