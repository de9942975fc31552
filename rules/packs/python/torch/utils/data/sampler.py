# Samplers give indices; which ones is not known.
import _mc


class Sampler:
    def __init__(self, data_source=None):
        self.data_source = data_source

    def __iter__(self):
        while _mc.unknown():
            yield int(_mc.unknown())

    def __len__(self):
        return int(_mc.unknown())


class SequentialSampler(Sampler):
    pass


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        super().__init__(data_source)


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        super().__init__()
        self.indices = indices


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        super().__init__()
        self.weights = weights
        self.num_samples = num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        super().__init__()
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        while _mc.unknown():
            yield list(self.sampler)
