-- +goose Up
ALTER TABLE threads ADD COLUMN collection TEXT NOT NULL DEFAULT ''; -- the set of sources that it asks
CREATE INDEX threads_by_collection ON threads (collection) WHERE collection <> '';
-- A thread that left another one at a turn, from 0: those before are copies.
ALTER TABLE threads ADD COLUMN branch_of TEXT NOT NULL DEFAULT '';
ALTER TABLE threads ADD COLUMN branch_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX threads_by_branch ON threads (branch_of) WHERE branch_of <> '';
CREATE TABLE notes ( -- of the reader, beside a set of sources
    id         TEXT PRIMARY KEY,
    collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    text       TEXT    NOT NULL,
    quote      TEXT    NOT NULL, -- JSON, or empty
    source     TEXT    NOT NULL, -- that it quotes, or empty
    made       INTEGER NOT NULL, -- ms
    changed    INTEGER NOT NULL  -- ms
) WITHOUT ROWID;
CREATE INDEX notes_by_collection ON notes (collection, made);
CREATE INDEX notes_by_source ON notes (source);
DROP VIEW held;
CREATE VIEW held AS SELECT source FROM holds UNION ALL SELECT source FROM cells UNION ALL SELECT source FROM notes;
