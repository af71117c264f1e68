"""Learns what the joint encoder's log-odds are worth beside the regressions.

    python stack.py backend/answer/quote/regression/scorer.json PAIRS.jsonl,... CONSIDERED...

PAIRS is what `go run ./build train pairs` wrote, CONSIDERED what `footnote eval ask --considered` wrote of questions of PAIRS that
were put aside, asked of their files with "joined" as [1, 0], so that the trace has what the regressions say alone; or lines {considered,
answers, …} that a reader judged, 1 for what answers. The sentence answers that the question was
written for; others that may are not known of. "joined" of scorer.json is written anew; sure.py has to learn after it.
"""
import json
import re
import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression


HALF = 0.02  # pull of the weights to nothing


def letters(text):
    return re.sub(r"\W+", "", text.lower())


def logit(p):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def load(paths, golds):
    for path in paths:
        for said in map(json.loads, open(path)):
            answers = said.get("answers")
            if not said["considered"] or answers is None and said["question"] not in golds:
                continue
            if answers is None:
                gold = [letters(g) for g in golds[said["question"]]]
                answers = [any(g and (letters(c["text"]) == g or len(g) > 25 and (letters(c["text"]) in g or g in letters(c["text"]))) for g in gold) for c in said["considered"]]
            yield {"x": np.array([c["features"] for c in said["considered"]], float), "likely": logit(np.array([c["right"] for c in said["considered"]])),
                   "joint": np.array([c["joint"] for c in said["considered"]]), "right": np.array(answers, float), "content": said["content"], "rules": said["rules"]}


def plain(weight, bias):
    return {"mean": [0.0] * len(weight), "scale": [1.0] * len(weight), "weight": [round(float(w), 4) for w in weight], "bias": round(float(bias), 4)}


def joined(questions):
    there = [q for q in questions if q["right"].any()]

    def loss(w):
        total = HALF * (w**2).sum()
        for q in there:
            z = w[0] * q["likely"] + w[1] * q["joint"]
            p = np.exp(z - z.max())
            total -= np.log(max(p[q["right"] > 0].sum() / p.sum(), 1e-9))
        return total

    w = minimize(loss, [1, 0.5], method="Nelder-Mead").x
    z = np.concatenate([w[0] * q["likely"] + w[1] * q["joint"] for q in questions])
    level = LogisticRegression(C=1e3).fit(z[:, None], np.concatenate([q["right"] for q in questions]) > 0)
    return plain(w * level.coef_[0, 0], level.intercept_[0])


def main():
    out, golds = sys.argv[1], {}
    for path in sys.argv[2].split(","):
        golds |= {q["question"]: q["right"] or [] for q in map(json.loads, open(path)) if q["aside"]}
    scorer = json.load(open(out))
    questions = list(load(sys.argv[3:], golds))
    both = joined(questions)  # with the cross-encoder and without: too few for two
    for name in ("read", "meant"):
        scorer[name]["joined"] = both
    print(len(questions), both["weight"])
    json.dump(scorer, open(out, "w"), indent=1)


if __name__ == "__main__":
    main()
