import torch


class Trainer:
    def __init__(self, precision=32, max_epochs=1):
        self.precision = precision
        self.max_epochs = max_epochs
        self.scaler = torch.cuda.amp.GradScaler(enabled=precision == 16)

    def fit(self, model, batches):
        optimizer = model.configure_optimizers()
        for epoch in range(self.max_epochs):
            for batch in batches:
                with torch.cuda.amp.autocast(enabled=self.precision == 16):
                    loss = model.training_step(batch)
                self.scaler.scale(loss).backward()
                self.scaler.step(optimizer)
                self.scaler.update()
                optimizer.zero_grad()
