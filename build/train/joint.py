"""Trains the upper layers of the multilingual encoder to read a question and a text together.

    python joint.py ENCODER.fnw OUT.fnw PAIRS.jsonl... [--top 4] [--rates 2e-4,1.5e-4]

ENCODER is backend/embed/weights/e5-small-q4.fnw, OUT backend/embed/weights/joint-e5-int8.fnw,
PAIRS what `go run ./build train pairs` wrote: one file after the other is learned from, each
once. The layers below the top ones are run once for each pair; a pair takes an eighth of a
second on two cores. Which text answers is told by both losses: each text by itself, and the
right one among those of its question.
"""
import argparse
import collections
import hashlib
import json
import struct
import time
import zlib

import jax
import jax.numpy as jnp
import numpy as np

HEADS, WIDTH = 12, 32
ASKED, PAIR = 64, 160  # tokens, as in backend/embed
LENGTHS = (32, 48, 64, 80, 96, 128, 160)
BATCH = 64  # pairs
BESIDE, STRANGERS, RIGHT = 3, 2, 2  # texts of a question that is learned from: of the passage, of others, and right ones


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

    def layers(self, numbers):
        p = {}
        for i in numbers:
            for part in ("qkv", "o", "up", "down"):
                name = f"l{i}.{part}"
                p[name], p[name + ".b"] = unpacked(self.tensors[name + ".n"], self.tensors[name + ".d"]), self.tensors[name + ".b"]
            for part in ("ln1.g", "ln1.b", "ln2.g", "ln2.b"):
                p[f"l{i}.{part}"] = self.tensors[f"l{i}.{part}"]
        return {k: jnp.asarray(v) for k, v in p.items()}

    def input(self, ids):
        ids = np.array(ids)
        x = unpacked(self.tensors["tok.n"][ids], self.tensors["tok.d"][ids]) + self.tensors["pos"][: len(ids)]
        return np.asarray(norm(x, self.tensors["emb.ln.g"], self.tensors["emb.ln.b"], self.epsilon))


def norm(x, gain, shift, epsilon):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + epsilon) * gain + shift


def layer(x, mask, p, i, epsilon):
    name, width = f"l{i}.", x.shape[-1]
    z = x @ p[name + "qkv"].T + p[name + "qkv.b"]
    q, k, v = (z[..., n * width : (n + 1) * width].reshape(*x.shape[:2], HEADS, WIDTH).transpose(0, 2, 1, 3) for n in range(3))
    weights = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(WIDTH) + (mask[:, None, None, :] - 1) * 1e9)
    mixed = (weights @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    x = norm(x + mixed @ p[name + "o"].T + p[name + "o.b"], p[name + "ln1.g"], p[name + "ln1.b"], epsilon)
    inner = jax.nn.gelu(x @ p[name + "up"].T + p[name + "up.b"], approximate=False)
    return norm(x + inner @ p[name + "down"].T + p[name + "down.b"], p[name + "ln2.g"], p[name + "ln2.b"], epsilon)


def through(p, x, mask, layers, epsilon):
    for i in layers:
        x = layer(x, mask, p, i, epsilon)
    return x


def log_odds(p, x, mask, layers, epsilon):
    x = through(p, x, mask, layers, epsilon)
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return jnp.tanh(mean @ p["pool.w"].T + p["pool.b"]) @ p["class.w"] + p["class.b"][0]


def loss_of(p, x, mask, label, group, real, layers, epsilon):
    z = log_odds(p, x, mask, layers, epsilon)
    each = (jnp.maximum(z, 0) - z * label + jnp.log1p(jnp.exp(-jnp.abs(z)))) * real
    right = (label > 0) * real
    rivals = (group[:, None] == group[None, :]) & (real[None, :] > 0) & ~((label[None, :] > 0) & ~jnp.eye(len(z), dtype=bool))
    total = jax.nn.logsumexp(jnp.where(rivals, z[None, :], -1e9), axis=1)
    return each.sum() / real.sum() + 0.5 * ((total - z) * right).sum() / jnp.maximum(right.sum(), 1)


def joined(asked, text):
    ids = asked[:ASKED]
    return (ids + text[1:-1])[: PAIR - 1] + [text[-1]]


def load(path, rng):
    """Questions with their pairs: all texts of one that is put aside, some of others."""
    for line in open(path):
        q = json.loads(line)
        texts = [t for t in zip(q["texts"], q["labels"]) if t[0]]
        right, wrong = [t for t, label in texts if label], [t for t, label in texts if not label]
        strangers = [t for t in q["strangers"] or [] if t]
        if not q["aside"]:
            rng.shuffle(wrong), rng.shuffle(strangers)
            right, wrong, strangers = right[:RIGHT], wrong[:BESIDE], strangers[:STRANGERS]
        wrong += strangers
        if q["asked"] and right + wrong:
            yield {"aside": q["aside"], "set": q["package"], "ids": [joined(q["asked"], t) for t in right + wrong], "labels": [1.0] * len(right) + [0.0] * len(wrong)}


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
        p, run = encoder.layers(range(below)), jax.jit(lambda p, x, mask: through(p, x, mask, range(below), encoder.epsilon))
        self.hidden, began = [None] * len(self.ids), time.time()
        order = sorted(range(len(self.ids)), key=lambda at: len(self.ids[at]))
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            rows = {at: encoder.input(self.ids[at]) for at in part}
            x, mask, *_ = self.padded(part, rows)
            y = np.asarray(run(p, x, mask)).astype(np.float16)
            for n, at in enumerate(part):
                self.hidden[at] = y[n, : len(self.ids[at])]
            if start % 6400 == 0:
                print(f"read {start} of {len(order)} pairs, {time.time() - began:.0f} s", flush=True)

    def padded(self, part, rows=None):
        rows = rows or self.hidden
        length = next(n for n in LENGTHS if n >= max(len(rows[at]) for at in part))
        x, mask = np.zeros((BATCH, length, HEADS * WIDTH), np.float32), np.zeros((BATCH, length), np.float32)
        label, group, real = np.zeros(BATCH, np.float32), np.full(BATCH, -1, np.int32), np.zeros(BATCH, np.float32)
        mask[:, 0] = 1
        for n, at in enumerate(part):
            x[n, : len(rows[at])], mask[n, : len(rows[at])], label[n], group[n], real[n] = rows[at], 1, self.labels[at], self.of[at], 1
        return x, mask, label, group, real

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

    def measure(self, run, p):
        places = sorted((at for i, q in enumerate(self.questions) if q["aside"] for at in self.by[i]), key=lambda at: len(self.ids[at]))
        z = {}
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            x, mask, *_ = self.padded(part)
            z.update(zip(part, np.asarray(run(p, x, mask)).tolist()))
        first, yes, no = [], [], []
        for i, q in enumerate(self.questions):
            if not q["aside"]:
                continue
            best = max(self.by[i], key=z.get)
            if any(q["labels"]):
                first.append(self.labels[best])
            (yes if any(q["labels"]) else no).append(z[best])
        area = np.mean([(np.array(no) < v).mean() for v in yes]) if yes and no else 0
        return f"first right {np.mean(first or [0]):.3f} of {len(first)}, answered or not {area:.3f} (AUROC, {len(no)} not)"


def train(p, pairs, layers, epsilon, rate, rng):
    run = jax.jit(lambda p, x, mask: log_odds(p, x, mask, layers, epsilon))
    batches = pairs.batches(rng)

    @jax.jit
    def step(p, m, v, t, *batch):
        value, g = jax.value_and_grad(loss_of)(p, *batch, layers, epsilon)
        size = jnp.sqrt(sum((x**2).sum() for x in g.values()))
        g = {k: x * jnp.minimum(1, 1 / size) for k, x in g.items()}
        now = rate * jnp.minimum(t / (0.08 * len(batches)), 1 - t / (len(batches) + 1))
        m = {k: 0.9 * m[k] + 0.1 * g[k] for k in g}
        v = {k: 0.999 * v[k] + 0.001 * g[k] ** 2 for k in g}
        p = {k: p[k] - now * ((m[k] / (1 - 0.9**t)) / (jnp.sqrt(v[k] / (1 - 0.999**t)) + 1e-8) + 0.01 * p[k]) for k in p}
        return p, m, v, value

    print("before:", pairs.measure(run, p), flush=True)
    m, v = ({k: jnp.zeros_like(x) for k, x in p.items()} for _ in range(2))
    mean, began = 0.0, time.time()
    for n, batch in enumerate(batches, 1):
        p, m, v, value = step(p, m, v, float(n), *pairs.padded(batch))
        mean = 0.98 * mean + 0.02 * float(value)
        if n % 50 == 0:
            print(f"step {n} of {len(batches)}, loss {mean / (1 - 0.98**n):.3f}, {time.time() - began:.0f} s", flush=True)
    print("after:", pairs.measure(run, p), flush=True)
    return p


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


def main():
    a = argparse.ArgumentParser()
    a.add_argument("encoder"), a.add_argument("out"), a.add_argument("pairs", nargs="+")
    a.add_argument("--top", type=int, default=4), a.add_argument("--rates", default="2e-4,1.5e-4")
    o = a.parse_args()
    encoder, rng = Encoder(o.encoder), np.random.default_rng(1)
    below = encoder.depth - o.top
    layers, dim = range(below, encoder.depth), HEADS * WIDTH
    p = encoder.layers(layers)
    p |= {"pool.w": jnp.eye(dim) + rng.normal(0, 0.02, (dim, dim)), "pool.b": jnp.zeros(dim), "class.w": jnp.asarray(rng.normal(0, 0.02, dim)), "class.b": jnp.zeros(1)}
    p = {k: jnp.asarray(v, jnp.float32) for k, v in p.items()}
    for path, rate in zip(o.pairs, map(float, o.rates.split(","))):
        questions = list(load(path, rng))
        print(f"{path}: {len(questions)} questions, {sum(len(q['ids']) for q in questions)} pairs", flush=True)
        p = train(p, Pairs(encoder, questions, below), layers, encoder.epsilon, rate, rng)
        write(o.out, p, encoder.header)


if __name__ == "__main__":
    main()
