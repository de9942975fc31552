import torch


class Transform:
    dtype = torch.float64
    mean = 0.5

    def __call__(self, x):
        return (x.to(self.dtype) - self.mean) / 2


class FloatTransform(Transform):
    std = 2.0


class Pipeline:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for s in self.steps:
            x = s(x)
        return x


pipe = Pipeline(FloatTransform(), lambda t: t.flatten(1))
w = torch.randn(12, 2)
print(pipe(torch.rand(5, 3, 4)) @ w)
