# The gradients of one optimizer are unscaled, and those of the other are clipped, too.
import torch
from torch import nn

body = nn.Sequential(nn.Linear(8, 16), nn.ReLU()).cuda()
head = nn.Linear(16, 2).cuda()
of_body = torch.optim.AdamW(body.parameters(), lr=1e-4)
of_head = torch.optim.AdamW(head.parameters(), lr=1e-2)
scaler = torch.cuda.amp.GradScaler()


def train():
    for _ in range(10):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = head(body(torch.randn(4, 8, device="cuda"))).square().mean()
        of_body.zero_grad()
        of_head.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(of_body)
        nn.utils.clip_grad_norm_(body.parameters(), 1.0)
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)  # expect: clip-before-unscale warning
        scaler.step(of_body)
        scaler.step(of_head)
        scaler.update()


def train_both():
    for _ in range(10):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = head(body(torch.randn(4, 8, device="cuda"))).square().mean()
        of_body.zero_grad()
        of_head.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(of_body)
        nn.utils.clip_grad_norm_(body.parameters(), 1.0)
        scaler.unscale_(of_head)
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        scaler.step(of_body)
        scaler.step(of_head)
        scaler.update()


train_both()
train()
