import torch
import torch.nn as nn


class ResNet(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 7, stride=2)
        self.bn1 = nn.BatchNorm2d(16)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.flatten(self.pool(x), 1)
        return self.fc(x)


def build(num_classes, device):
    model = ResNet().to(device)
    model.fc = nn.Linear(model.fc.in_features, num_classes).to(device)
    return model


def train(model, device, epochs=1):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.cuda.amp.GradScaler()
    for _ in range(epochs):
        inputs = torch.randn(4, 3, 32, 32, device=device)
        labels = torch.randint(0, 10, (4,), device=device)
        with torch.cuda.amp.autocast():
            outputs = model(inputs)
            loss = criterion(outputs, labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


device = torch.device("cuda:0")
train(build(10, device), device)
