import torch
import torch.nn.functional as F
from torch import nn


class MoCo(nn.Module):
    def __init__(self, make_encoder, dim=16, size=64, m=0.99, tau=0.2):
        super().__init__()
        self.q_enc, self.k_enc = make_encoder(), make_encoder()
        self.m, self.tau, self.size = m, tau, size
        for q, k in zip(self.q_enc.parameters(), self.k_enc.parameters()):
            k.data.copy_(q.data)
            k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum(self):
        for q, k in zip(self.q_enc.parameters(), self.k_enc.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n, p = keys.size(0), int(self.ptr)
        self.queue[:, p:p + n] = keys.t()
        self.ptr[0] = (p + n) % self.size

    def forward(self, a, b):
        q = F.normalize(self.q_enc(a), dim=1)
        with torch.no_grad():
            self._momentum()
            k = F.normalize(self.k_enc(b), dim=1)
        pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([pos, neg], dim=1) / self.tau
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._enqueue(k)
        return F.cross_entropy(logits, labels)


net = MoCo(lambda: nn.Linear(32, 16)).cuda()
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.03)
for _ in range(3):
    x = torch.randn(8, 32, device="cuda")
    loss = net(x, x + 0.1 * torch.randn_like(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
