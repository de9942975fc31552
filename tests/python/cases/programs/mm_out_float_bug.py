import torch


class Accumulator:
    """Keeps the products of all steps in float32."""

    def __init__(self, n, device):
        self.buffer = torch.empty(n, n, dtype=torch.float32, device=device)
        self.total = torch.zeros(n, n, dtype=torch.float32, device=device)

    def add(self, a, b):
        torch.mm(a, b, out=self.buffer)
        self.total += self.buffer


def main():
    device = torch.device("cuda")
    acc = Accumulator(64, device)
    for step in range(4):
        a = torch.randn(64, 64, device=device).half()
        b = torch.randn(64, 64, device=device).half()
        acc.add(a, b)
    print(acc.total.norm())


if __name__ == "__main__":
    main()
