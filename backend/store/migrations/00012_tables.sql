-- +goose Up
CREATE TABLE tables ( -- evidence tables: files by questions
    id        TEXT PRIMARY KEY,
    title     TEXT    NOT NULL,
    files     TEXT    NOT NULL, -- JSON: ids and paths, the rows
    questions TEXT    NOT NULL, -- JSON, the columns
    paused    INTEGER NOT NULL,
    made      INTEGER NOT NULL  -- ms
) WITHOUT ROWID;
CREATE TABLE cells (
    tbl      TEXT    NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    file     TEXT    NOT NULL,
    question TEXT    NOT NULL,
    seq      INTEGER NOT NULL, -- in the order in which they were filled
    source   TEXT    NOT NULL, -- that it cites, or empty
    data     TEXT    NOT NULL, -- JSON
    PRIMARY KEY (tbl, file, question)
) WITHOUT ROWID;
CREATE INDEX cells_by_source ON cells (source);
CREATE VIEW held AS SELECT source FROM holds UNION ALL SELECT source FROM cells;
