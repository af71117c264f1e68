"""Training pairs for the cross-encoder: lines of {group, question, text, label}.

    python data.py ANSWERING POOLS... > pairs.jsonl

ANSWERING is the folder of the answering data (question-sentence.jsonl.gz is
read). POOLS are folders with pool.jsonl, the candidates that the program found
for each question, and questions.jsonl with what answers it. Documents are split
by the first byte of their SHA-256: below 96 test, below 136 dev, else train.
"""
import collections
import gzip
import hashlib
import json
import random
import re
import sys

CANDIDATES = 10  # of a question: more add nothing that is hard
SWAPPED = 0.6  # share of the answered questions that are also asked about something else


def part_of(document):
    first = hashlib.sha256(document.encode()).digest()[0]
    return "test" if first < 96 else "dev" if first < 136 else "train"


def letters(text):
    return re.sub(r"[\W_]+", "", text.lower())


def answers(question, candidate):
    """Whether a candidate holds what answers the question."""
    text = letters(candidate["Told"] or candidate["Text"])
    if question.get("golds"):
        return any(letters(g) and (letters(g) in text or len(text) > 20 and text in letters(g)) for g in question["golds"])
    if question.get("rows"):
        filled = [[c for c in row if letters(c)] for row in question["rows"]]
        return any(sum(letters(c) in text for c in row) >= max(1, 0.8 * len(row)) for row in filled)
    gold = letters(question["sentence"])
    if gold and len(text) > 10 and (text in gold or gold in text):
        return True
    return any(letters(a) and letters(a) in text for a in question.get("answers", []))


def shown(candidate):
    """A candidate as the cross-encoder reads it."""
    parts = [candidate["Title"], candidate["Heading"], candidate["Told"] or candidate["Text"]]
    return ". ".join(p for p in parts if p)


def pools(folder):
    questions = {q["question"]: q for q in map(json.loads, open(folder + "/questions.jsonl"))}
    seen = set()
    for line in open(folder + "/pool.jsonl"):
        pool = json.loads(line)
        question = questions.get(pool["question"])
        if question and pool["question"] not in seen:
            seen.add(pool["question"])
            yield question, pool["pool"]


def swapped(question, text, names, rng):
    """The question about another name, number or thing than the text has."""
    words = question.split()
    own = letters(text)
    places = [i for i, w in enumerate(words) if i > 0 and len(letters(w)) > 3 and letters(w) in own or re.search(r"\d", w) and letters(w) in own]
    if not places:
        return None
    strong = [i for i in places if words[i][0].isupper() or words[i][0].isdigit()]
    at = rng.choice(strong or places)
    kind = "digit" if re.search(r"\d", words[at]) else "name" if words[at][0].isupper() else "word"
    for _ in range(20):
        other = rng.choice(names[kind])
        if kind == "digit":
            other = re.sub(r"\d+", lambda m: str(max(1, int(m.group()) + rng.choice([-30, -9, -4, -1, 1, 3, 8, 25]))), words[at])
        if letters(other) and letters(other) not in own and letters(other) not in letters(question):
            end = re.search(r"[^\w]*$", words[at]).group()
            return " ".join(words[:at] + [re.sub(r"[^\w]*$", "", other) + end] + words[at + 1 :])
    return None


def main():
    rng = random.Random(1)
    out = collections.Counter()

    def write(part, group, question, text, label):
        out[part, label] += 1
        print(json.dumps({"part": part, "group": group, "question": question, "text": text, "label": int(label)}, ensure_ascii=False))

    every = [(folder, question, pool) for folder in sys.argv[2:] for question, pool in pools(folder)]
    names = collections.defaultdict(list)
    for _, question, _ in every:
        for word in question["question"].split()[1:]:
            kind = "digit" if re.search(r"\d", word) else "name" if word[0].isupper() else "word"
            if kind != "word" or len(word) > 4:
                names[kind].append(word)
    for folder, question, pool in every:
        part = part_of(question["doc"])
        if part == "test":
            continue
        group = question["id"]
        labels = [question["kind"] == "there" and answers(question, c) for c in pool]
        kept = sorted(range(len(pool)), key=lambda i: (not labels[i], i))[:CANDIDATES]
        for i in kept:
            write(part, group, question["question"], shown(pool[i]), labels[i])
        right = [i for i in kept if labels[i]]
        if part == "train" and right and rng.random() < SWAPPED:
            other = swapped(question["question"], shown(pool[right[0]]), names, rng)
            if other:
                for i in right[:2] + [k for k in kept if not labels[k]][:3]:
                    write(part, group + "/swapped", other, shown(pool[i]), False)
    sentences = sys.argv[1] + "/passages/question-sentence.jsonl.gz"
    for line in gzip.open(sentences, "rt"):
        pair = json.loads(line)
        write("train", pair["question"], pair["question"], pair["sentence"], pair["answers"])
        if pair["answers"] and rng.random() < 0.25:
            other = swapped(pair["question"], pair["sentence"], names, rng)
            if other:
                write("train", other, other, pair["sentence"], False)
    print(dict(out), file=sys.stderr)


if __name__ == "__main__":
    main()
