-- +goose Up
CREATE TABLE topics ( -- what a text is about, in words of its own
    text   INTEGER PRIMARY KEY REFERENCES texts (n) ON DELETE CASCADE,
    words  TEXT NOT NULL, -- JSON: its most frequent words with their weight
    chosen TEXT NOT NULL  -- JSON: those of them that tell it from the other texts
);
