# Progress bars go through what they are given.
class tqdm:
    def __init__(self, iterable=None, *args, **kwargs):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def update(self, n=1):
        pass

    def set_description(self, desc=None, refresh=True):
        pass

    def set_postfix(self, *args, **kwargs):
        pass

    def set_postfix_str(self, s="", refresh=True):
        pass

    def refresh(self):
        pass

    def reset(self, total=None):
        pass

    def close(self):
        pass

    @staticmethod
    def write(s, *args, **kwargs):
        pass


def trange(*args, **kwargs):
    return tqdm(range(*args))
