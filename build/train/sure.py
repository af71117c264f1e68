"""Learns how sure it is that what the joint encoder finds first answers a question.

    python sure.py backend/answer/quote/regression/scorer.json folders.jsonl.gz

A line of the second is a question to a folder: what `footnote eval ask --considered` saw of
it, and which candidates answer it; none where nothing in the folder does, and where it is a
"stranger", a question that was written for another folder. "sure" of
scorer.json is written anew, and what it is worth is printed: each folder is told by
what the others teach.
"""
import gzip
import json
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

UNDATED, ANOTHER, AROUND, OPENS = 28, 29, 19, 33  # features, as in backend/answer/quote/regression/features.go
PULL = 0.1  # to nothing, of standardised weights


def logit(p):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def described(line, joined):
    """As sureOf in backend/answer/quote/joint.go; trace and order are by "joined" of scorer.json."""
    likely = logit(np.array([c["right"] for c in line["considered"]]))
    joint = np.array([c["joint"] for c in line["considered"]])
    alone = (likely - joined["bias"] - joined["weight"][1] * joint) / joined["weight"][0]
    f = line["considered"][0]["features"]
    ahead, lead = (v[0] - v[1:].max() if len(v) > 1 else 0.0 for v in (joint, likely))
    return [alone[0], joint[0], ahead, lead, f[UNDATED], f[ANOTHER], f[AROUND], f[OPENS]]


def learned(x, y):
    mean, scale = x.mean(0), x.std(0)
    fit = LogisticRegression(C=PULL, max_iter=1000).fit((x - mean) / scale, y)
    return {"mean": mean.round(4).tolist(), "scale": scale.round(4).tolist(), "weight": fit.coef_[0].round(4).tolist(), "bias": round(float(fit.intercept_[0]), 4)}


def told(model, x):
    return 1 / (1 + np.exp(-((x - model["mean"]) / model["scale"] @ np.array(model["weight"]) + model["bias"])))


def main():
    out, path = sys.argv[1:]
    scorer = json.load(open(out))
    lines = [line for line in map(json.loads, gzip.open(path)) if any(c["joint"] for c in line["considered"])]
    x = np.array([described(line, scorer["meant"]["joined"]) for line in lines])
    y = np.array([line["answers"][0] > 0 for line in lines])
    there, folder, stranger = (np.array(v) for v in zip(*[(any(line["answers"]), line["folder"], "stranger" in line) for line in lines]))
    p = np.zeros(len(y))
    for one in sorted(set(folder)):
        p[folder == one] = told(learned(x[folder != one], y[folder != one]), x[folder == one])
    error = sum(np.mean((p >= low) & (p < low + 0.1)) * abs(y[(p >= low) & (p < low + 0.1)].mean() - p[(p >= low) & (p < low + 0.1)].mean()) for low in np.arange(0, 1, 0.1) if ((p >= low) & (p < low + 0.1)).any())
    print(f"{len(y)} questions, AUROC {roc_auc_score(y, p):.3f}, ECE {error:.3f}")
    for at in np.arange(0.3, 0.75, 0.05):
        print(f"claimed from {at:.2f}: right {(y & (p >= at)).sum()}, wrong {(~y & there & (p >= at)).sum()}, though nothing answers {(~there & ~stranger & (p >= at)).sum()} of {(~there & ~stranger).sum()}, strangers {(stranger & (p >= at)).sum()} of {stranger.sum()}")
    for at in np.arange(0.1, 0.35, 0.05):
        print(f"told to have nothing below {at:.2f}: {(there & (p < at)).sum()} of {there.sum()} that have, {(y & (p < at)).sum()} of them right; {(~there & ~stranger & (p < at)).sum()} of {(~there & ~stranger).sum()}, strangers {(stranger & (p < at)).sum()} of {stranger.sum()}")
    for name in ("read", "meant"):
        scorer[name]["sure"] = learned(x, y)
    json.dump(scorer, open(out, "w"), indent=1)


if __name__ == "__main__":
    main()
