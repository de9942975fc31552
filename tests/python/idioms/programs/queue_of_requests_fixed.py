import queue
import threading

import torch
from torch import nn

requests = queue.Queue()
results = queue.Queue()


def produce(q, n):
    for i in range(n):
        q.put((i, torch.randn(1, 8).half()))
    q.put(None)


def serve(model, inbox, outbox):
    while True:
        item = inbox.get()
        if item is None:
            break
        i, x = item
        with torch.no_grad():
            outbox.put((i, model(x.cuda())))
        inbox.task_done()


def main():
    model = nn.Linear(8, 8).cuda().half()
    maker = threading.Thread(target=produce, args=(requests, 10))
    worker = threading.Thread(target=serve, args=(model, requests, results))
    maker.start()
    worker.start()
    maker.join()
    worker.join()
    while not results.empty():
        print(results.get()[0])


if __name__ == "__main__":
    main()
