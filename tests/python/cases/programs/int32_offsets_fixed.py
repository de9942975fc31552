import torch


class PagedBuffer:
    def __init__(self, pages, page_size):
        self.page_size = page_size
        self.storage = torch.zeros(pages * page_size)

    def write(self, page, value):
        offset = page.to(torch.int64) * self.page_size
        self.storage[offset.long() % self.storage.numel()] = value


def main():
    buffer = PagedBuffer(16, 65536)
    pages = torch.tensor([0, 3, 40000])
    for value in range(3):
        buffer.write(pages, float(value))
    print(buffer.storage.sum())


if __name__ == "__main__":
    main()
