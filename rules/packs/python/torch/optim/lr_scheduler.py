# Schedulers change the learning rates of an optimizer; to what is not known.
import _mc


class LRScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer = optimizer
        self.last_epoch = 0
        self.base_lrs = [group["lr"] for group in optimizer.param_groups]

    def step(self, *args, **kwargs):
        self.last_epoch = int(_mc.unknown())
        for group in self.optimizer.param_groups:
            group["lr"] = float(_mc.unknown())

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self):
        return self.get_last_lr()

    def state_dict(self):
        return {"last_epoch": self.last_epoch}

    def load_state_dict(self, state_dict):
        pass

    def print_lr(self, *args, **kwargs):
        pass


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    pass


class MultiplicativeLR(LRScheduler):
    pass


class StepLR(LRScheduler):
    pass


class MultiStepLR(LRScheduler):
    pass


class ConstantLR(LRScheduler):
    pass


class LinearLR(LRScheduler):
    pass


class ExponentialLR(LRScheduler):
    pass


class PolynomialLR(LRScheduler):
    pass


class CosineAnnealingLR(LRScheduler):
    pass


class CosineAnnealingWarmRestarts(LRScheduler):
    pass


class OneCycleLR(LRScheduler):
    pass


class CyclicLR(LRScheduler):
    pass


class ReduceLROnPlateau(LRScheduler):
    pass


class SequentialLR(LRScheduler):
    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        super().__init__(optimizer)


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        super().__init__(schedulers[0].optimizer if optimizer is None else optimizer)
