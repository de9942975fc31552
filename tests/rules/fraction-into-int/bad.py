import torch


def discounted(rewards, gamma):
    rewards = torch.tensor(rewards)
    returns = torch.zeros_like(rewards)
    total = 0.0
    for t in reversed(range(len(rewards))):
        total = rewards[t].item() + gamma * total
        returns[t] = total  # expect: fraction-into-int warning
    return returns


def shares(counts, rate=0.3):
    out = torch.zeros_like(counts)
    for i in range(len(counts)):
        out[i] = rate * float(counts[i])  # expect: fraction-into-int warning
    return out


def main(gamma=0.95):
    print(discounted([1, 0, -1, 1], gamma))


main()
print(shares(torch.tensor([3, 4, 5])))
