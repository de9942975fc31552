import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pixor(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.ReLU())
        self.head = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        return self.head(self.block(x))


def evaluate_model(model, loader, device):
    model.eval()
    results = {"loss": torch.zeros(1, device=device), "n": 0}
    with torch.no_grad():
        for x, y in loader:
            out = model(x.to(device))
            results["loss"] += (out - y.to(device)).abs().mean()
            results["n"] += 1
    return results


def main():
    device = torch.device("cuda:0")
    data = TensorDataset(torch.rand(4, 4, 8, 8), torch.rand(4, 1, 8, 8))
    loader = DataLoader(data, batch_size=2)
    pixor = Pixor()
    eval_dict = evaluate_model(pixor, loader, device)
    print(eval_dict["loss"].to(device) / eval_dict["n"])


if __name__ == "__main__":
    main()
