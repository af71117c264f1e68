"""What labelled questions are, for the other scripts: which part of the documents one is
of, and what answers it.

Documents are split by the first byte of their SHA-256: below 96 test, below 136 dev, else
train.
"""
import hashlib
import re


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
