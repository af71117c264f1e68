"""Trains what tells the language of a few words by their character n-grams.

    python language.py backend/lang/ngrams.bin

Learned from, for each language that shares an alphabet with others: handfuls of the
commonest words of the package wordfreq 3.1.1 (CC BY-SA 4.0), pieces of sentences and
questions of papers.jsonl.gz, and words of backend/lang/tables; some without their
accents, as they are typed in haste, and some with a word or name of another language
between. The file is the scale of the weights, then a row for each bucket of hashed
n-grams, in 8 bits (backend/lang/ngram.go reads it).
"""
import collections
import gzip
import json
import pathlib
import re
import struct
import sys
import unicodedata
import zlib

import numpy as np
import scipy.sparse as sparse
import wordfreq

LANGUAGES = "en de fr es it pt nl pl sv tr ru uk".split()
CYRILLIC = {"ru", "uk"}
BUCKETS = 1 << 14
SAMPLES = 50_000  # of a language
COMMON = 60_000  # words of a language
WORD = re.compile(r"[^\W\d_]+")
FOLD = str.maketrans("łıøđß", "liods")
TREE = pathlib.Path(__file__).parents[2]
rng = np.random.default_rng(7)


def words(text):
    return WORD.findall(text.lower())


def buckets(word, known={}):
    if word not in known:
        marked = "^" + word + "$"
        grams = [marked[i : i + n] for n in range(1, 6) for i in range(len(marked) - n + 1)]
        grams = [g for g in grams if g not in ("^", "$")] + ["=" + word]
        known[word] = [zlib.crc32(g.encode()) % BUCKETS for g in grams]
    return known[word]


def unaccented(word):
    parts = unicodedata.normalize("NFD", word.translate(FOLD))
    return "".join(c for c in parts if not unicodedata.combining(c))


def common():
    """Gives the words of each language that no other has much more often, with their weights."""
    often = {code: wordfreq.get_frequency_dict(code) for code in LANGUAGES}
    own = {}
    for code in LANGUAGES:
        own[code] = [
            w for w in wordfreq.top_n_list(code, COMMON)
            if WORD.fullmatch(w) and max(often[o].get(w, 0) for o in LANGUAGES) < 20 * often[code][w]
        ]
    weights = {code: np.array([often[code][w] for w in own[code]]) ** 0.5 for code in LANGUAGES}
    return own, {code: w / w.sum() for code, w in weights.items()}


def language_of(text, own):
    seen = collections.Counter()
    for w in set(words(text)):
        seen.update(code for code in LANGUAGES if w in own[code])
    return seen.most_common(1)[0][0] if seen else None


def papers(own):
    """Gives the sentences of the papers and of their questions, by language."""
    known = {code: set(own[code][:5000]) for code in LANGUAGES}
    pieces = collections.defaultdict(list)
    with gzip.open(TREE / "build/train/papers.jsonl.gz", "rt") as lines:
        for paper in map(json.loads, lines):
            code = language_of(paper["text"], known)
            asked = [q["question"] for q in paper["questions"]]
            for piece in re.split(r"[.\n?!:;]", paper["text"]) + [q for q in asked if language_of(q, known) == code]:
                if said := words(piece):
                    pieces[code].append(said)
    return pieces


def table(code):
    kinds = {"function", "ask", "negation", "weekday", "month", "asknoun", "number", "cause"}
    forms = []
    for line in (TREE / f"backend/lang/tables/{code}.tsv").read_text().splitlines():
        kind, _, said = line.split("\t")
        if kind in kinds:
            forms += [words(form) for form in said.split("|")]
    return [f for f in forms if f]


def handfuls(code, own, weights, pieces, foreign):
    """Makes the samples of a language: few words each."""
    forms = table(code)
    drawn = iter(rng.choice(len(own), SAMPLES * 5, p=weights))
    for _ in range(SAMPLES):
        kind = rng.random()
        if kind < 0.55:
            said = [own[next(drawn)] for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 5]))]
        elif kind < 0.88:
            piece, n = pieces[rng.integers(len(pieces))], rng.choice([2, 3, 4, 5, 7])
            start = rng.integers(max(1, len(piece) - n + 1))
            said = piece[start : start + n]
        else:
            said = [w for _ in range(rng.integers(1, 4)) for w in forms[rng.integers(len(forms))]]
        if code not in CYRILLIC and rng.random() < 0.3:
            said = [unaccented(w) for w in said]
        if code not in CYRILLIC and len(said) > 1 and rng.random() < 0.1:
            said = list(said)
            said.insert(rng.integers(len(said) + 1), foreign[rng.integers(len(foreign))])
        yield said


def matrix(samples):
    ends, columns = [0], []
    for said in samples:
        for w in said:
            columns += buckets(w)
        ends.append(len(columns))
    ones = np.ones(len(columns), dtype=np.float32)
    return sparse.csr_matrix((ones, np.array(columns, dtype=np.int32), np.array(ends)), shape=(len(samples), BUCKETS))


def learn(rows, labels, passes=3, batch=512, rate=0.15, decay=2e-6):
    """Is multinomial logistic regression by AdaGrad."""
    weights = np.zeros((BUCKETS, len(LANGUAGES)), dtype=np.float32)
    squares = np.full_like(weights, 1e-2)
    for turn in range(passes):
        for start in range(0, len(labels), batch):
            m = rows[start : start + batch]
            z = m @ weights
            p = np.exp(z - z.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            p[np.arange(len(p)), labels[start : start + batch]] -= 1
            used = np.unique(m.indices)
            step = (m[:, used].T @ p) / batch * 8 + decay * weights[used]
            squares[used] += step * step
            weights[used] -= rate * (1 - 0.3 * turn) * step / np.sqrt(squares[used])
    return weights


def main(out):
    own, weights = common()
    foreign = [w for code in LANGUAGES if code not in CYRILLIC for w in own[code][5000:40000]]
    pieces = papers(own)
    samples, labels = [], []
    for column, code in enumerate(LANGUAGES):
        samples += handfuls(code, own[code], weights[code], pieces[code], foreign)
        labels += [column] * SAMPLES
    order = rng.permutation(len(samples))
    learned = learn(matrix([samples[i] for i in order]), np.array(labels)[order])
    scale = np.percentile(np.abs(learned), 99.99) / 127
    small = np.clip(np.round(learned / scale), -127, 127).astype(np.int8)
    pathlib.Path(out).write_bytes(struct.pack("<f", scale) + small.tobytes())


main(sys.argv[1])
