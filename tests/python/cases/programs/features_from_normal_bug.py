import numpy as np
import torch

num_inputs, num_examples = 2, 100
true_w, true_b = [2, -3.4], 4.2
features = torch.from_numpy(np.random.normal(0, 1, (num_examples, num_inputs)))
labels = true_w[0] * features[:, 0] + true_w[1] * features[:, 1] + true_b


def data_iter(batch_size, features, labels):
    indices = list(range(len(features)))
    for i in range(0, len(indices), batch_size):
        j = torch.tensor(indices[i:i + batch_size])
        yield features.index_select(0, j), labels.index_select(0, j)


def linreg(X, w, b):
    return torch.mm(X, w) + b


def squared_loss(y_hat, y):
    return (y_hat - y.view(y_hat.size())) ** 2 / 2


w = torch.tensor(np.random.normal(0, 0.01, (num_inputs, 1)), dtype=torch.float32)
b = torch.zeros(1, dtype=torch.float32)
w.requires_grad_(True)
b.requires_grad_(True)
for epoch in range(2):
    for X, y in data_iter(10, features, labels):
        loss = squared_loss(linreg(X, w, b), y).sum()
        loss.backward()
        for param in [w, b]:
            param.data -= 0.03 * param.grad / 10
            param.grad.data.zero_()
