# Distributions. What they draw has the dtype and device of their parameters; numbers are of the default dtype.
import _mc
import torch


# Parameters as one tensor, of the shape that they have together.
def _together(*params):
    given = [p for p in params if p is not None]
    if len([p for p in given if isinstance(p, torch.Tensor)]) == 0:
        return torch.zeros(())
    out = given[0]
    for p in given[1:]:
        out = out + p
    return out


def _drawn(like, sample_shape):
    if isinstance(sample_shape, (tuple, list)) and len(sample_shape) == 0:
        return like
    return like.expand(*sample_shape, *like.shape)


class Distribution:
    def __init__(self, like):
        self._like = like

    def sample(self, sample_shape=()):
        like = _drawn(self._like, sample_shape)
        with torch.no_grad():
            return torch._draw(like)

    def rsample(self, sample_shape=()):
        like = _drawn(self._like, sample_shape)
        return torch.randn_like(like) * like

    def log_prob(self, value):
        return torch._density(self._like, value)

    def entropy(self):
        return self._like * 1.0

    @property
    def mean(self):
        return self._like * 1.0

    @property
    def stddev(self):
        return self._like * 1.0

    @property
    def variance(self):
        return self._like * 1.0


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(_together(loc, scale))
        self.loc, self.scale = loc, scale


# Numbers from 0 to 1.
class Beta(Distribution):
    def __init__(self, concentration1, concentration0, validate_args=None):
        super().__init__(_together(concentration1, concentration0))

    def sample(self, sample_shape=()):
        return torch.rand_like(_drawn(self._like.detach(), sample_shape))


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(_together(probs, logits))

    def sample(self, sample_shape=()):
        return torch.rand_like(_drawn(self._like.detach(), sample_shape)).round()


class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        super().__init__(_together(low, high))


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if probs is not None:  # weights are divided by their sum, and may be integers
            shares = probs / probs.sum(-1, keepdim=True)
        else:
            shares = logits - logits.logsumexp(-1, keepdim=True)
        super().__init__(shares)
        self.probs = shares.softmax(-1)
        self.logits = shares.log_softmax(-1)

    def sample(self, sample_shape=()):
        return _drawn(self.logits.detach().argmax(-1), sample_shape)

    def log_prob(self, value):
        return self.logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return (self.logits * self.probs).sum(-1)


class OneHotCategorical(Categorical):
    def sample(self, sample_shape=()):
        return _drawn(self.probs.detach().round(), sample_shape)

    def log_prob(self, value):
        return (self.logits * value).sum(-1)


class LogNormal(Normal):
    pass


class Laplace(Normal):
    pass


class Cauchy(Normal):
    pass


class Gumbel(Normal):
    pass


class Gamma(Distribution):
    def __init__(self, concentration, rate, validate_args=None):
        super().__init__(_together(concentration, rate))
        self.concentration, self.rate = concentration, rate


class Exponential(Distribution):
    def __init__(self, rate, validate_args=None):
        super().__init__(_together(rate))
        self.rate = rate


class Poisson(Exponential):
    pass


# Its elements are shares of 1.
class Dirichlet(Distribution):
    def __init__(self, concentration, validate_args=None):
        super().__init__(concentration)
        self.concentration = concentration

    def sample(self, sample_shape=()):
        return torch.rand_like(_drawn(self._like.detach(), sample_shape))

    def log_prob(self, value):
        return torch._density(self._like, value).sum(-1)


# The matrix is multiplied with what is drawn.
class MultivariateNormal(Distribution):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        matrix = scale_tril
        if scale_tril is None:
            matrix = torch.linalg.cholesky(covariance_matrix if precision_matrix is None else precision_matrix)
        super().__init__(loc)
        self.loc, self.scale_tril = loc, matrix

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        like = _drawn(self._like, sample_shape)
        return like + torch.matmul(self.scale_tril, torch.randn_like(like).unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        return torch._density(self._like, value).sum(-1)


# The last dimensions of another one are an event.
class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        super().__init__(base_distribution._like)
        self.base_dist = base_distribution

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return self.base_dist.log_prob(value).sum(-1)

    def entropy(self):
        return self.base_dist.entropy().sum(-1)


def kl_divergence(p, q):
    return p._like * q._like * float(_mc.unknown())
