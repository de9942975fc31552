import math

import numpy as np
import torch

f = np.linspace(0.0, 1.0, 6).reshape(2, 3)
f32 = np.ones((2, 3), dtype=np.float32)
i = np.arange(6).reshape(2, 3)
i32 = np.arange(6, dtype=np.int32)
u8 = np.zeros((4, 4), dtype=np.uint8)
b = np.ones(3, dtype=bool)
v = np.arange(5.0)
t = torch.ones(2, 3)
ti = torch.arange(6).reshape(2, 3)
reveal_type(np.cumprod(v))  # float64
reveal_type(v.cumprod())  # float64
reveal_type(np.diff(v))  # float64
reveal_type(np.outer(v, v))  # float64
reveal_type(np.inner(v, v))  # float64
reveal_type(np.einsum("ij,kj->ik", f, f))  # float64
reveal_type(np.tensordot(f, f.T, 1))  # float64
reveal_type(np.arcsin(f))  # float64
reveal_type(np.sinh(f))  # float64
reveal_type(np.expm1(f))  # float64
reveal_type(np.deg2rad(f))  # float64
reveal_type(np.reciprocal(f))  # float64
reveal_type(np.arctan2(f, f))  # float64
reveal_type(np.hypot(f, 1.0))  # float64
reveal_type(np.sign(f))  # float64
reveal_type(np.trunc(f))  # float64
reveal_type(np.nan_to_num(f))  # float64
reveal_type(np.isnan(f))  # bool
reveal_type(np.isfinite(f))  # bool
reveal_type(np.logical_and(b, b))  # bool
reveal_type(np.logical_not(b))  # bool
reveal_type(np.isin(i, [1, 2]))  # bool
reveal_type(np.isclose(f, f))  # bool
reveal_type(np.random.choice(5, 3))  # int64
reveal_type(np.random.choice(v, 3))  # float64
reveal_type(np.random.choice(v, size=3))  # float64
reveal_type(np.random.permutation(v))  # float64
reveal_type(np.random.permutation(5))  # int64
reveal_type(np.random.normal(size=(2, 3)))  # float64
reveal_type(np.random.normal(0.0, 1.0, (2, 3)))  # float64
reveal_type(np.random.normal(loc=0, scale=1, size=3))  # float64
reveal_type(np.random.uniform(size=3))  # float64
reveal_type(np.random.uniform(-1, 1, size=(2, 3)))  # float64
reveal_type(np.random.standard_normal((2, 3)))  # float64
reveal_type(np.random.standard_normal(5))  # float64
reveal_type(np.random.random_sample((2, 3)))  # float64
reveal_type(np.random.random((2, 3)))  # float64
reveal_type(np.random.random(3))  # float64
reveal_type(np.random.exponential(1.0, 3))  # float64
reveal_type(np.random.beta(1.0, 1.0, size=3))  # float64
reveal_type(np.random.gamma(2.0, 1.0, 5))  # float64
reveal_type(np.random.poisson(2.0, 5))  # int64
reveal_type(np.random.binomial(1, 0.5, 10))  # int64
reveal_type(np.random.binomial(1, 0.5, size=(2, 3)))  # int64
reveal_type(np.random.laplace(size=3))  # float64
reveal_type(np.random.lognormal(0, 1, 3))  # float64
reveal_type(np.random.randint(5, size=3))  # int64
reveal_type(np.random.randint(0, 5, 3))  # int64
reveal_type(np.random.randint(0, 5, (3,)))  # int64
reveal_type(np.random.rand(3))  # float64
reveal_type(np.random.randn(2, 3))  # float64
reveal_type(np.atleast_1d(v))  # float64
reveal_type(np.atleast_2d(v))  # float64
reveal_type(np.swapaxes(f, 0, 1))  # float64
reveal_type(f.swapaxes(0, 1))  # float64
reveal_type(np.moveaxis(f, 0, 1))  # float64
reveal_type(np.flipud(f))  # float64
reveal_type(np.fliplr(f))  # float64
reveal_type(np.rot90(f))  # float64
reveal_type(np.take(v, [0, 1]))  # float64
reveal_type(v.take([0, 1]))  # float64
reveal_type(np.delete(v, 0))  # float64
reveal_type(np.insert(v, 0, 1.0))  # float64
reveal_type(np.append(v, 1.0))  # float64
reveal_type(np.append(v, v))  # float64
reveal_type(np.column_stack([v, v]))  # float64
reveal_type(np.column_stack((v, v)))  # float64
reveal_type(np.dstack([f, f]))  # float64
reveal_type(np.tril(f))  # float64
reveal_type(np.triu(f, 1))  # float64
reveal_type(np.triu(np.ones((3, 3)), k=1))  # float64
reveal_type(np.tri(3))  # float64
reveal_type(np.diag(v))  # float64
reveal_type(np.diagonal(f))  # float64
reveal_type(np.logspace(0, 1, 5))  # float64
reveal_type(np.geomspace(1, 10, 5))  # float64
reveal_type(np.fromiter((x for x in [1.0, 2.0]), dtype=np.float32))  # float32
reveal_type(np.interp(v, v, v))  # float64
reveal_type(np.digitize(v, v))  # int64
reveal_type(np.searchsorted(v, v))  # int64
reveal_type(np.percentile(f, 50, axis=0))  # float64
reveal_type(np.quantile(v, [0.1, 0.9]))  # float64
reveal_type(np.median(f, axis=0))  # float64
reveal_type(np.average(f, axis=0))  # float64
reveal_type(np.average(f, axis=0, weights=[1, 2]))  # float64
reveal_type(np.var(f, axis=0))  # float64
reveal_type(f.var(axis=0))  # float64
reveal_type(f.std(0))  # float64
reveal_type(np.std(f, axis=0))  # float64
reveal_type(np.std(f, axis=1, keepdims=True))  # float64
reveal_type(f.mean(axis=1, keepdims=True))  # float64
reveal_type(np.prod(f, axis=0))  # float64
reveal_type(np.nanmean(f, axis=0))  # float64
reveal_type(np.nansum(f, axis=0))  # float64
reveal_type(np.max(f, axis=0))  # float64
reveal_type(np.amax(f, axis=1))  # float64
reveal_type(np.min(f, axis=0, keepdims=True))  # float64
reveal_type(f.max(axis=-1, keepdims=True))  # float64
reveal_type(np.argmin(f, axis=0))  # int64
reveal_type(f.argmin(axis=1))  # int64
reveal_type(v.argsort())  # int64
reveal_type(np.argsort(-v))  # int64
reveal_type(np.argsort(v)[::-1])  # int64
reveal_type(np.flatnonzero(b))  # int64
reveal_type(np.argwhere(b))  # int64
reveal_type(np.where(b)[0])  # int64
reveal_type(np.unique(v))  # float64
reveal_type(np.linalg.inv(np.eye(2)))  # float64
reveal_type(np.linalg.norm(f, axis=1))  # float64
reveal_type(np.linalg.norm(f, axis=1, keepdims=True))  # float64
reveal_type(np.linalg.cholesky(np.eye(2)))  # float64
reveal_type(np.linalg.solve(np.eye(2), f))  # float64
reveal_type(np.linalg.pinv(f))  # float64
reveal_type(np.fft.fft(v))  # complex128
reveal_type(np.fft.rfft(v))  # complex128
reveal_type(np.fft.fftfreq(5))  # float64
reveal_type(np.where(f > 0, f, 0.0))  # float64
reveal_type(np.where(f > 0, 1.0, 0.0))  # float64
reveal_type(np.where(f > 0, 1, 0))  # int64
reveal_type(np.where(f > 0, 1.0, f))  # float64
reveal_type(np.where(f32 > 0, f32, 0.0))  # float32
reveal_type(np.where(f > 0, f32, f))  # float64
reveal_type(np.where(i > 0, i, f))  # float64
reveal_type(f.dot(f.T))  # float64
reveal_type(f32.dot(f32.T))  # float32
reveal_type(f.astype(int))  # int64
reveal_type(f.astype(float))  # float64
reveal_type(f.astype("float32"))  # float32
reveal_type(f.astype(np.float32, copy=False))  # float32
reveal_type(f.astype("f4"))  # float32
reveal_type(f.astype("int"))  # int64
reveal_type(f.astype(np.float_))  # float64
reveal_type(np.array([1, 2]).astype(np.float32))  # float32
reveal_type(np.array([1.0, 2.0], dtype="float32"))  # float32
reveal_type(np.array([1.0, 2.0], dtype=float))  # float64
reveal_type(np.array([1, 2], dtype=int))  # int64
reveal_type(np.array([v, v]))  # float64
reveal_type(np.array([f32[0], f32[1]]))  # float32
reveal_type(np.asarray([v, v]))  # float64
reveal_type(np.array([[1.0, 2.0], [3.0, 4.0]]))  # float64
reveal_type(np.array([x * 2.0 for x in range(3)]))  # float64
reveal_type(np.array([float(x) for x in range(3)]))  # float64
reveal_type(np.array([True, False]))  # bool
reveal_type(np.zeros(3, int))  # int64
reveal_type(np.zeros((3,), dtype="int32"))  # int32
reveal_type(np.zeros_like(f32))  # float32
reveal_type(np.full((2,), 1))  # int64
reveal_type(np.full((2,), 1.5, dtype=np.float32))  # float32
reveal_type(np.full(3, np.inf))  # float64
reveal_type(f & f if False else b & b)  # bool
reveal_type(~b)  # bool
reveal_type(i % 2)  # int64
reveal_type(2 ** i)  # int64
reveal_type(2.0 ** v)  # float64
reveal_type(1 / v)  # float64
reveal_type(1.0 - v)  # float64
reveal_type(10 // i32)  # int32
reveal_type(i // 2)  # int64
reveal_type(i / 2)  # float64
reveal_type(-f)  # float64
reveal_type(abs(f))  # float64
reveal_type(+f)  # float64
reveal_type(f ** 2)  # float64
reveal_type(f32 ** 2)  # float32
reveal_type(f32 * 2.0)  # float32
reveal_type(f32 + 1)  # float32
reveal_type(i32 * 2.0)  # float64
reveal_type(u8 / 255)  # float64
reveal_type(u8 / 255.0)  # float64
reveal_type(u8 * 2)  # uint8
reveal_type(u8.astype(np.float32) / 255.0)  # float32
reveal_type(i + 0.5)  # float64
reveal_type(f32 * f)  # float64
reveal_type(f > 0.5)  # bool
reveal_type((f > 0.5) & (f < 1))  # bool
reveal_type(f[0])  # float64
reveal_type(f[0, 1])  # float64
reveal_type(f[:, 0])  # float64
reveal_type(f[..., 0])  # float64
reveal_type(f[:, None])  # float64
reveal_type(f[None])  # float64
reveal_type(f[np.newaxis, :])  # float64
reveal_type(f[b[:2]] if False else v[v > 1])  # float64
reveal_type(v[[0, 1]])  # float64
reveal_type(v[i32[:2]])  # float64
reveal_type(v[-1])  # float64
reveal_type(v[1:])  # float64
reveal_type(f.T)  # float64
reveal_type(f.real)  # float64
reveal_type(f.reshape(-1))  # float64
reveal_type(f.reshape((3, 2)))  # float64
reveal_type(f.reshape(1, -1))  # float64
reveal_type(f.ravel())  # float64
reveal_type(f.flatten())  # float64
reveal_type(f.transpose(1, 0))  # float64
reveal_type(f.transpose((1, 0)))  # float64
reveal_type(u8.transpose(1, 0))  # uint8
reveal_type(f.copy())  # float64
reveal_type(f.squeeze())  # float64
reveal_type(f.sum(axis=0))  # float64
reveal_type(f.sum(0))  # float64
reveal_type(f.sum(axis=(0, 1)))  # float64
reveal_type(u8.sum(axis=0))  # uint64
reveal_type(i.mean(axis=0))  # float64
reveal_type(f32.mean(axis=0))  # float32
reveal_type(np.sum(f32, axis=0))  # float32
reveal_type(np.sum(f, axis=-1, keepdims=True))  # float64
reveal_type(np.exp(i))  # float64
reveal_type(np.exp(f32))  # float32
reveal_type(np.sqrt(i32))  # float64
reveal_type(np.exp(f - f.max(axis=-1, keepdims=True)))  # float64
reveal_type(np.maximum(f, 0))  # float64
reveal_type(np.maximum(f, 0.0))  # float64
reveal_type(np.maximum(0.0, f))  # float64
reveal_type(np.minimum(f32, 1.0))  # float32
reveal_type(np.clip(f, 0, 1))  # float64
reveal_type(np.clip(f32, 0.0, 1.0))  # float32
reveal_type(np.clip(f, 0, None))  # float64
reveal_type(f.clip(0, 1))  # float64
reveal_type(f.clip(min=0))  # float64
reveal_type(np.round(f))  # float64
reveal_type(np.round(f, 2))  # float64
reveal_type(np.around(f))  # float64
reveal_type(f.round(2))  # float64
reveal_type(np.concatenate([f, f]))  # float64
reveal_type(np.concatenate([f, f], axis=1))  # float64
reveal_type(np.concatenate([f32, f]))  # float64
reveal_type(np.concatenate((f32, f32), axis=0))  # float32
reveal_type(np.stack([v, v]))  # float64
reveal_type(np.stack([f32, f32], axis=0))  # float32
reveal_type(np.vstack([f, f]))  # float64
reveal_type(np.hstack([v, v]))  # float64
reveal_type(np.pad(f, 1))  # float64
reveal_type(np.pad(f, ((0, 0), (1, 1)), "constant"))  # float64
reveal_type(np.pad(f, ((0, 0), (1, 1)), mode="constant", constant_values=0))  # float64
reveal_type(np.repeat(f, 2, axis=0))  # float64
reveal_type(np.tile(f, (2, 1)))  # float64
reveal_type(np.expand_dims(f, 0))  # float64
reveal_type(np.expand_dims(f, axis=-1))  # float64
reveal_type(np.squeeze(f[None], 0))  # float64
reveal_type(np.roll(v, 1))  # float64
reveal_type(np.sort(v))  # float64
reveal_type(np.ascontiguousarray(f32))  # float32
reveal_type(np.mod(i, 2))  # int64
reveal_type(np.power(f, 2))  # float64
reveal_type(np.power(10.0, v))  # float64
reveal_type(np.bincount(i32))  # int64
reveal_type(np.bincount(i32, minlength=10))  # int64
reveal_type(np.bincount(i32, weights=np.ones(6)))  # float64
reveal_type(np.eye(3))  # float64
reveal_type(np.eye(3)[i32[:2]])  # float64
reveal_type(np.eye(3, dtype=np.float32))  # float32
reveal_type(np.identity(3))  # float64
reveal_type(np.arange(3))  # int64
reveal_type(np.arange(0, 1, 0.1))  # float64
reveal_type(np.arange(3, dtype=np.float32))  # float32
reveal_type(np.arange(0, 10, 2))  # int64
reveal_type(np.linspace(0, 1, 5, dtype=np.float32))  # float32
reveal_type(np.indices((2, 3)))  # int64
reveal_type(np.cov(f))  # float64
reveal_type(np.corrcoef(f))  # float64
reveal_type(np.convolve(v, v))  # float64
reveal_type(np.gradient(v))  # float64
reveal_type(np.empty((2, 3)))  # float64
reveal_type(np.empty(0))  # float64
reveal_type(np.ones(3) * 2)  # float64
reveal_type(np.ones((2, 3), np.float32))  # float32
reveal_type(np.cross(v[:3], v[:3]))  # float64
reveal_type(max(v))  # float64
reveal_type(np.histogram(v, 3)[0])  # int64
reveal_type(np.histogram(v, 3)[1])  # float64
reveal_type(np.split(v, 1)[0])  # float64
reveal_type(np.meshgrid(v, v)[0])  # float64
reveal_type(np.meshgrid(np.arange(3), np.arange(4))[1])  # int64
reveal_type(np.meshgrid(v, v)[0].ravel())  # float64
reveal_type(np.stack(np.meshgrid(v, v), -1))  # float64
reveal_type(np.nonzero(b)[0])  # int64
reveal_type(np.linalg.qr(f)[0])  # float64
reveal_type(np.float32(f))  # float32
reveal_type(np.float32(0.5))  # float32
reveal_type(np.float32(0.5) * f32)  # float32
reveal_type(np.array([f32[0], f32[1]], dtype=np.float64))  # float64
reveal_type(np.array([x for x in f32]))  # float32
reveal_type(np.array(list(f32)))  # float32
reveal_type(np.stack([x for x in f32]))  # float32
reveal_type(f.astype("float"))  # float64
reveal_type(torch.tensor(v))  # float64
reveal_type(torch.tensor(f32))  # float32
reveal_type(torch.tensor([v, v]))  # float64
reveal_type(torch.tensor(np.array([v, v])))  # float64
reveal_type(torch.tensor(v.mean()))  # float64
reveal_type(torch.tensor(np.mean(v)))  # float64
reveal_type(torch.tensor(v[0]))  # float64
reveal_type(torch.tensor([v[0], v[1]]))  # float64
reveal_type(torch.tensor(float(v[0])))  # float32
reveal_type(torch.tensor(v.tolist()))  # float32
reveal_type(torch.tensor(v.sum()))  # float64
reveal_type(torch.tensor(i.sum()))  # int64
reveal_type(torch.tensor(i.max()))  # int64
reveal_type(torch.tensor(np.float32(1)))  # float32
reveal_type(torch.tensor(np.sqrt(2.0)))  # float64
reveal_type(torch.tensor(np.pi))  # float32
reveal_type(torch.tensor(np.float64(1.0)))  # float64
reveal_type(torch.tensor(np.log(3)))  # float64
reveal_type(torch.as_tensor(v))  # float64
reveal_type(torch.as_tensor(f32))  # float32
reveal_type(torch.as_tensor(v[0]))  # float64
reveal_type(torch.as_tensor(v, dtype=torch.float32))  # float32
reveal_type(torch.from_numpy(v))  # float64
reveal_type(torch.from_numpy(f32))  # float32
reveal_type(torch.from_numpy(i))  # int64
reveal_type(torch.from_numpy(u8))  # uint8
reveal_type(torch.from_numpy(u8 / 255))  # float64
reveal_type(torch.from_numpy(np.random.rand(3)))  # float64
reveal_type(torch.from_numpy(np.random.rand(3).astype(np.float32)))  # float32
reveal_type(torch.from_numpy(v).float())  # float32
reveal_type(torch.Tensor(v))  # float32
reveal_type(torch.FloatTensor(v))  # float32
reveal_type(torch.LongTensor(i))  # int64
reveal_type(torch.ones(3) * np.float64(2.0))  # float32
reveal_type(torch.ones(3) * np.sqrt(2.0))  # float32
reveal_type(torch.ones(3) * v[0])  # float32
reveal_type(torch.ones(5) * torch.from_numpy(v))  # float64
reveal_type(torch.ones(5) + torch.tensor(v[0]))  # float32
reveal_type(t.numpy())  # float32
reveal_type(t.numpy() * 2.0)  # float32
reveal_type(t.detach().cpu().numpy())  # float32
reveal_type(ti.numpy())  # int64
reveal_type(ti.numpy() / 2)  # float64
reveal_type(torch.from_numpy(ti.numpy() / 2))  # float64
reveal_type(np.array(t))  # float32
reveal_type(np.asarray(t))  # float32
reveal_type(torch.stack([torch.from_numpy(v), torch.from_numpy(v)]))  # float64
reveal_type(torch.cat([torch.from_numpy(v), torch.ones(3)]))  # float64
reveal_type(torch.tensor([x / 2 for x in range(3)]))  # float32
reveal_type(torch.tensor([float(x) for x in v]))  # float32
reveal_type(torch.tensor([x for x in v]))  # float64
reveal_type(torch.tensor(np.arange(3)))  # int64
reveal_type(torch.tensor(np.arange(3), dtype=torch.float))  # float32
reveal_type(torch.tensor(np.eye(3)))  # float64
reveal_type(torch.tensor(np.random.randn(2, 3)))  # float64
reveal_type(torch.tensor(np.random.randint(0, 2, 5)))  # int64
reveal_type(torch.tensor(np.linspace(0, 1, 5)))  # float64
reveal_type(torch.tensor(np.log(np.arange(1, 4))))  # float64
reveal_type(torch.from_numpy(np.stack([v, v])).float())  # float32
reveal_type(torch.tensor(np.stack([f32, f32])))  # float32
reveal_type(torch.tensor(np.where(v > 0, 1, 0)))  # int64
reveal_type(torch.tensor(np.where(v > 0, 1.0, 0.0)))  # float64
reveal_type(torch.tensor(v > 0))  # bool
reveal_type(torch.tensor(np.argsort(v).copy()))  # int64
reveal_type(torch.tensor(np.cumsum(v)))  # float64
reveal_type(torch.tensor(np.clip(v, 0, 1)))  # float64
reveal_type(torch.tensor((v - v.mean()) / v.std()))  # float64
reveal_type(torch.from_numpy((f - f.mean(axis=0)) / f.std(axis=0)))  # float64
reveal_type(torch.from_numpy((f32 - f32.mean(axis=0)) / f32.std(axis=0)))  # float32
reveal_type(torch.from_numpy((f32 - f32.mean(0)) / (f32.std(0) + 1e-8)))  # float32
reveal_type(torch.from_numpy(f32 - np.array([0.5, 0.5, 0.5])))  # float64
reveal_type(torch.from_numpy(f32 * np.array([0.5, 0.5, 0.5], dtype=np.float32)))  # float32
reveal_type(torch.from_numpy(u8.astype(np.float32) / 255.0))  # float32
reveal_type(torch.from_numpy(u8.astype("float32") / 255.0))  # float32
reveal_type(torch.from_numpy(u8 / 255.0))  # float64
reveal_type(torch.from_numpy(np.transpose(u8, (1, 0))))  # uint8
reveal_type(torch.from_numpy(f32[None]))  # float32
reveal_type(torch.from_numpy(f32.copy()))  # float32
reveal_type(torch.from_numpy(np.ascontiguousarray(f32)))  # float32
reveal_type(torch.from_numpy(np.array([[1, 2], [3, 4]])))  # int64
reveal_type(torch.from_numpy(np.array([[1, 2], [3, 4.0]])))  # float64
reveal_type(torch.from_numpy(np.outer(v, v)))  # float64
reveal_type(torch.from_numpy(np.exp(-v)))  # float64
reveal_type(torch.from_numpy(np.sin(np.arange(5))))  # float64
reveal_type(torch.from_numpy(np.power(10000, v)))  # float64
reveal_type(torch.from_numpy(np.bincount(i32)))  # int64
reveal_type(torch.from_numpy(1.0 / np.bincount(i32)))  # float64
reveal_type(torch.from_numpy(np.hanning(4)))  # float64
reveal_type(torch.from_numpy(np.cov(f)))  # float64
reveal_type(torch.from_numpy(np.triu(np.ones((3, 3)), k=1)))  # float64
reveal_type(torch.from_numpy(np.triu(np.ones((3, 3)), k=1).astype("uint8")))  # uint8
reveal_type(torch.from_numpy(np.triu(np.ones((3, 3)), k=1)) == 0)  # bool
reveal_type(torch.from_numpy(np.random.default_rng(0).normal(size=(2, 3))))  # float64
reveal_type(torch.from_numpy(np.random.default_rng(0).random((2, 3))))  # float64
reveal_type(torch.from_numpy(np.random.default_rng(0).standard_normal((2, 3), dtype=np.float32)))  # float32
reveal_type(torch.from_numpy(np.random.default_rng(0).integers(0, 5, size=3)))  # int64
reveal_type(torch.from_numpy(np.random.default_rng(0).choice(5, 3)))  # int64
reveal_type(torch.from_numpy(np.random.default_rng(0).permutation(5)))  # int64
reveal_type(torch.from_numpy(np.random.RandomState(0).randn(2, 3)))  # float64
reveal_type(torch.from_numpy(np.random.RandomState(0).uniform(size=3)))  # float64
reveal_type(torch.from_numpy(np.random.RandomState(0).rand(3).astype("float32")))  # float32
reveal_type(torch.tensor(f32.mean()))  # float32
reveal_type(torch.ones(3) * v.mean())  # float32
reveal_type(v.mean() * torch.ones(3))  # float32
reveal_type(v.mean() + torch.ones(3))  # float32
reveal_type(v.mean() - torch.ones(3))  # float32
reveal_type(torch.ones(3) - v.mean())  # float32
reveal_type(torch.ones(3) / v.std())  # float32
reveal_type(torch.ones(3, dtype=torch.float16) / v.std())  # float16
reveal_type(torch.zeros(int(i.max()) + 1))  # float32
reveal_type(torch.zeros(i.max() + 1))  # float32
reveal_type(torch.nn.Embedding(i.max() + 1, 3)(torch.arange(2)))  # float32
reveal_type(torch.full((2,), v.mean()))  # float32
reveal_type(torch.full((2,), float(v.mean())))  # float32
reveal_type(torch.tensor([v.mean(), v.std()]))  # float64
reveal_type(torch.tensor([v.mean().item(), v.std().item()]))  # float32
reveal_type(torch.tensor(float(v.mean())))  # float32
reveal_type(torch.tensor(v.mean(), dtype=torch.float32))  # float32
reveal_type(torch.ones(3).add(v.mean()))  # float32
reveal_type(torch.clamp(t, min=v.min()))  # float32
reveal_type(torch.clamp(t, v.min(), v.max()))  # float32
reveal_type((f32 - f32.mean()) / f32.std())  # float32
reveal_type((v - v.min()) / (v.max() - v.min()))  # float64
reveal_type(f32 / f32.max())  # float32
reveal_type(u8 / u8.max())  # float64
reveal_type([v.mean() for _ in range(2)][0])  # float64
reveal_type(np.array([v.mean(), v.std()]))  # float64
reveal_type(np.array([v.mean() for _ in range(3)]))  # float64
reveal_type(np.arange(i.max() + 1))  # int64
reveal_type(np.zeros(i.max() + 1))  # float64
reveal_type(v.sum() / len(v))  # float64
reveal_type(abs(v.mean()))  # float64
reveal_type(-v.mean())  # float64
reveal_type(v.mean() ** 2)  # float64
reveal_type(1 - v.mean())  # float64
reveal_type(1.0 / v.std())  # float64
reveal_type(v.max() > 0.5)  # bool
reveal_type(np.sqrt(v.mean()))  # float64
reveal_type(np.exp(v.mean()))  # float64
reveal_type(np.maximum(v.mean(), 0.0))  # float64
reveal_type(torch.ones(3) / np.sqrt(64))  # float32
reveal_type(torch.ones(3) * np.power(10.0, 2))  # float32
reveal_type(np.sin(3 / np.power(10000, 2 * (3 // 2) / 16)))  # float64
reveal_type(np.array([p / np.power(10000, 2 * p / 16) for p in range(3)]))  # float64
reveal_type(torch.tensor([np.sin(0.1 * k) for k in range(4)]))  # float64
reveal_type(torch.FloatTensor([np.sin(0.1 * k) for k in range(4)]))  # float32
reveal_type(torch.zeros(2, int(np.sqrt(16))))  # float32
reveal_type(torch.randn(3) * np.sqrt(2.0 / 3))  # float32
reveal_type(np.ones(3) * np.sqrt(2))  # float64
reveal_type(math.sqrt(2) * f32)  # float32
reveal_type(f32 if (f[0]).ndim == 1 else f)  # float32
reveal_type(f32 if (f.sum(axis=0)).ndim == 1 else f)  # float32
reveal_type(f32 if (f.mean(axis=1, keepdims=True)).ndim == 2 else f)  # float32
reveal_type(f32 if (max(v)).ndim == 0 else f)  # float32
lines = open(__file__).read().split("\n")
reveal_type(np.array([[float(len(word)) for word in line.split()] for line in lines[:0]]))  # float64
reveal_type(np.array([(len(line), float(len(line))) for line in lines]))  # float64
