import torch
from mask_head import MaskRCNNHead


class AMPTrainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.grad_scaler = torch.cuda.amp.GradScaler()

    def run_step(self, data):
        with torch.cuda.amp.autocast():
            losses = self.model(*data)
        self.optimizer.zero_grad()
        self.grad_scaler.scale(losses).backward()
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()


model = MaskRCNNHead().cuda()
trainer = AMPTrainer(model, torch.optim.SGD(model.parameters(), lr=0.02))
for _ in range(2):
    trainer.run_step((torch.randn(2, 8, 4, 4).cuda(), torch.rand(2, 1, 4, 4).round().cuda()))
