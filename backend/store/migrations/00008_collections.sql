-- +goose Up
CREATE TABLE collections ( -- named scopes of the reader's making
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    key     TEXT NOT NULL UNIQUE, -- the name as it is compared
    files   TEXT NOT NULL,        -- JSON: ids
    folders TEXT NOT NULL,        -- JSON: absolute paths
    made    INTEGER NOT NULL      -- ms
) WITHOUT ROWID;
