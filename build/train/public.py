"""Questions to texts that others have answered, for the joint encoder.

    python public.py DATA OUT.jsonl.gz

DATA is a folder of data with answering/ and retrieval/xquad (each with a SOURCE.md).
OUT has lines of {question, set, aside, text, beside, starts}, which `go run ./build
train pairs` cuts into sentences. A question of XQuAD is asked of the text in its own
language, and at times of the text in another.
"""
import collections
import gzip
import json
import pathlib
import random
import sys

from data import part_of

LANGUAGES = ["en", "de", "es", "ru", "zh"]
SAME, ACROSS, TEMPTING = 1500, 700, 900  # questions of XQuAD in one language and across two, and of SQuAD 2


def lines(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as f:
        return [json.loads(line) for line in f]


def xquad(folder, rng):
    texts = {l: {d["id"]: d["text"] for d in lines(folder / l / "corpus.jsonl")} for l in LANGUAGES}
    asked = {l: {d["id"]: d["text"] for d in lines(folder / l / "queries.jsonl")} for l in LANGUAGES}
    answers = {l: {d["id"]: d for d in lines(folder / l / "answers.jsonl")} for l in LANGUAGES}
    article = collections.defaultdict(list)
    for d in texts["en"]:
        article[d.split("-")[0]].append(d)
    for question, answer in answers["en"].items():
        document = answer["doc_id"]
        others = [d for d in article[document.split("-")[0]] if d != document]
        for a in LANGUAGES:
            for b in LANGUAGES:
                beside = texts[b][rng.choice(others)] if others else ""
                yield {"question": asked[a][question], "set": "xquad", "aside": part_of(document.split("-")[0]) == "test", "text": texts[b][document],
                       "beside": beside, "starts": [start for _, start in answers[b][question]["answers"]], "across": a != b}


def passages(path):
    for d in lines(path):
        yield {"question": d["question"], "set": path.name.split(".")[0], "aside": part_of(d["doc"]) == "test", "text": d["passage"], "beside": "",
               "starts": [a["start"] for a in d["answers"] if a["text"]] if d["answerable"] else []}


def main():
    data, rng = pathlib.Path(sys.argv[1]), random.Random(1)
    every = list(xquad(data / "retrieval" / "xquad", rng))
    some = rng.sample([q for q in every if not q["across"] and not q["aside"]], SAME) + rng.sample([q for q in every if q["across"] and not q["aside"]], ACROSS)
    some += rng.sample([q for q in every if q["aside"]], 300)
    some += rng.sample(list(passages(data / "answering" / "passages" / "squad2.jsonl.gz")), TEMPTING)
    for name in ("es", "fr", "ja", "zh", "zh-hant"):
        some += passages(data / "answering" / "languages" / (name + ".jsonl.gz"))
    with gzip.open(sys.argv[2], "wt") as f:
        for q in some:
            f.write(json.dumps(q, ensure_ascii=False) + "\n")
    print(len(some), "questions")


if __name__ == "__main__":
    main()
