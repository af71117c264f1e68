-- +goose Up
CREATE TABLE studies ( -- how far deep research has come
    run  TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    data BLOB NOT NULL -- packed JSON
) WITHOUT ROWID;
