import torch


class ReturnEstimator:
    def __init__(self, gamma=0.995, dtype=torch.bfloat16):
        self.gamma, self.dtype = gamma, dtype

    def weights(self, steps):
        exponent = torch.arange(steps, dtype=torch.float32)
        return self.gamma**exponent

    def __call__(self, rewards):
        return (rewards.float() * self.weights(rewards.shape[-1])).sum(-1)


estimate = ReturnEstimator()
print(estimate(torch.ones(2, 1000)))
