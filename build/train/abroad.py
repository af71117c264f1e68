"""Trains the regressions for questions over texts in other languages (ADR 98).

    python build/train/abroad.py SCORER.json SET...

A SET is FILE of FILE.considered.jsonl, what `footnote eval ask --considered` wrote of
questions in one language over texts in another, and FILE.answers.jsonl, lines of
{question, answers}: what answers each, in the language of the texts; none where no
text does. SCORER.json gets "abroad" anew. Sets are put aside in turn to tell how
good it is on languages that it has not learned from.
"""
import json
import re
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

# What of a candidate can be told in another language: how near sentence and passage are in
# meaning, how long it is, and numbers and kinds of things, which are written alike.
USED = ("meant", "words", "offers", "undated")
SURE = ("meant", "cosine", "offers", "undated")
CLAIMED = 0.5


def words(text):
    return " " + re.sub(r"[\W_]+", " ", text.lower()).strip() + " "


def read(name, features):
    answers = [json.loads(line)["answers"] for line in open(name + ".answers.jsonl")]
    asked = [json.loads(line) for line in open(name + ".considered.jsonl")]  # in the same order; a question may have been mended
    assert len(asked) == len(answers), name
    for r, told in zip(asked, answers):
        golds = [words(g) for g in told if words(g).strip()]
        x = np.array([c["features"] for c in r["considered"]], float)
        if len(x) == 0 or not x[:, features.index("meant")].any():
            continue
        y = np.array([any(g in words(c["text"]) for g in golds) for c in r["considered"]])
        yield {"set": name, "x": x, "y": y, "content": r["content"], "rules": r["rules"]}


def fit(x, y, used):
    """A regression over some of the columns; the others weigh nothing."""
    mean, scale = x.mean(0), x.std(0)
    kept = [i for i in used if scale[i] > 1e-9]
    scale[scale <= 1e-9] = 1
    lr = LogisticRegression(C=0.3, max_iter=1000).fit(((x - mean) / scale)[:, kept], y)
    weight = np.zeros(x.shape[1])
    weight[kept] = lr.coef_[0]
    return {"mean": mean.tolist(), "scale": scale.tolist(), "weight": weight.tolist(), "bias": float(lr.intercept_[0])}


def log_odds(l, x):
    return (x - np.array(l["mean"])) / np.array(l["scale"]) @ np.array(l["weight"]) + l["bias"]


def overall(q, likely):
    """The best candidate with what grade.py and quote.overall tell of all."""
    order = np.argsort(-likely, kind="stable")
    rest = likely[order[1:]]
    own = [0.0, likely[order[0]], float((rest > likely[order[0]] - 1).sum()) / len(likely), q["content"], q["rules"]]
    return order[0], np.concatenate([q["x"][order[0]], own])


def learn(questions, features):
    at = [features.index(n) for n in USED]
    right = fit(np.vstack([q["x"] for q in questions]), np.concatenate([q["y"] for q in questions]), at)
    best = [overall(q, log_odds(right, q["x"])) for q in questions]
    sure = [features.index(n) for n in SURE] + [len(features) + 1, len(features) + 2]
    answered = fit(np.array([b for _, b in best]), np.array([q["y"][i] for q, (i, _) in zip(questions, best)]), sure)
    return {"right": right, "answered": answered, "listed": answered}


def measure(model, questions):
    hit, sure = [], []
    for q in questions:
        i, x = overall(q, log_odds(model["right"], q["x"]))
        hit.append(bool(q["y"][i])), sure.append(1 / (1 + np.exp(-log_odds(model["answered"], x))))
    hit, sure = np.array(hit), np.array(sure)
    any_right = sum(bool(q["y"].any()) for q in questions)
    claimed = sure >= CLAIMED
    area = roc_auc_score(hit, sure) if 0 < hit.sum() < len(hit) else 0
    return f"{len(questions)} questions, {any_right} with a right candidate, first {hit.sum()}, AUROC {area:.2f}, from {CLAIMED} {claimed.sum()} claimed, {hit[claimed].sum()} right"


def main():
    path, names = sys.argv[1], sys.argv[2:]
    scorer = json.load(open(path))
    features = re.findall(r'^\t"(\w+)",', open("backend/answer/quote/regression/features.go").read().split("FeatureNames = []string{")[1].split("}")[0], re.M)
    sets = {n: list(read(n, features)) for n in names}
    for n in names:
        others = [q for m in names if m != n for q in sets[m]]
        print(f"{n}, put aside: {measure(learn(others, features), sets[n])}")
    scorer["abroad"] = learn([q for s in sets.values() for q in s], features)
    with open(path, "w") as f:
        json.dump(scorer, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
