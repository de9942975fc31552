import torch


class Warmup:
    def __init__(self, opt, steps):
        self.opt, self.steps = opt, steps
        self.count = torch.zeros((), dtype=torch.long)

    def step(self):
        self.count += 1
        scale = torch.clamp(self.count, max=self.steps) / self.steps
        for g in self.opt.param_groups:
            g["lr"] = 0.1 * scale.item()


if __name__ == "__main__":
    w = torch.nn.Parameter(torch.ones(2))
    opt = torch.optim.SGD([w], lr=0.1)
    sched = Warmup(opt, 10)
    for _ in range(3):
        opt.zero_grad()
        w.sum().backward()
        sched.step()
        opt.step()
    print(opt.param_groups[0]["lr"])
