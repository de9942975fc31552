import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 9, padding=4)

    def forward(self, wave):
        return self.conv(wave)


def energy_loss(model, wave, target):
    with torch.autocast("cuda", dtype=torch.float16):
        out = model(wave * 4096.0)
        energy = out.float().square().sum(-1)
    return (energy.float().log() - target).abs().mean()


def main():
    torch.manual_seed(0)
    model = Encoder().cuda()
    wave = torch.rand(2, 1, 16000, device="cuda") * 2 - 1
    print(energy_loss(model, wave, torch.zeros(2, 4, device="cuda")).item())


if __name__ == "__main__":
    main()
