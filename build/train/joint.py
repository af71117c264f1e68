"""Trains the upper layers of the multilingual encoder to read a question and a text together.

    python joint.py ENCODER.fnw OUT.fnw PAIRS.jsonl[:MOST]... [--top 4] [--rate 2e-4] [--epochs 3] [--begin JOINT.fnw]

ENCODER is backend/embed/weights/e5-small-q4.fnw, OUT backend/embed/weights/joint-e5-int8.fnw,
PAIRS what `go run ./build train pairs` wrote. The layers below the top ones are run once for
each pair. MOST is how many questions of a file are learned from, BEGIN what is learned on from. Which text answers is told by both losses: each text by itself, and the
right one among those of its question.
"""
import argparse
import collections
import hashlib
import json
import struct
import time
import zlib

import numpy as np
import torch
from torch.nn import functional as F

HEADS, WIDTH = 12, 32
ASKED, PAIR = 64, 160  # tokens, as in backend/embed
BATCH = 64  # pairs
MEASURED = 400  # questions of a file that are put aside
BESIDE, STRANGERS, RIGHT = 2, 2, 1  # texts of a question that is learned from: of where it was written for, of elsewhere, and right ones


def read(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack_from("<I", data, 8)
    header, payload = json.loads(data[16 : 16 + length]), memoryview(data)[16 + length :]
    kinds = {"i8": np.int8, "u8": np.uint8, "f32": np.float32}
    return header, {t["name"]: np.frombuffer(payload, kinds[t["type"]], int(np.prod(t["shape"])), t["offset"]).reshape(t["shape"]) for t in header["tensors"]}


def unpacked(halves, scales):
    """Rows of weights of 4 bits in blocks of 32, as backend/embed/quantised.go."""
    scales = scales.reshape(len(halves), -1, 2).copy().view(np.float16)[..., 0].astype(np.float32)
    halves = halves.reshape(len(halves), -1, 16)
    whole = np.concatenate([(halves & 15).astype(np.float32) - 8, (halves >> 4).astype(np.float32) - 8], -1)
    return (whole * scales[..., None]).reshape(len(halves), -1)


class Encoder:
    def __init__(self, path):
        self.header, self.tensors = read(path)
        self.epsilon, self.depth = self.header["ln_eps"], self.header["layers"]
        self.tokens = unpacked(self.tensors["tok.n"], self.tensors["tok.d"]).astype(np.float16)

    def layers(self, numbers):
        p = {}
        for i in numbers:
            for part in ("qkv", "o", "up", "down"):
                name = f"l{i}.{part}"
                p[name], p[name + ".b"] = unpacked(self.tensors[name + ".n"], self.tensors[name + ".d"]), self.tensors[name + ".b"]
            for part in ("ln1.g", "ln1.b", "ln2.g", "ln2.b"):
                p[f"l{i}.{part}"] = self.tensors[f"l{i}.{part}"]
        return {k: torch.tensor(v) for k, v in p.items()}

    def input(self, ids):
        x = self.tokens[np.array(ids)].astype(np.float32) + self.tensors["pos"][: len(ids)]
        return norm(torch.tensor(x), torch.tensor(self.tensors["emb.ln.g"]), torch.tensor(self.tensors["emb.ln.b"]), self.epsilon)


def norm(x, gain, shift, epsilon):
    return F.layer_norm(x, x.shape[-1:], gain, shift, epsilon)


def half():
    """Products in 16 bits where the processor has them: elsewhere they take twenty times as long."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


def layer(x, mask, p, i, epsilon):
    """One layer; mask is true where a token stands. Sums are kept in 32 bits, products in 16."""
    name = f"l{i}."
    part = lambda y, n: F.linear(y, p[name + n], p[name + n + ".b"])
    with half():
        q, k, v = (z.reshape(*x.shape[:2], HEADS, WIDTH).transpose(1, 2) for z in part(x, "qkv").chunk(3, -1))
        mixed = part(F.scaled_dot_product_attention(q, k, v, mask[:, None, None, :]).transpose(1, 2).reshape(x.shape), "o")
    x = norm(x + mixed.float(), p[name + "ln1.g"], p[name + "ln1.b"], epsilon)
    with half():
        inner = part(F.gelu(part(x, "up")), "down")
    return norm(x + inner.float(), p[name + "ln2.g"], p[name + "ln2.b"], epsilon)


def through(p, x, mask, layers, epsilon):
    for i in layers:
        x = layer(x, mask, p, i, epsilon)
    return x


def log_odds(p, x, mask, layers, epsilon):
    x, real = through(p, x, mask, layers, epsilon), mask[..., None].float()
    mean = (x * real).sum(1) / real.sum(1)
    return torch.tanh(F.linear(mean, p["pool.w"], p["pool.b"])) @ p["class.w"] + p["class.b"][0]


def loss_of(p, x, mask, label, group, layers, epsilon):
    z = log_odds(p, x, mask, layers, epsilon)
    right = label > 0
    rivals = (group[:, None] == group[None, :]) & ~(right[None, :] & ~torch.eye(len(z), dtype=torch.bool))
    lead = torch.logsumexp(z[None, :].masked_fill(~rivals, -1e9), 1) - z
    return F.binary_cross_entropy_with_logits(z, label) + 0.5 * lead[right].sum() / max(1, right.sum())


def joined(asked, text):
    ids = asked[:ASKED]
    return (ids + text[1:-1])[: PAIR - 1] + [text[-1]]


def load(path, rng):
    """Questions with their pairs: all texts of one that is put aside, some of others."""
    path, _, most = path.partition(":")
    all = [json.loads(line) for line in open(path)]
    rng.shuffle(all)
    learned = [q for q in all if not q["aside"]]
    for q in learned[: int(most or len(all))] + [q for q in all if q["aside"]][:MEASURED]:
        texts = [t for t in zip(q["texts"], q["labels"]) if t[0]]
        right, wrong = [t for t, label in texts if label], [t for t, label in texts if not label]
        strangers = [t for t in q["strangers"] or [] if t]
        if not q["aside"]:
            rng.shuffle(wrong), rng.shuffle(strangers)
            right, wrong, strangers = right[:RIGHT], wrong[:BESIDE], strangers[:STRANGERS]
        wrong += strangers
        if q["asked"] and right + wrong:
            yield {"aside": q["aside"], "file": path, "ids": [joined(q["asked"], t) for t in right + wrong], "labels": [1.0] * len(right) + [0.0] * len(wrong)}


class Pairs:
    """Pairs after the layers below the top ones."""

    def __init__(self, encoder, questions, below):
        self.questions = questions
        self.ids = [ids for q in questions for ids in q["ids"]]
        self.labels = [label for q in questions for label in q["labels"]]
        self.of = [i for i, q in enumerate(questions) for _ in q["ids"]]
        self.by = collections.defaultdict(list)
        for at, i in enumerate(self.of):
            self.by[i].append(at)
        p = encoder.layers(range(below))
        self.hidden, began = [None] * len(self.ids), time.time()
        order = sorted(range(len(self.ids)), key=lambda at: len(self.ids[at]))
        with torch.no_grad():
            for start in range(0, len(order), BATCH):
                part = order[start : start + BATCH]
                x, mask = padded([encoder.input(self.ids[at]) for at in part])
                y = through(p, x, mask, range(below), encoder.epsilon).half()
                for n, at in enumerate(part):
                    self.hidden[at] = y[n, : len(self.ids[at])].clone()
                if start % 12800 == 0:
                    print(f"read {start} of {len(order)} pairs, {time.time() - began:.0f} s", flush=True)

    def some(self, part):
        x, mask = padded([self.hidden[at] for at in part])
        return x, mask, torch.tensor([self.labels[at] for at in part]), torch.tensor([self.of[at] for at in part])

    def batches(self, rng, near=80):
        """Whole questions, those of like length together."""
        order = [i for i, q in enumerate(self.questions) if not q["aside"]]
        rng.shuffle(order)
        out = []
        for start in range(0, len(order), near):
            batch = []
            for i in sorted(order[start : start + near], key=lambda i: max(len(self.ids[at]) for at in self.by[i])):
                if len(batch) + len(self.by[i]) > BATCH and batch:
                    out.append(batch)
                    batch = []
                batch += self.by[i][:BATCH]
            out.append(batch)
        rng.shuffle(out)
        return out

    @torch.no_grad()
    def measure(self, p, layers, epsilon):
        """What is right of the questions put aside, each set by itself."""
        places = sorted((at for i, q in enumerate(self.questions) if q["aside"] for at in self.by[i]), key=lambda at: len(self.ids[at]))
        z = {}
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            x, mask, *_ = self.some(part)
            z.update(zip(part, log_odds(p, x, mask, layers, epsilon).tolist()))
        told = []
        for kind in sorted({q["file"] for q in self.questions}):
            first, yes, no = [], [], []
            for i, q in enumerate(self.questions):
                if not q["aside"] or q["file"] != kind:
                    continue
                best = max(self.by[i], key=z.get)
                if any(q["labels"]):
                    first.append(self.labels[best])
                (yes if any(q["labels"]) else no).append(z[best])
            area = np.mean([(np.array(no) < v).mean() for v in yes]) if yes and no else 0
            told.append(f"{kind}: first right {np.mean(first or [0]):.3f} of {len(first)}, answered or not {area:.3f} (AUROC, {len(no)} not)")
        return "\n".join(told)


def padded(rows):
    length = -(-max(map(len, rows)) // 8) * 8
    x, mask = torch.zeros(len(rows), length, HEADS * WIDTH), torch.zeros(len(rows), length, dtype=torch.bool)
    for n, row in enumerate(rows):
        x[n, : len(row)], mask[n, : len(row)] = row, True
    return x, mask


def train(p, pairs, layers, epsilon, rate, epochs, rng):
    p = {k: v.clone().requires_grad_() for k, v in p.items()}
    batches = [b for _ in range(epochs) for b in pairs.batches(rng)]
    by = torch.optim.AdamW(p.values(), lr=rate, betas=(0.9, 0.999), weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(by, lambda t: min((t + 1) / (0.06 * len(batches)), 1 - t / (len(batches) + 1)))
    print("before:", pairs.measure(p, layers, epsilon), sep="\n", flush=True)
    mean, began = 0.0, time.time()
    for n, batch in enumerate(batches, 1):
        by.zero_grad()
        value = loss_of(p, *pairs.some(batch), layers, epsilon)
        value.backward()
        torch.nn.utils.clip_grad_norm_(p.values(), 1)
        by.step()
        plan.step()
        mean = 0.98 * mean + 0.02 * float(value.detach())
        if n % 50 == 0:
            print(f"step {n} of {len(batches)}, loss {mean / (1 - 0.98**n):.3f}, {time.time() - began:.0f} s", flush=True)
        if n % (len(batches) // epochs) == 0:
            print(pairs.measure(p, layers, epsilon), flush=True)
    return {k: v.detach() for k, v in p.items()}


def write(path, p, header):
    """The layers in 8 bits with a scale for each row, their head as it is."""
    payload, tensors = bytearray(), []

    def add(name, kind, value):
        payload.extend(bytes(-len(payload) % 64))
        tensors.append({"name": name, "type": kind, "shape": list(value.shape), "offset": len(payload)})
        payload.extend(value.tobytes())

    for name in sorted(p):
        value = np.asarray(p[name], np.float32)
        if name.startswith("l") and value.ndim == 2:
            scale = np.abs(value).max(1) / 127
            add(name + ".q", "i8", np.rint(value / np.maximum(scale, 1e-12)[:, None]).astype(np.int8))
            add(name + ".s", "f32", scale.astype(np.float32))
        else:
            add(name, "f32", value)
    kept = {k: header[k] for k in ("dim", "layers", "heads", "ffn", "max_tokens", "ln_eps")}
    head = json.dumps({"format": 1, "model": "multilingual-e5-small-joint", "revision": hashlib.sha256(payload).hexdigest()[:8], "licence": "MIT", "vocab": 1, **kept,
                       "payload_sha256": hashlib.sha256(payload).hexdigest(), "tensors": tensors}).encode()
    open(path, "wb").write(b"FNEMB\x00\x00\x01" + struct.pack("<II", len(head), zlib.crc32(head)) + head + payload)


def begun(path):
    """Weights that were learned before, as write left them."""
    _, tensors = read(path)
    whole = {k[:-2]: v * tensors[k[:-2] + ".s"][:, None] for k, v in tensors.items() if k.endswith(".q")}
    return {k: torch.tensor(np.array(v), dtype=torch.float32) for k, v in (tensors | whole).items() if k[-2:] not in (".q", ".s")}


def head(rng):
    dim = HEADS * WIDTH
    p = {"pool.w": np.eye(dim) + rng.normal(0, 0.02, (dim, dim)), "pool.b": np.zeros(dim), "class.w": rng.normal(0, 0.02, dim), "class.b": np.zeros(1)}
    return {k: torch.tensor(v, dtype=torch.float32) for k, v in p.items()}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("encoder"), a.add_argument("out"), a.add_argument("pairs", nargs="+")
    a.add_argument("--top", type=int, default=4), a.add_argument("--rate", type=float, default=2e-4), a.add_argument("--epochs", type=int, default=3), a.add_argument("--begin")
    o = a.parse_args()
    encoder, rng = Encoder(o.encoder), np.random.default_rng(1)
    below = encoder.depth - o.top
    layers = range(below, encoder.depth)
    questions = [q for path in o.pairs for q in load(path, rng)]
    print(f"{len(questions)} questions, {sum(len(q['ids']) for q in questions)} pairs", flush=True)
    p = encoder.layers(layers) | (begun(o.begin) if o.begin else head(rng))  # BEGIN may have fewer layers
    p = train(p, Pairs(encoder, questions, below), layers, encoder.epsilon, o.rate, o.epochs, rng)
    write(o.out, p, encoder.header)


if __name__ == "__main__":
    main()
