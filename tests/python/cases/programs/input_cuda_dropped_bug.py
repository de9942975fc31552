import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 10, kernel_size=5)
        self.fc = nn.Linear(1440, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = x.view(x.size(0), -1)
        return F.log_softmax(self.fc(x), dim=1)


model = Net()
model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
dataset = TensorDataset(torch.rand(8, 1, 28, 28), torch.randint(0, 10, (8,)))


def train(epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(DataLoader(dataset, batch_size=4)):
        data.cuda()
        target.cuda()
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()


for epoch in range(1, 3):
    train(epoch)
