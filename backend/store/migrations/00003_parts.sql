-- +goose Up
-- Texts get numbers, so that passages name them in three bytes instead of 64; a
-- passage is a place in its text and not a copy of it; texts stand in parts, so
-- that one passage is read without the rest; vectors of neighbours share a row.
-- Vectors are made again.
-- Numbers are never given again: a reader may hold one of a text that just went.
CREATE TABLE numbered (
    n         INTEGER PRIMARY KEY AUTOINCREMENT,
    digest    TEXT    NOT NULL UNIQUE,
    title     TEXT    NOT NULL,
    media     TEXT    NOT NULL,
    published INTEGER NOT NULL,
    chars     INTEGER NOT NULL, -- code points
    coverage  TEXT    NOT NULL,
    flags     TEXT    NOT NULL,
    image     TEXT    NOT NULL,
    passages  INTEGER NOT NULL,
    shelved   INTEGER NOT NULL DEFAULT 0,
    indexed   INTEGER NOT NULL DEFAULT 0, -- words are in the index
    vectored  TEXT    NOT NULL DEFAULT '' -- embedder whose vectors are complete
);
INSERT INTO numbered (digest, title, media, published, chars, coverage, flags, image, passages, shelved, indexed)
    SELECT digest, title, media, published, chars, coverage, flags, image, passages, shelved, indexed FROM texts;

CREATE TABLE parts ( -- of texts, each of 16384 code points; of a text of before this migration there is one; part -1 has the blocks
    text INTEGER NOT NULL REFERENCES numbered (n) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    data BLOB    NOT NULL -- packed
);
CREATE UNIQUE INDEX parts_by_text ON parts (text, part);
INSERT INTO parts (text, part, data) SELECT n, 0, b.text FROM numbered t JOIN bodies b ON b.digest = t.digest;
INSERT INTO parts (text, part, data) SELECT n, -1, b.blocks FROM numbered t JOIN bodies b ON b.digest = t.digest;

CREATE TABLE placed (
    n       INTEGER PRIMARY KEY AUTOINCREMENT,
    id      TEXT    NOT NULL UNIQUE,
    text    INTEGER NOT NULL REFERENCES numbered (n) ON DELETE CASCADE,
    idx     INTEGER NOT NULL,
    page    INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    start   INTEGER NOT NULL, -- code points of the text
    stop    INTEGER NOT NULL,
    heading TEXT    NOT NULL,
    place   TEXT    NOT NULL,
    words   TEXT -- NULL: what stands in the text from start to stop
);
INSERT INTO placed (n, id, text, idx, page, line, start, stop, heading, place, words)
    SELECT p.n, p.id, t.n, idx, page, line, start, stop, heading, '', p.text FROM passages p JOIN numbered t ON t.digest = p.digest;

DROP TABLE encoded;
DROP TABLE vectors;
DROP TABLE passages;
DROP TABLE bodies;
DROP TABLE texts;
ALTER TABLE numbered RENAME TO texts;
ALTER TABLE placed RENAME TO passages;
CREATE INDEX passages_by_text ON passages (text, idx);
CREATE INDEX texts_unindexed ON texts (n) WHERE shelved = 1 AND indexed = 0;
CREATE INDEX texts_unvectored ON texts (n) WHERE shelved = 1 AND vectored = '';

CREATE INDEX texts_counted ON texts (shelved, indexed, vectored, passages);
CREATE INDEX files_counted ON files (state, listed, size);

CREATE TABLE vectors ( -- of passages of one text whose numbers follow each other
    passage  INTEGER NOT NULL REFERENCES passages (n) ON DELETE CASCADE, -- the first of them
    embedder TEXT    NOT NULL,
    count    INTEGER NOT NULL,
    vectors  BLOB    NOT NULL -- see packVectors
);
CREATE UNIQUE INDEX vectors_by_passage ON vectors (passage, embedder);

CREATE TABLE encoded ( -- vectors of the sentence encoder, all pieces of a passage in one
    passage INTEGER NOT NULL REFERENCES passages (n) ON DELETE CASCADE,
    model   TEXT NOT NULL,
    vectors BLOB NOT NULL, -- what the encoder room packs; empty when the passage cannot have any
    PRIMARY KEY (passage, model)
) WITHOUT ROWID;
