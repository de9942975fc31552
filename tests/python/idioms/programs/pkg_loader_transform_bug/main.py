import argparse

from pipeline.data import build_loader
from pipeline.engine import Engine
from pipeline.models import create_model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="tiny_cnn")
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
    model = create_model(args.model, num_classes=3)
    engine = Engine(model, lr=0.01)
    for _ in range(args.epochs):
        print(engine.train_epoch(build_loader(batch_size=4)))


if __name__ == "__main__":
    main()
