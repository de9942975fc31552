# Recurrent layers and cells: the members of all layers, and one step of the first layer, which has the dtypes of all
# others. On cuda the fused kernels cast the state to the dtype of autocast; on the CPU it is promoted.
import torch
import torch.nn.functional as F
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence


# What the input and the state are multiplied to.
def _products(mode, input, weight_ih, b_ih, state, weight_hh, b_hh):
    if mode == "LSTM":
        return torch._lstm_input(input, weight_ih, b_ih) + torch._lstm_state(state, weight_hh, b_hh)
    if mode == "GRU":
        return torch._gru_input(input, weight_ih, b_ih) + torch._gru_state(state, weight_hh, b_hh)
    return torch._rnn_input(input, weight_ih, b_ih) + torch._rnn_state(state, weight_hh, b_hh)


class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._directions = 2 if bidirectional else 1
        self._out = proj_size if proj_size > 0 else hidden_size
        self._rows = {"LSTM": 4, "GRU": 3}.get(mode, 1) * hidden_size
        self._add_layer("l0", input_size, device, dtype)
        if bidirectional:
            self._add_layer("l0_reverse", input_size, device, dtype)
        for layer in range(1, num_layers):
            self._add_layer(f"l{layer}", self._out * self._directions, device, dtype)
            if bidirectional:
                self._add_layer(f"l{layer}_reverse", self._out * self._directions, device, dtype)

    def _add_layer(self, suffix, inputs, device, dtype):
        rows = self._rows
        setattr(self, "weight_ih_" + suffix, Parameter(torch.empty((rows, inputs), device=device, dtype=dtype)))
        setattr(self, "weight_hh_" + suffix, Parameter(torch.empty((rows, self._out), device=device, dtype=dtype)))
        if self.bias:
            setattr(self, "bias_ih_" + suffix, Parameter(torch.empty(rows, device=device, dtype=dtype)))
            setattr(self, "bias_hh_" + suffix, Parameter(torch.empty(rows, device=device, dtype=dtype)))
        if self.proj_size > 0:
            size = (self.proj_size, self.hidden_size)
            setattr(self, "weight_hr_" + suffix, Parameter(torch.empty(size, device=device, dtype=dtype)))

    def flatten_parameters(self):
        pass

    def reset_parameters(self):
        pass

    @property
    def all_weights(self):
        return [list(self.parameters())]

    def _zeros(self, input, size):
        batch = input.size(0 if self.batch_first else 1)
        return torch.zeros(self.num_layers * self._directions, batch, size, dtype=input.dtype, device=input.device)

    def _gates(self, input, state):
        b_ih = self.bias_ih_l0 if self.bias else None
        b_hh = self.bias_hh_l0 if self.bias else None
        return _products(self.mode, input, self.weight_ih_l0, b_ih, state[0], self.weight_hh_l0, b_hh)

    # As long as the input, whatever of its gates the output was made of.
    def _as_output(self, output, input):
        output = torch.cat([output, output], -1) if self.bidirectional else output
        return output.view(*input.shape[:-1], self._out * self._directions)

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            output, state = self._run(input.data, hx)
            return input._with(output), state
        return self._run(input, hx)


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        mode = "RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU"
        super().__init__(mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0,
                         device, dtype)
        self.nonlinearity = nonlinearity

    def _run(self, input, hx):
        h = self._zeros(input, self.hidden_size) if hx is None else hx
        output = torch.tanh(self._gates(input, h))
        return self._as_output(output, input), h.to(output.dtype)


class LSTM(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
                         proj_size, device, dtype)

    def _run(self, input, hx):
        h = self._zeros(input, self._out) if hx is None else hx[0]
        c = self._zeros(input, self.hidden_size) if hx is None else hx[1]
        gates = self._gates(input, h)
        output = torch.tanh(gates.chunk(4, -1)[0])
        if self.proj_size > 0:
            output = F.linear(output, self.weight_hr_l0)
        if input.is_cuda or self.proj_size == 0:
            c = c.to(gates.dtype)
        return self._as_output(output, input), (h.to(output.dtype), c)


class GRU(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None):
        super().__init__("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0,
                         device, dtype)

    def _run(self, input, hx):
        h = self._zeros(input, self.hidden_size) if hx is None else hx
        gates = self._gates(input, h)
        if input.is_cuda:
            h = h.to(gates.dtype)
        new = torch.tanh(gates.chunk(3, -1)[0])
        output = new + new * (h[0] - new)
        return self._as_output(output, input), h.to(output.dtype)


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), device=device, dtype=dtype))
        self.bias_ih = Parameter(torch.empty(rows, device=device, dtype=dtype)) if bias else None
        self.bias_hh = Parameter(torch.empty(rows, device=device, dtype=dtype)) if bias else None

    def reset_parameters(self):
        pass

    def _zeros(self, input):
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)

    def _gates(self, input, state):
        return _products(self._mode, input, self.weight_ih, self.bias_ih, state, self.weight_hh, self.bias_hh)


class RNNCell(RNNCellBase):
    _mode = "RNN"

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        return torch.tanh(self._gates(input, self._zeros(input) if hx is None else hx))


class LSTMCell(RNNCellBase):
    _mode = "LSTM"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        h = self._zeros(input) if hx is None else hx[0]
        c = self._zeros(input) if hx is None else hx[1]
        gates = self._gates(input, h)
        if input.is_cuda:
            c = c.to(gates.dtype)
        gate = torch.sigmoid(gates.chunk(4, -1)[0])
        c = gate * c + gate
        return gate * torch.tanh(c), c


class GRUCell(RNNCellBase):
    _mode = "GRU"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        h = self._zeros(input) if hx is None else hx
        gates = self._gates(input, h)
        if input.is_cuda:
            h = h.to(gates.dtype)
        new = torch.tanh(gates.chunk(3, -1)[0])
        return new + new * (h - new)
