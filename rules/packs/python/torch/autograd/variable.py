from torch.autograd import Variable
