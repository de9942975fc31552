# Optimizers hold parameters by identity: a module that changes its dtype later is still what they update.
import _mc
import torch
from collections import defaultdict


# Parameters as groups: given as tensors, as pairs with their names, or as groups already.
def _groups(params, defaults):
    params = list(params)
    if len(params) > 0 and isinstance(params[0], dict):
        return [{**defaults, **group, "params": _tensors(group["params"])} for group in params]
    return [{**defaults, "params": _tensors(params)}]


def _tensors(params):
    if not isinstance(params, (list, tuple)):
        params = list(params) if hasattr(params, "__next__") else [params]
    return [p[1] if isinstance(p, tuple) else p for p in params]


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        self.param_groups = _groups(params, defaults)
        self._begin_state()
        self._register()

    def _begin_state(self):
        self.state = defaultdict(dict)

    def _all_params(self):
        everything = []
        for group in self.param_groups:
            everything.extend(group["params"])
        return everything

    def _register(self):
        self._optimizer = _mc.optimizer(self._all_params())
        self._group_count = len(self.param_groups)

    def _keep_averages(self, eps=None):
        torch._keep_averages(self._all_params(), eps)

    def step(self, closure=None):
        loss = None if closure is None else closure()
        if len(self.param_groups) != self._group_count:  # a group was put there by hand
            self._register()
        _mc.step(self._optimizer)
        return loss

    def zero_grad(self, set_to_none=True):
        _mc.zero_grad(self._optimizer)

    def add_param_group(self, param_group):
        self.param_groups.extend(_groups([param_group], self.defaults))
        self._register()

    def state_dict(self):
        return {"state": _mc.unknown(), "param_groups": self.param_groups}

    def load_state_dict(self, state_dict):
        _cast_averages(self._all_params(), state_dict)

    def register_step_post_hook(self, hook):
        pass

    def register_step_pre_hook(self, hook):
        pass


# Values that were kept for other parameters are cast to the dtype of these.
def _cast_averages(params, state_dict):
    if not isinstance(state_dict, dict) or not isinstance(state_dict["state"], dict):
        return
    for p, kept in zip(params, state_dict["state"].values()):
        for name, value in kept.items():
            if name != "step":
                torch._load_average(p, value)


# What torch's own optimizers keep for each parameter, made when a program asks for it: averages of its dtype.
class _Known(Optimizer):
    _names = None
    _restored = None  # averages where they were put when a state was loaded, until the program asks for them

    def _begin_state(self):
        self._kept = None

    def load_state_dict(self, state_dict):
        super().load_state_dict(state_dict)
        if self._names is not None:
            self._restored = [torch._average_of(p) for p in self._all_params()]

    def step(self, closure=None):
        if self._restored is not None and self._kept is None:
            for p, average in zip(self._all_params(), self._restored):
                torch._step_with(p, average)
        return super().step(closure)

    @property
    def state(self):
        if self._names is None:
            return _mc.unknown()
        if self._kept is None:
            self._kept = defaultdict(dict)
            for p in self._all_params():
                self._kept[p] = {**{name: torch._average_of(p) for name in self._names}, "step": torch.tensor(0.0)}
        return self._kept

    @state.setter
    def state(self, value):
        self._kept = value

    def state_dict(self):
        if self._names is None:
            return {"state": _mc.unknown(), "param_groups": self.param_groups}
        return {"state": {i: s for i, s in enumerate(self.state.values())}, "param_groups": self.param_groups}


class SGD(_Known):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, **options):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})
        if momentum != 0:
            self._names = ["momentum_buffer"]
            self._keep_averages()
        else:
            torch._descend(self._all_params(), lr)


class _AdamLike(_Known):
    _lr = 1e-3
    _names = ["exp_avg", "exp_avg_sq"]

    def __init__(self, params, lr=None, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *more, **options):
        lr = self._lr if lr is None else lr
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
        self._keep_averages(eps)


class Adam(_AdamLike):
    pass


class AdamW(_AdamLike):
    pass


class NAdam(_AdamLike):
    _lr = 2e-3


class RAdam(_AdamLike):
    pass


class Adamax(_AdamLike):
    _lr = 2e-3


class SparseAdam(_AdamLike):
    pass


class _Other(_Known):
    _lr = 1e-2

    def __init__(self, params, lr=None, *more, **options):
        super().__init__(params, {"lr": self._lr if lr is None else lr})


class RMSprop(_Known):
    _names = ["square_avg"]

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, *more, **options):
        super().__init__(params, {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum})
        self._keep_averages(eps)


class Rprop(_Other):
    pass


class Adagrad(_Known):
    _names = ["sum"]

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, *more, **options):
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay})
        self._keep_averages(eps)


class Adadelta(_Known):
    _names = ["square_avg", "acc_delta"]

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, *more, **options):
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay})
        self._keep_averages(eps)


class Adafactor(_Other):
    pass


class ASGD(_Other):
    pass


class Muon(_Other):
    _lr = 1e-3


class LBFGS(_Other):
    _lr = 1.0
