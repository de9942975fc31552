import numpy as np
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, pixels):
        return self.pool(self.stem(pixels)).flatten(1)


class Recognizer:
    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = Encoder().eval()
        self.model.to(self.device)
        if self.device == "cuda":
            self.model = self.model.half()

    def preprocess(self, image):
        pixels = torch.from_numpy(image.astype(np.float32) / 255.0)
        pixels = pixels.permute(2, 0, 1).unsqueeze(0)
        return pixels.to(self.device)

    @torch.no_grad()
    def chat(self, image):
        pixels = self.preprocess(image)
        pixels = pixels.half()
        return self.model(pixels)


if __name__ == "__main__":
    recognizer = Recognizer()
    image = np.random.randint(0, 255, (32, 32, 3), dtype=np.uint8)
    print(recognizer.chat(image).shape)
