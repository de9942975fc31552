import torch


class MotionDetector:
    def __init__(self, threshold=25):
        self.threshold = threshold
        self.previous = None

    def __call__(self, frame):
        if self.previous is None:
            self.previous = frame
            return torch.zeros_like(frame, dtype=torch.bool)
        moved = (frame.int() - self.previous).abs() > self.threshold
        self.previous = frame
        return moved


def camera(n):
    for _ in range(n):
        yield torch.randint(0, 256, (48, 64), dtype=torch.uint8)


detector = MotionDetector()
for frame in camera(5):
    mask = detector(frame)
    print(mask.float().mean().item())
