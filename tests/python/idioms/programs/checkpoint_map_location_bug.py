import io

import torch
from torch import nn


def save(model, optimizer, step):
    buf = io.BytesIO()
    torch.save({"model": model.state_dict(), "opt": optimizer.state_dict(), "step": step,
                "mean": model.mean}, buf)
    buf.seek(0)
    return buf


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        return self.fc(x - self.mean)


net = Net().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ckpt = save(net, opt, 10)
state = torch.load(ckpt, map_location="cpu")
fresh = Net().cuda()
fresh.load_state_dict(state["model"])
fresh.mean = state["mean"]
print(fresh(torch.randn(2, 3, device="cuda")))
