"""Making and moving tensors, devices and dtypes that may not meet, and torch.cuda."""
import copy
import io
import sys
import threading

import torch
import torch.nn.functional as F
from torch import nn

from . import CUDA0, REAL, case, raises


@case
def making():
    assert torch.zeros(2, device="cuda").device == CUDA0
    assert torch.zeros(2, device="cuda:0").is_cuda
    assert torch.tensor([1, 2], device=torch.device("cuda")).device.type == "cuda"
    assert torch.randn(2, 2, device="cuda", dtype=torch.half).dtype == torch.half
    assert torch.arange(3, device=0).device == CUDA0
    x = torch.ones(2, device="cuda")
    assert torch.zeros_like(x).is_cuda and x.new_zeros(3).is_cuda and x.new_tensor([1.0]).is_cuda
    assert not torch.zeros_like(x, device="cpu").is_cuda
    assert torch.as_tensor(x).is_cuda and torch.as_tensor(x) is x
    assert not torch.tensor([x[0], x[1]]).is_cuda
    assert torch.eye(2, device="cuda", requires_grad=True).is_leaf
    assert not torch.zeros(2).is_cuda


@case
def moving():
    x = torch.ones(2, 2)
    y = x.cuda()
    assert y.is_cuda and not x.is_cuda and y.cuda() is y and y.get_device() == 0
    assert x.to("cuda").is_cuda and x.to(0).is_cuda and x.to(y).is_cuda and x.type_as(y).is_cuda
    z = x.to("cuda", torch.float16, non_blocking=True)
    assert z.is_cuda and z.dtype == torch.float16
    assert y.to(torch.float64).is_cuda and not y.cpu().is_cuda and not y.to("cpu").is_cuda
    assert y.type() == "torch.cuda.FloatTensor" and x.type() == "torch.FloatTensor"
    assert x.type("torch.cuda.HalfTensor").dtype == torch.half and x.type(torch.cuda.LongTensor).is_cuda
    assert isinstance(y, torch.cuda.FloatTensor) and not isinstance(x, torch.cuda.FloatTensor)
    assert y[0].is_cuda and y.t().is_cuda and y.T.is_cuda and y.view(4).is_cuda and y.detach().is_cuda and y.data.is_cuda
    assert all(part.is_cuda for part in y.split(1)) and y.clone().is_cuda and y.half().is_cuda
    y[0] = 5
    assert x[0, 0] == 1 and y.cpu()[0, 0] == 5
    assert "device='cuda:0'" in repr(y)
    raises("can't convert cuda:0 device type tensor to numpy", y.numpy, TypeError)
    assert y.cpu().numpy().shape == (2, 2) and y.tolist()[1] == [1.0, 1.0] and y.sum().item() == 12


@case
def moved_leaves():
    w = torch.ones(2, requires_grad=True)
    moved = w.cuda()
    assert not moved.is_leaf and w.is_leaf
    (moved * 2).sum().backward()
    assert not w.grad.is_cuda and moved.grad_fn is not None
    v = torch.ones(2, device="cuda", requires_grad=True)
    (v * 3).sum().backward()
    assert v.grad.is_cuda


@case
def two_devices():
    a, b = torch.ones(2), torch.ones(2, device="cuda")
    found = "Expected all tensors to be on the same device"
    for f in (lambda: a + b, lambda: b * a, lambda: torch.cat([a, b]), lambda: torch.stack([a, b]), lambda: b.add_(a),
              lambda: a.add_(b), lambda: torch.where(b > 0, b, a), lambda: F.mse_loss(a, b),
              lambda: torch.ones(2, 2) @ b, lambda: F.linear(a, torch.ones(2, 2, device="cuda"))):
        raises(found, f)
    raises("found at least two devices, cpu and cuda:0!", lambda: a + b)
    raises("found at least two devices, cuda:0 and cpu!", lambda: b + a)
    assert (b + torch.tensor(1.0)).is_cuda and (torch.tensor(1.0) * b).is_cuda
    raises(found, lambda: a + torch.tensor(1.0, device="cuda"))
    assert b[torch.tensor([0])].is_cuda and b[torch.tensor([True, False])].is_cuda
    raises("indices should be either on", lambda: a[torch.tensor([0], device="cuda")])
    b[0] = torch.tensor(2.0)
    b[b > 5] = torch.tensor(2)
    assert torch.ones(2, 2, device="cuda").bool().trace().item() == 2
    b[:] = a
    a[0] = b[1]
    assert a.copy_(b) is a and not a.is_cuda and b.copy_(torch.zeros(2)).is_cuda
    raises(found, lambda: F.embedding(torch.tensor([0]), torch.ones(2, 2, device="cuda")))


@case
def dtypes():
    half, single = torch.ones(2, 2, device="cuda").half(), torch.ones(2, 2, device="cuda")
    raises("to have the same dtype", lambda: single @ half)
    raises("mat1 and mat2 must have the same dtype, but got Float and Half",
           lambda: F.linear(single, half, torch.ones(2, device="cuda").half()))
    raises("not implemented for 'Long'", lambda: torch.ones(2, 2, device="cuda").long() @ torch.ones(2, 2, device="cuda").long())
    raises("should be the same", lambda: F.conv2d(torch.ones(1, 1, 2, 2, device="cuda"), torch.ones(1, 1, 1, 1, device="cuda").half()))
    raises("expected scalar type Half but found Float", lambda: F.layer_norm(half, (2,), torch.ones(2, device="cuda")))
    assert (half @ half).dtype == torch.half and F.softmax(half, -1).dtype == torch.half
    assert (half + single).dtype == torch.float32
    assert torch.ops.aten.add(half, half).is_cuda and torch.ops.aten.add.Tensor(half, half).dtype == torch.half
    values = torch.ones(1, 2, device="cuda", requires_grad=True).half()
    raises("source and destination dtypes match",
           lambda: torch.zeros(2, 2, device="cuda").index_put_((torch.tensor([0], device="cuda"),), values))
    raises("without overflow", lambda: half.masked_fill(half > 0, -1e9))
    raises("can require gradients", lambda: torch.ones(2, dtype=torch.int64, device="cuda", requires_grad=True))


@case
def queries():
    cuda = torch.cuda
    assert cuda.is_available() and cuda.device_count() >= 1 and cuda.current_device() == 0
    assert isinstance(cuda.get_device_name(), str) and cuda.get_device_name(0) and len(cuda.get_device_capability()) == 2
    assert cuda.get_device_properties(0).total_memory > 0 and cuda.is_bf16_supported()
    cuda.synchronize(), cuda.empty_cache(), cuda.manual_seed_all(1), cuda.reset_peak_memory_stats()
    assert cuda.memory_allocated() >= 0 and cuda.max_memory_allocated() >= 0 and cuda.memory_reserved() >= 0
    stream, event = cuda.Stream(), cuda.Event(enable_timing=True)
    end = cuda.Event(enable_timing=True)
    event.record()
    with cuda.stream(stream):
        x = torch.ones(2, device="cuda") * 2
    cuda.current_stream().wait_stream(stream)
    x.record_stream(cuda.current_stream())
    end.record()
    cuda.synchronize()
    assert event.elapsed_time(end) >= 0 and stream.query() in (True, False)
    with cuda.device(0):
        assert torch.ones(1, device="cuda").device == CUDA0
    state = cuda.get_rng_state()
    a = torch.rand(3, device="cuda")
    cuda.set_rng_state(state)
    assert torch.equal(a, torch.rand(3, device="cuda"))
    torch.backends.cudnn.benchmark = True


@case
def generators():
    g = torch.Generator(device="cuda")
    g.manual_seed(3)
    assert g.device.type == "cuda" and torch.randn(2, device="cuda", generator=g).is_cuda
    raises("Expected a 'cuda' device type for generator but found 'cpu'",
           lambda: torch.randn(2, device="cuda", generator=torch.Generator()))
    raises("Expected a 'cpu' device type for generator but found 'cuda'", lambda: torch.randn(2, generator=g))
    assert torch.ones(3, device="cuda").bernoulli_(0.5, generator=g).is_cuda
    assert isinstance(torch.default_generator, torch.Generator) and isinstance(g, torch.Generator)


@case
def copies():
    x = torch.ones(2, device="cuda")
    assert copy.copy(x).is_cuda and copy.deepcopy([x])[0].is_cuda and not copy.copy(torch.ones(2)).is_cuda
    assert torch.normal(0.0, 1.0, (2,), device="cuda").is_cuda and torch.normal(x, x).is_cuda
    assert not torch.normal(torch.zeros(2), 1.0).is_cuda
    array = x.cpu().numpy()
    y = torch.as_tensor(array, device="cuda")
    y += 1
    assert array[0] == 1
    raises("only implemented on CPU tensors", lambda: x.apply_(lambda v: v), TypeError)
    torch.cuda.nvtx.range_push("x"), torch.cuda.nvtx.range_pop()
    traced = torch.jit.trace(nn.Linear(2, 2).cuda(), x)
    assert traced(x).is_cuda


@case
def unknown():
    """What is in no list ends the run, whatever the program catches."""
    if REAL:
        return
    state = sys.modules["miscast_watcher.cuda.labels"].state
    cannot = sys.modules["miscast_watcher.cuda.labels"].CannotSimulate
    try:
        torch.quantize_per_tensor(torch.ones(2, device="cuda"), 1.0, 0, torch.qint8)
        raise AssertionError("raised nothing")
    except Exception as e:
        raise AssertionError(f"a handler of the program could go on: {e!r}")
    except cannot as e:
        assert str(e) == "'torch.quantize_per_tensor' cannot be simulated" and state.unknown == "torch.quantize_per_tensor"
    raises("cuda:16", lambda: torch.ones(2, device="cuda:16"), cannot)
    raises("CUDAGraph", lambda: torch.cuda.CUDAGraph(), cannot)
    raises("to_dlpack", lambda: torch.utils.dlpack.to_dlpack(torch.ones(2, device="cuda")), cannot)
    raises("to_sparse", lambda: torch.ones(2, device="cuda").to_sparse(), cannot)


@case
def several():
    """A program that names another GPU has it."""
    if REAL and torch.cuda.device_count() < 2:
        return
    a, b = torch.ones(2, device="cuda:0"), torch.ones(2, device="cuda:1")
    assert b.device == torch.device("cuda", 1) and b.get_device() == 1 and (b * 2).device.index == 1
    raises("found at least two devices, cuda:1 and cuda:0!", lambda: b + a)
    raises("cuda:0", lambda: b + a.sum())
    assert (b + torch.tensor(1.0)).device.index == 1 and a.to(b).device == b.device and a.to("cuda:1").device == b.device
    with torch.cuda.device(1):
        assert torch.ones(2, device="cuda").device.index == 1 and torch.ones(2).cuda().device.index == 1
        assert torch.cuda.current_device() == 1
    assert torch.ones(2).cuda().device.index == 0 and b.cuda().device.index == 0 and b.cuda(1) is b
    net = nn.Linear(2, 2).to("cuda:1")
    net(b).sum().backward()
    assert net.weight.grad.device.index == 1
    raises("same device", lambda: net(a))
    file = io.BytesIO()
    torch.save(b, file)
    file.seek(0)
    assert torch.load(file).device.index == 1
    torch.cuda.set_device(1)
    assert torch.ones(2, device="cuda").device.index == 1
    torch.cuda.set_device(0)


@case
def pinned():
    x = torch.ones(2).pin_memory()
    assert x.is_pinned() and not torch.ones(2).is_pinned() and x.cuda(non_blocking=True).is_cuda
    raises("cannot pin", lambda: torch.ones(2, device="cuda").pin_memory())
    data = torch.utils.data.TensorDataset(torch.ones(4, 2), torch.zeros(4))
    for a, b in torch.utils.data.DataLoader(data, batch_size=2, pin_memory=True):
        assert a.is_pinned() and not a.is_cuda and a.cuda().is_cuda


@case
def threads():
    found = []
    thread = threading.Thread(target=lambda: found.append((torch.ones(2).cuda() * 2).device))
    thread.start()
    thread.join()
    assert found == [CUDA0]


@case
def legacy():
    assert torch.cuda.FloatTensor([1.0]).is_cuda and torch.cuda.LongTensor(2).dtype == torch.int64
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    try:
        assert torch.ones(2).is_cuda and nn.Linear(2, 2).weight.is_cuda
    finally:
        torch.set_default_tensor_type("torch.FloatTensor")
    assert not torch.ones(2).is_cuda


@case
def default_device():
    if not hasattr(torch, "set_default_device"):
        return
    torch.set_default_device("cuda")
    try:
        assert torch.ones(2).is_cuda and nn.Linear(2, 2).weight.is_cuda and torch.tensor([1]).is_cuda
    finally:
        torch.set_default_device("cpu")
    assert not torch.ones(2).is_cuda
    with torch.device("cuda"):
        assert torch.ones(2).is_cuda and not torch.ones(2, device="cpu").is_cuda
    assert not torch.ones(2).is_cuda


@case
def half_on_the_cpu():
    """Later versions compute there what 1.13 refuses."""
    x = torch.ones(2, 4).half()
    net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU()).half()
    y = net(x)
    assert y.dtype == torch.float16 and y.device.type == "cpu"
    y.float().sum().backward()
    assert all(p.grad.dtype == torch.float16 for p in net.parameters())
    raises("dtype", lambda: nn.Linear(4, 4).half()(torch.ones(2, 4)))
    raises("", lambda: torch.ones(3, 2, 4) @ torch.ones(3, 4, 2).half().transpose(0, 1).contiguous().transpose(0, 1))


@case
def distributions():
    from torch import distributions
    one = torch.ones(3, device="cuda")
    for d in (distributions.Normal(one, one), distributions.Gamma(one, one), distributions.Beta(one, one),
              distributions.Dirichlet(one), distributions.Categorical(one), distributions.Bernoulli(one * 0.5),
              distributions.Laplace(one, one), distributions.MultivariateNormal(one, torch.eye(3, device="cuda")),
              distributions.Exponential(one), distributions.Uniform(one, one * 2), distributions.StudentT(one)):
        value = d.sample()
        assert value.is_cuda and d.log_prob(value).is_cuda, d
    assert distributions.kl_divergence(distributions.Normal(one, one), distributions.Normal(one * 2, one)).is_cuda
    assert distributions.Normal(0.0, 1.0).sample().device.type == "cpu"
    raises("same device", lambda: distributions.Normal(one, one).log_prob(torch.ones(3)))
    assert all(p.is_cuda for p in one.tensor_split(torch.tensor([1])))
