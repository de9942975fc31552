# Datasets, samplers, loaders.
from torch.utils.data.dataloader import DataLoader, default_collate, default_convert, get_worker_info
from torch.utils.data.dataset import (
    ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split,
)
from torch.utils.data.sampler import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)
from torch.utils.data.distributed import DistributedSampler
