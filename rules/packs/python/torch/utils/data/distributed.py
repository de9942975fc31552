from torch.utils.data.sampler import Sampler


class DistributedSampler(Sampler):
    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        super().__init__(dataset)
        self.dataset = dataset
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch
