-- +goose Up
CREATE TABLE rankings ( -- how the evidence of a run was ranked
    run  TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    data BLOB NOT NULL -- packed JSON
) WITHOUT ROWID;
