import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, n):
        self.items = [(i, (i * 7) % 10, float(i % 5)) for i in range(1, n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    users, movies, ratings = map(torch.tensor, zip(*batch))
    return {"user": users, "movie": movies, "rating": ratings}


class Factorization(nn.Module):
    def __init__(self, users, movies, k=4):
        super().__init__()
        self.u = nn.Embedding(users, k)
        self.m = nn.Embedding(movies, k)

    def forward(self, user, movie, **_):
        return (self.u(user) * self.m(movie)).sum(-1)


def main():
    net = Factorization(40, 10).cuda()
    opt = torch.optim.Adam(net.parameters())
    for batch in DataLoader(Pairs(40), batch_size=8, collate_fn=collate, shuffle=True):
        batch = {k: v.cuda() for k, v in batch.items()}
        loss = nn.functional.mse_loss(net(**batch), batch["rating"])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
