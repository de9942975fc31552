import torch


def detections(n_images, per_image=5):
    out = []
    for image_id in range(n_images):
        boxes = torch.rand(per_image, 4).half() * 640
        scores = torch.rand(per_image, 1).half()
        ids = torch.full((per_image, 1), image_id)
        out.append(torch.cat([ids.float(), boxes.float(), scores.float()], dim=1))
    return torch.cat(out)


def main():
    torch.manual_seed(0)
    d = detections(5000)
    ids = d[:, 0].long()
    print(ids.unique().numel())


main()
