# What items datasets have.
class Dataset:
    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        t = self.tensors  # the usual numbers one by one, so that each keeps its dtype
        if len(t) == 1:
            return (t[0][index],)
        if len(t) == 2:
            return t[0][index], t[1][index]
        if len(t) == 3:
            return t[0][index], t[1][index], t[2][index]
        if len(t) == 4:
            return t[0][index], t[1][index], t[2][index], t[3][index]
        return tuple([x[index] for x in t])

    def __len__(self):
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    def __init__(self, *args, **kwargs):
        self.datasets = kwargs if kwargs else args

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {k: d[index] for k, d in self.datasets.items()}
        return tuple([d[index] for d in self.datasets])

    def __len__(self):
        return len(self.datasets[0])


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __getitem__(self, index):  # of one of them
        for dataset in self.datasets:
            if index < len(dataset):
                return dataset[index]
            index -= len(dataset)
        raise IndexError(index)

    def __len__(self):
        return sum([len(d) for d in self.datasets])


class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            for x in dataset:
                yield x


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    return [Subset(dataset, range(length)) for length in lengths]
