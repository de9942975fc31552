import torch
from torch import nn

gen, disc = nn.Linear(4, 4).cuda(), nn.Linear(4, 1).cuda()
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-4)
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")


def step(loss, optimizer, params):
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(params, 1.0)
    scaler.step(optimizer)


for i in range(3):
    z = torch.randn(8, 4, device="cuda")
    with torch.amp.autocast("cuda"):
        d_loss = disc(gen(z).detach()).mean()
    step(d_loss, opt_d, disc.parameters())
    with torch.amp.autocast("cuda"):
        g_loss = -disc(gen(z)).mean()
    step(g_loss, opt_g, gen.parameters())
    scaler.update()
