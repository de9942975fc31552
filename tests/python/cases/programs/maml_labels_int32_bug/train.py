import torch

from meta import Meta
from omniglot import OmniglotNShot


def main():
    db = OmniglotNShot(5, 1)
    maml = Meta(5)
    for step in range(2):
        x_spt, y_spt = db.next()
        x_spt, y_spt = torch.from_numpy(x_spt), torch.from_numpy(y_spt)
        print(maml(x_spt, y_spt))


if __name__ == "__main__":
    main()
