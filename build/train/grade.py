"""Trains the answer scorer: which candidate answers, and whether any does.

    python grade.py OUT.json FOLDERS...

FOLDERS have questions.jsonl and considered.jsonl, which `footnote eval
answering --learn` writes. Documents are split as in data.py: test ones are only
printed. OUT is backend/answer/quote/scorer.json.
"""
import json
import sys

import numpy as np
from data import answers, part_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

READ, UNREAD = slice(0, 3), [0, 1, 2, 9, 26, 27]  # features of what the models read
HEDGED, REFUSED = 0.17, 0.04  # of the right answers: shown as closest, and shown as no answer


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


def unread(q):
    """A question as it is when no model read its candidates."""
    x = q["x"].copy()
    x[:, UNREAD] = 0
    return {**q, "x": x}


def fit(x, y, weight, c=0.3):
    mean, scale = x.mean(0), x.std(0) + 1e-6
    model = LogisticRegression(C=c, max_iter=2000).fit((x - mean) / scale, y, sample_weight=weight)
    return {"mean": mean.tolist(), "scale": scale.tolist(), "weight": model.coef_[0].tolist(), "bias": float(model.intercept_[0])}


def choose(questions, weight, strength=0.01, steps=300):
    """Conditional logistic regression: the right candidate among those of its question."""
    every = np.concatenate([q["x"] for q in questions])
    mean, scale = every.mean(0), every.std(0) + 1e-6
    xs = [(q["x"] - mean) / scale for q in questions]
    w, first, second = np.zeros(len(mean)), np.zeros(len(mean)), np.zeros(len(mean))
    for t in range(1, steps + 1):
        slope = strength * w
        for q, x, share in zip(questions, xs, weight):
            z = x @ w
            p = np.exp(z - z.max())
            p /= p.sum()
            among = p * q["right"] / max((p * q["right"]).sum(), 1e-12)
            slope += share * (p - among) @ x
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        w -= 0.05 * (1 - t / (steps + 1)) * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.99**t)) + 1e-8)
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
    gap = x[0, :3].sum() - x[1, :3].sum() if len(x) > 1 else 0.0
    rivals = float((best[1:] > best[0] - 1).sum()) / len(best)
    return order[0], np.concatenate([x[0], [gap, best[0], rivals, q["content"], q["rules"]]])


def expected_error(p, y, bins=10):
    edges = np.clip((p * bins).astype(int), 0, bins - 1)
    return sum(abs(p[edges == b].mean() - y[edges == b].mean()) * (edges == b).mean() for b in range(bins) if (edges == b).any())


def regress(questions):
    """The pair of regressions, and how sure they are of what is right."""
    some = [q for q in questions if q["part"] != "test"]
    there = [q for q in some if q["right"].any()]
    sizes = {s: sum(q["set"] == s for q in there) for s in {q["set"] for q in there}}
    w = np.array([1 / sizes[q["set"]] ** 0.5 for q in there])
    right = choose(there, w / w.sum())
    sizes = {s: sum(q["set"] == s for q in some) for s in {q["set"] for q in some}}
    best = [overall(q, log_odds(right, q["x"])) for q in some]
    y = np.array([q["right"][i] for q, (i, _) in zip(some, best)])
    w = np.array([1 / sizes[q["set"]] ** 0.5 for q in some])
    answered = fit(np.array([f for _, f in best]), y, w * len(w) / w.sum())
    sure = 1 / (1 + np.exp(-log_odds(answered, np.array([f for _, f in best]))))
    return {"right": right, "answered": answered}, sure[y > 0]


def was_read(q):
    return bool(q["x"][:, READ].any())


def train(questions):
    read, sure = regress([q for q in questions if was_read(q)])
    alone, _ = regress([unread(q) for q in questions])
    at = {name: round(float(np.quantile(sure, share)), 2) for name, share in (("answers", HEDGED), ("closest", REFUSED))}
    return {**at, "read": read, "alone": alone}


def table(model, questions):
    names = sorted({q["set"] for q in questions})
    every = []
    for name in names:
        rows = []
        for q in questions:
            if q["set"] == name and q["part"] == "test":
                pair = model["read" if was_read(q) else "alone"]
                at, f = overall(q, log_odds(pair["right"], q["x"]))
                p = 1 / (1 + np.exp(-log_odds(pair["answered"], f[None])[0]))
                rules = np.argmax(np.where(q["x"][:, 13] > 0, -1, q["x"][:, 11]))
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
    questions = [q for folder in sys.argv[2:] for q in load(folder)]
    model = train(questions)
    print(len(questions), "questions")
    table(model, questions)
    print("without the cross-encoder")
    table(model, [unread(q) for q in questions])
    with open(sys.argv[1], "w") as f:
        json.dump(model, f, indent=1)


if __name__ == "__main__":
    main()
