"""Trains the answer scorer: which candidate answers, and whether any does.

    python grade.py [--certainty] [--aside LIBRARY]... OUT.json FOLDERS...

FOLDERS have questions.jsonl and considered.jsonl, which `footnote eval
answering --learn` writes. Documents are split as in data.py: test ones are only
printed. asked.jsonl.gz beside this file has questions that were asked of
libraries as people have them, with the candidates that a reader found to answer;
the libraries that are put aside are only printed. OUT is
backend/answer/quote/regression/scorer.json. With --certainty only the certainty of sentences is
learned anew; what is chosen, the certainty of rows and the limits stay those of OUT.
"""
import argparse
import collections
import gzip
import json
import pathlib
import zlib

import numpy as np
from data import answers, part_of
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

ROW = 11  # the feature of a row of a table
READ, UNREAD = 0, [0, 24, 25, 32, 34]  # features of what the cross-encoder read
MEANT, UNMEANT = 35, [7, 35]  # and the sentence encoder
PLACE = 9  # the feature of the place by rules
FOREIGN = 31  # the feature of a text in another language
ASKED = 3.0  # weight of questions as people ask them, against those of labelled sets
PRIOR = {26: (2.74, 0.05)}  # by feature: the weight of a difference of one, and how strongly; "defines": 26 of 27 against 122 of 263 labelled pairs (ADR 53)
# What each feature may only speak for (1) or against (-1), so that no chance of the data turns it round: in the order of FeatureNames.
SIGNS = [1, 1, 1, 1, -1, -1, 1, 1, -1, 1, 1, 0, -1, 0, -1, -1, 0, 1, 1, 1, -1, 1, 1, 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, 1, 1, 1]
REFUSED = 0.04  # of the right answers of labelled sets: shown as no answer
CLAIMED = 0.5  # of what is claimed of questions as people ask them, so much must be right in one sentence alone


def load(folder):
    questions = {q["question"]: q for q in map(json.loads, open(folder + "/questions.jsonl"))}
    seen = set()
    for line in open(folder + "/considered.jsonl"):
        said = json.loads(line)
        question = questions.get(said["question"])
        if not question or said["question"] in seen or not said.get("considered"):
            continue
        seen.add(said["question"])
        labels = [question["kind"] == "there" and answers(question, {"Text": c["text"], "Told": "", "Title": ""}) for c in said["considered"]]
        x = np.array([c["features"] for c in said["considered"]], float)
        yield {"set": folder.rstrip("/").split("/")[-1], "kind": question["kind"], "part": part_of(question["doc"]), "x": x, "right": np.array(labels, float),
               "content": said["content"], "rules": said["rules"]}


def asked(aside):
    """Questions of libraries as people have them."""
    for line in gzip.open(pathlib.Path(__file__).with_name("asked.jsonl.gz"), "rt"):
        q = json.loads(line)
        right = np.array([c["answers"] for c in q["considered"]], float)
        foreign = np.array([c["features"][FOREIGN] for c in q["considered"]])
        if (right * (1 - foreign)).any():
            right *= 1 - foreign  # nobody wants another language where their own says it
        yield {"set": q["library"], "kind": "there" if right.any() else "gone", "part": "test" if q["library"] in aside else "train", "asked": True, "fold": zlib.crc32(q["question"].encode()),
               "x": np.array([c["features"] for c in q["considered"]], float), "right": right, "content": q["content"], "rules": q["rules"]}


def subject(q):
    """What a set is about: one text in several languages is one set."""
    return q["set"].split("-")[0] if q.get("asked") else q["set"]


def weights(questions):
    """Each set weighs as the root of its size, so that no large one decides alone."""
    sizes = collections.Counter(map(subject, questions))
    return np.array([(ASKED if q.get("asked") else 1.0) / sizes[subject(q)] ** 0.5 for q in questions])


def without(q, features):
    """A question as it is when a model did not read its candidates."""
    x = q["x"].copy()
    x[:, features] = 0
    return {**q, "x": x}


def bounded(loss, n):
    """The weights of least loss whose signs are those of SIGNS."""
    return minimize(loss, np.zeros(n), jac=True, method="L-BFGS-B", bounds=[{1: (0, None), -1: (None, 0)}.get(SIGNS[i] if i < len(SIGNS) else 0, (None, None)) for i in range(n)], options={"maxiter": 500}).x


def fit(x, y, weight, c=0.3):
    mean, scale = x.mean(0), x.std(0) + 1e-6
    z = np.c_[(x - mean) / scale, np.ones(len(x))]

    def loss(w):
        p = 1 / (1 + np.exp(-(z @ w)))
        slope = z.T @ (weight * (p - y))
        slope[:-1] += w[:-1] / c
        return -(weight * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))).sum() + (w[:-1] ** 2).sum() / (2 * c), slope

    w = bounded(loss, z.shape[1])
    return {"mean": mean.tolist(), "scale": scale.tolist(), "weight": w[:-1].tolist(), "bias": float(w[-1])}


def choose(questions, weight, strength=0.01):
    """Conditional logistic regression: the right candidate among those of its question."""
    every = np.concatenate([q["x"] for q in questions])
    mean, scale = every.mean(0), every.std(0) + 1e-6
    xs = [(q["x"] - mean) / scale for q in questions]
    towards, pull = np.zeros(len(mean)), np.full(len(mean), strength)
    for at, (of_one, held) in PRIOR.items():
        towards[at], pull[at] = of_one * scale[at], held

    def loss(w):
        total, slope = (pull * (w - towards) ** 2).sum() / 2, pull * (w - towards)
        for q, x, share in zip(questions, xs, weight):
            z = x @ w
            p = np.exp(z - z.max())
            p /= p.sum()
            found = max((p * q["right"]).sum(), 1e-12)
            total -= share * np.log(found)
            slope = slope + share * (p - p * q["right"] / found) @ x
        return total, slope

    w = bounded(loss, len(mean))
    z = np.concatenate([x @ w for x in xs])
    y = np.concatenate([q["right"] for q in questions])
    level = LogisticRegression(C=1e3).fit(z[:, None], y)
    return {"mean": mean.tolist(), "scale": scale.tolist(), "weight": (w * level.coef_[0, 0]).tolist(), "bias": float(level.intercept_[0])}


def log_odds(model, x):
    return (x - np.array(model["mean"])) / np.array(model["scale"]) @ np.array(model["weight"]) + model["bias"]


def overall(q, likely):
    """As Query.overall: order is that of likely."""
    order = np.argsort(-likely, kind="stable")
    x, best = q["x"][order], likely[order]
    gap = x[0, READ] - x[1, READ] if len(x) > 1 else 0.0
    rivals = float((best[1:] > best[0] - 1).sum()) / len(best)
    return order[0], np.concatenate([x[0], [gap, best[0], rivals, q["content"], q["rules"]]])


def expected_error(p, y, bins=10):
    edges = np.clip((p * bins).astype(int), 0, bins - 1)
    return sum(abs(p[edges == b].mean() - y[edges == b].mean()) * (edges == b).mean() for b in range(bins) if (edges == b).any())


def regress(questions, held=None):
    """The regressions, and how sure they are of what is right; with held ones only
    the certainty of sentences is learned."""
    some = [q for q in questions if q["part"] != "test"]
    if held is None:
        there = [q for q in some if q["right"].any()]
        w = weights(there)
        right = choose(there, w / w.sum())
    else:
        right = held["right"]
    best = [overall(q, log_odds(right, q["x"])) for q in some]
    x, y = np.array([f for _, f in best]), np.array([q["right"][i] for q, (i, _) in zip(some, best)])
    answered = certain(some, x, y, np.full(len(y), True) if held is None else x[:, ROW] == 0)
    model = {"right": right, "answered": answered, "listed": answered if held is None else held["listed"]}
    sure = 1 / (1 + np.exp(-np.array([log_odds(certainty(model, f), f) for f in x])))
    return model, sure[y > 0]


def certain(questions, x, y, which):
    """The certainty of the best candidates that are among those."""
    w = weights([q for q, one in zip(questions, which) if one])
    return fit(x[which], y[which], w * len(w) / w.sum())


def certainty(model, f):
    """As calibrated.certainty."""
    return model["listed" if f[ROW] > 0 else "answered"]


def kind(q):
    """The regressions that a question is graded by: what models read its candidates."""
    if not q["x"][:, MEANT].any():
        return "alone"
    return "read" if q["x"][:, READ].any() else "meant"


def pairs(questions, held=None):
    """The regressions by kind, and how sure those of all models are of what is right."""
    held = held or {}
    read, sure = regress([q for q in questions if kind(q) == "read"], held.get("read"))
    meant, _ = regress([without(q, UNREAD) for q in questions if kind(q) != "alone"], held.get("meant"))
    alone, _ = regress([without(q, UNREAD + UNMEANT) for q in questions], held.get("alone"))
    return {"read": read, "meant": meant, "alone": alone}, sure


def train(questions, held=None):
    models, sure = pairs(questions, held)
    answers, closest = claimed_from(questions, held), round(float(np.quantile(sure, REFUSED)), 2)
    print("answers from", answers, "closest from", closest)
    if held is not None:  # rows are held to them too
        answers, closest = held["answers"], held["closest"]
    kept = {} if held is None else {k: held[k] for k in held if k not in ("answers", "closest", *models)}
    for name in models if held is not None else ():
        models[name] |= {k: v for k, v in held.get(name, {}).items() if k in ("joined", "sure")}
    return {"answers": answers, "closest": closest, **kept, **models}


def said(model, q):
    """The place of the likeliest candidate, and the confidence that it answers."""
    pair = model[kind(q)]
    at, f = overall(q, log_odds(pair["right"], q["x"]))
    return at, 1 / (1 + np.exp(-log_odds(certainty(pair, f), f)))


def claimed_from(questions, held_back=None, folds=8):
    """The confidence from which CLAIMED of the claims are right, each part of the
    questions as people ask them by what is learned without it."""
    asked = [q for q in questions if q.get("asked") and q["part"] != "test"]
    sure, right = [], []
    for k in range(folds):
        held = [q for q in asked if q["fold"] % folds == k]
        others = [q for q in questions if not q.get("asked") or q["fold"] % folds != k]
        models, _ = pairs(others, held_back)
        for q in held:
            at, p = said(models, q)
            sure.append(p)
            right.append(q["right"][at])
    order = np.argsort(-np.array(sure))
    sure, right = np.array(sure)[order], np.array(right)[order]
    print(f"asked, {folds} folds: first right {int(right.sum())} of {len(right)}, auroc {roc_auc_score(right, sure):.3f}, ece {expected_error(sure, right):.3f}")
    share = np.cumsum(right) / np.arange(1, len(right) + 1)
    for at in (0.3, 0.4, 0.5, 0.6, 0.7):
        print(f"  from {at}: {int((sure >= at).sum())} claimed, {int(right[sure >= at].sum())} right")
    return round(float(sure[np.flatnonzero(share >= CLAIMED)[-1]]), 2)


def table(model, questions):
    names = sorted({q["set"] for q in questions})
    every = []
    for name in names:
        rows = []
        for q in questions:
            if q["set"] == name and q["part"] == "test":
                at, p = said(model, q)
                rules = np.argmax(np.where(q["x"][:, ROW] > 0, -1, q["x"][:, PLACE]))
                rows.append((q["kind"], q["right"][at], p, q["right"][rules], q["rules"]))
        if not rows:
            continue
        every += rows
        report(name, rows)
    if every:
        report("all", every)


def report(name, rows):
    kind, p = np.array([r[0] for r in rows]), np.array([r[2] for r in rows])
    right, old, rules = (np.array([r[i] for r in rows], float) for i in (1, 3, 4))
    there = kind == "there"
    line = f"{name:14s} first right {right[there].mean():.3f} (rules {old[there].mean():.3f}) of {there.sum()}"
    for other in ("gone", "tempt"):
        no = kind == other
        if no.any() and there.any():
            y = np.r_[np.ones(there.sum()), np.zeros(no.sum())]
            line += f"  {other} auroc {roc_auc_score(y, np.r_[p[there], p[no]]):.3f} (rules {roc_auc_score(y, np.r_[rules[there], rules[no]]):.3f})"
            for refused in (0.05, 0.1, 0.2):
                line += f" @{refused:.0%} {(p[no] >= np.quantile(p[there], refused)).mean():.2f}"
    line += f"  ece {expected_error(p, right):.3f}"
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--aside", action="append", default=[])
    parser.add_argument("--certainty", action="store_true")
    args = parser.parse_args()
    questions = [q for folder in args.folders for q in load(folder)] + list(asked(args.aside))
    model = train(questions, json.load(open(args.out)) if args.certainty else None)
    print(len(questions), "questions")
    table(model, questions)
    for what, features in (("the cross-encoder", UNREAD), ("both encoders", UNREAD + UNMEANT)):
        print("without", what)
        table(model, [without(q, features) for q in questions])
    with open(args.out, "w") as f:
        json.dump(model, f, indent=1)


if __name__ == "__main__":
    main()
