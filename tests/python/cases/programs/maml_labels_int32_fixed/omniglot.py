import numpy as np


class OmniglotNShot:
    def __init__(self, n_way, k_shot, task_num=2):
        self.n_way, self.k_shot, self.task_num = n_way, k_shot, task_num

    def next(self):
        x_spts, y_spts = [], []
        for _ in range(self.task_num):
            x = np.random.rand(self.n_way * self.k_shot, 16).astype(np.float32)
            y = np.repeat(np.arange(self.n_way), self.k_shot)
            x_spts.append(x)
            y_spts.append(y)
        return np.array(x_spts), np.array(y_spts).astype(np.int32)
