import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Scenes(Dataset):
    def __init__(self, count, size):
        self.count, self.size = count, size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        image = torch.rand(3, self.size, self.size)
        label = torch.randint(0, 19, (self.size, self.size))
        return {"image": image, "label": label}


def downsample(label, scale):
    h, w = label.shape[-2:]
    small = F.interpolate(label.unsqueeze(1), size=(h // scale, w // scale), mode="bilinear")
    return small.squeeze(1).long()


def main():
    loader = DataLoader(Scenes(8, 32), batch_size=4)
    for batch in loader:
        targets = [downsample(batch["label"], s) for s in (2, 4, 8)]
        print([tuple(t.shape) for t in targets])


if __name__ == "__main__":
    main()
