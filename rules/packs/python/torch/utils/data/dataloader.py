# A loader yields some number of batches; each is made of items of the dataset by collate_fn.
import _mc
from torch.utils.data.dataset import IterableDataset


def default_collate(batch):
    return _mc.collate(batch[0])


def default_convert(data):
    return _mc.collate(data)


def get_worker_info():
    return None


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, **options):
        self.dataset = dataset
        # One that is not known is a number: who wants no batches writes None.
        self.batch_size = int(_mc.unknown()) if _mc.is_open(batch_size) else batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn
        self.pin_memory = pin_memory
        self.drop_last = drop_last

    def _item(self):
        if isinstance(self.dataset, IterableDataset):
            return next(iter(self.dataset))
        return self.dataset[int(_mc.unknown())]

    def _batch(self):
        item = self._item()
        if self.collate_fn is not None:
            if self.batch_size is None and self.batch_sampler is None:
                return self.collate_fn(item)
            return self.collate_fn([item, self._item()])
        if self.batch_size is None and self.batch_sampler is None:
            return item
        return _mc.collate(item)

    def _batches(self):
        while _mc.unknown():
            yield self._batch()

    def __iter__(self):
        return _mc.rounds(self._batches(), len(self))

    def __len__(self):
        if self.sampler is not None or self.batch_sampler is not None or not hasattr(self.dataset, "__len__"):
            return int(_mc.unknown())
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        if self.drop_last:
            return count // self.batch_size
        return (count + self.batch_size - 1) // self.batch_size
