import torch


def discounted(rewards, gamma):
    rewards = torch.tensor(rewards, dtype=torch.float32)
    returns = torch.zeros_like(rewards)
    total = 0.0
    for t in reversed(range(len(rewards))):
        total = rewards[t].item() + gamma * total
        returns[t] = total
    return returns


def scaled(sizes, factor=2):
    out = torch.zeros_like(sizes)
    for i in range(len(sizes)):
        out[i] = factor * sizes[i].item()
    return out


def rounded(sizes, factor=1.5):
    out = torch.zeros_like(sizes)
    for i in range(len(sizes)):
        out[i] = round(factor * sizes[i].item())
    return out


def main(gamma=0.95):
    print(discounted([1, 0, -1, 1], gamma))


main()
print(scaled(torch.tensor([3, 4, 5])), rounded(torch.tensor([3, 4, 5])))
