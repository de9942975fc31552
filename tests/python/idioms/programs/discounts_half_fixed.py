import torch


def returns(rewards, gamma=0.999):
    steps = rewards.shape[0]
    discounts = torch.tensor(gamma, dtype=torch.float32) ** torch.arange(steps)
    return (rewards * discounts.float()).sum()


def main():
    torch.manual_seed(0)
    rewards = torch.ones(2000)
    print(returns(rewards).item())


main()
