"""Trains the top layers of a cross-encoder on frozen ones below.

    python cross.py MODEL.onnx VOCAB.json PAIRS.jsonl OUT.safetensors [--top 2] [--epochs 2]

MODEL.onnx is a BERT cross-encoder in 8 bits as published (the initial weights),
PAIRS what data.py wrote. The layers below the top ones are run once for each
pair; training then costs minutes on two cores. OUT has all weights in float32:
`go run ./build weights OUT.safetensors` makes the program's file of it.
"""
import argparse
import collections
import json
import struct
import time

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from tokenizers import Tokenizer

HEADS, WIDTH = 12, 32
ASKED, PAIR = 48, 160  # tokens, as in backend/embed
LENGTHS = (32, 48, 64, 96, 128, 160)


def weights_of(model):
    """All weights by their published names, read back from 8 bits."""
    initial = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}

    def whole(base):
        return (initial[base + "_quantized"].astype(np.float32) - np.float32(initial[base + "_zero_point"])) * initial[base + "_scale"]

    users = collections.defaultdict(list)
    for node in model.graph.node:
        for name in node.input:
            users[name].append(node)
    out = {}
    for name, value in initial.items():
        if name.endswith("_quantized") and not name.startswith("onnx::"):
            out[name[: -len("_quantized")]] = whole(name[: -len("_quantized")])
        elif value.dtype == np.float32 and name.startswith(("bert.", "classifier.")) and not name.endswith("_scale"):
            out[name] = value
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        base, at, bias = node.input[1][: -len("_quantized")], node.output[0], None
        while bias is None:
            after = users[at][0]
            bias = next((i for i in after.input if i.endswith(".bias")), None)
            at = after.output[0]
        out[bias[: -len(".bias")] + ".weight"] = np.ascontiguousarray(whole(base).T)
    return {k.removeprefix("bert."): v.astype(np.float32) for k, v in out.items()}


def write_safetensors(path, tensors):
    header, at, parts = {}, 0, []
    for name, value in sorted(tensors.items()):
        data = np.ascontiguousarray(value, dtype=np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    head = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + b"".join(parts))


def tokens_of(tokenizer, pair):
    asked = tokenizer.encode(pair["question"], add_special_tokens=False).ids[: ASKED - 1]
    text = tokenizer.encode(pair["text"], add_special_tokens=False).ids
    first = [101] + asked + [102]
    ids = (first + text)[: PAIR - 1] + [102]
    return ids, len(first)


class Frozen:
    """The layers below the top ones."""

    def __init__(self, model, below):
        name = f"/bert/encoder/layer.{below - 1}/output/LayerNorm/Add_1_output_0"
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        self.name = name

    def read(self, batch):
        longest = max(len(ids) for ids, _ in batch)
        ids, kinds, mask = (np.zeros((len(batch), longest), np.int64) for _ in range(3))
        for i, (tokens, second) in enumerate(batch):
            ids[i, : len(tokens)], mask[i, : len(tokens)], kinds[i, second : len(tokens)] = tokens, 1, 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        (hidden,) = self.session.run([self.name], feed)
        return [hidden[i, : len(tokens)].astype(np.float16) for i, (tokens, _) in enumerate(batch)]


def read_all(frozen, pairs, tokenizer):
    coded = [tokens_of(tokenizer, p) for p in pairs]
    order = sorted(range(len(coded)), key=lambda i: len(coded[i][0]))
    hidden, began = [None] * len(coded), time.time()
    for start in range(0, len(order), 32):
        places = order[start : start + 32]
        for i, h in zip(places, frozen.read([coded[i] for i in places])):
            hidden[i] = h
        if start % 6400 == 0:
            print(f"read {start} of {len(order)} pairs, {time.time() - began:.0f} s", flush=True)
    return hidden


def norm(x, p, name):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-12) * p[name + ".weight"] + p[name + ".bias"]


def linear(x, p, name):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def layer(x, mask, p, i, first_only):
    base = f"encoder.layer.{i}."
    asked = x[:, :1] if first_only else x

    def split(v):
        return v.reshape(v.shape[0], v.shape[1], HEADS, WIDTH).transpose(0, 2, 1, 3)

    q, k, v = (split(linear(s, p, base + "attention.self." + n)) for n, s in (("query", asked), ("key", x), ("value", x)))
    weights = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(WIDTH) + (mask[:, None, None, :] - 1) * 1e9)
    mixed = (weights @ v).transpose(0, 2, 1, 3).reshape(asked.shape)
    x = norm(asked + linear(mixed, p, base + "attention.output.dense"), p, base + "attention.output.LayerNorm")
    inner = jax.nn.gelu(linear(x, p, base + "intermediate.dense"), approximate=False)
    return norm(x + linear(inner, p, base + "output.dense"), p, base + "output.LayerNorm")


def logits(p, x, mask, layers):
    for i in layers:
        x = layer(x, mask, p, i, i == layers[-1])
    return (jnp.tanh(linear(x[:, 0], p, "pooler.dense")) @ p["classifier.weight"].T + p["classifier.bias"])[:, 0]


def loss_of(p, x, mask, label, group, real, layers):
    z = logits(p, x, mask, layers)
    each = jnp.maximum(z, 0) - z * label + jnp.log1p(jnp.exp(-jnp.abs(z)))
    binary = (each * real).sum() / real.sum()
    same = (group[:, None] == group[None, :]) & (real[None, :] > 0)
    total = jax.nn.logsumexp(jnp.where(same, z[None, :], -1e9), axis=1)
    chosen = label * real
    listwise = ((total - z) * chosen).sum() / jnp.maximum(chosen.sum(), 1)
    return binary + 0.5 * listwise


def batches(pairs, places, size, rng):
    groups = collections.defaultdict(list)
    for i in places:
        groups[pairs[i]["group"]].append(i)
    order = list(groups.values())
    rng.shuffle(order)
    batch = []
    for g in order:
        if len(batch) + len(g) > size and batch:
            yield batch
            batch = []
        batch += g[:size]
    if batch:
        yield batch


def padded(hidden, pairs, places, size):
    longest = max(len(hidden[i]) for i in places)
    length = next(n for n in LENGTHS if n >= longest)
    x, mask = np.zeros((size, length, HEADS * WIDTH), np.float32), np.zeros((size, length), np.float32)
    label, group, real = np.zeros(size, np.float32), np.full(size, -1, np.int32), np.zeros(size, np.float32)
    mask[:, 0] = 1
    names = {}
    for at, i in enumerate(places):
        n = len(hidden[i])
        x[at, :n], mask[at, :n], label[at], real[at] = hidden[i], 1, pairs[i]["label"], 1
        group[at] = names.setdefault(pairs[i]["group"], len(names))
    return x, mask, label, group, real


def measure(p, hidden, pairs, places, layers, run):
    z = np.zeros(len(places))
    for start in range(0, len(places), 96):
        part = places[start : start + 96]
        x, mask, *_ = padded(hidden, pairs, part, 96)
        z[start : start + len(part)] = np.asarray(run(p, x, mask))[: len(part)]
    by = collections.defaultdict(list)
    for v, i in zip(z, places):
        by[pairs[i]["group"]].append((v, pairs[i]["label"]))
    answered = [g for g in by.values() if any(l for _, l in g)]
    hit = np.mean([max(g)[1] for g in answered]) if answered else 0
    best = [(max(v for v, _ in g), any(l for _, l in g)) for g in by.values()]
    yes, no = [v for v, a in best if a], [v for v, a in best if not a]
    area = np.mean([(np.array(no) < v).mean() for v in yes]) if yes and no else 0
    return hit, area


def main():
    a = argparse.ArgumentParser()
    a.add_argument("model"), a.add_argument("vocabulary"), a.add_argument("pairs"), a.add_argument("out")
    a.add_argument("--top", type=int, default=2), a.add_argument("--epochs", type=int, default=2)
    a.add_argument("--rate", type=float, default=5e-5), a.add_argument("--size", type=int, default=96)
    a.add_argument("--cache", default="")
    o = a.parse_args()
    model = onnx.load(o.model)
    tensors = weights_of(model)
    depth = 1 + max(int(k.split(".")[2]) for k in tensors if k.startswith("encoder.layer."))
    layers = list(range(depth - o.top, depth))
    tokenizer = Tokenizer.from_file(o.vocabulary)
    tokenizer.no_padding(), tokenizer.no_truncation()
    pairs = [json.loads(line) for line in open(o.pairs)]
    hidden = read_all(Frozen(model, depth - o.top), pairs, tokenizer)
    trained = tuple(f"encoder.layer.{i}." for i in layers) + ("pooler.", "classifier.")
    p = {k: jnp.asarray(v) for k, v in tensors.items() if k.startswith(trained)}
    run = jax.jit(lambda p, x, mask: logits(p, x, mask, layers))
    places = {n: [i for i, q in enumerate(pairs) if q["part"] == n] for n in ("train", "dev")}
    rng = np.random.default_rng(1)
    steps = o.epochs * sum(1 for _ in batches(pairs, places["train"], o.size, np.random.default_rng(0)))
    first, second = ({k: jnp.zeros_like(v) for k, v in p.items()} for _ in range(2))

    @jax.jit
    def step(p, m, v, t, x, mask, label, group, real):
        value, g = jax.value_and_grad(lambda p: loss_of(p, x, mask, label, group, real, layers))(p)
        size = jnp.sqrt(sum((x**2).sum() for x in g.values()))
        g = {k: x * jnp.minimum(1, 1 / size) for k, x in g.items()}
        rate = o.rate * jnp.minimum(t / (0.06 * steps), 1 - t / (steps + 1))
        m = {k: 0.9 * m[k] + 0.1 * g[k] for k in g}
        v = {k: 0.999 * v[k] + 0.001 * g[k] ** 2 for k in g}
        p = {k: p[k] - rate * ((m[k] / (1 - 0.9**t)) / (jnp.sqrt(v[k] / (1 - 0.999**t)) + 1e-8) + 0.01 * p[k]) for k in p}
        return p, m, v, value

    print("before: first right %.3f, answered or not %.3f" % measure(p, hidden, pairs, places["dev"], layers, run), flush=True)
    done, mean, began = 0, 0.0, time.time()
    for epoch in range(o.epochs):
        for places_of in batches(pairs, places["train"], o.size, rng):
            done += 1
            p, first, second, value = step(p, first, second, float(done), *padded(hidden, pairs, places_of, o.size))
            mean = 0.98 * mean + 0.02 * float(value)
            if done % 100 == 0:
                print(f"step {done} of {steps}, loss {mean / (1 - 0.98**done):.4f}, {time.time() - began:.0f} s", flush=True)
        print("epoch %d: first right %.3f, answered or not %.3f" % (epoch + 1, *measure(p, hidden, pairs, places["dev"], layers, run)), flush=True)
        write_safetensors(o.out, {**tensors, **{k: np.asarray(v) for k, v in p.items()}})


if __name__ == "__main__":
    main()
