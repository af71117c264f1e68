-- +goose Up
CREATE TABLE encoded ( -- vectors of the sentence encoder, all pieces of a passage in one
    passage INTEGER NOT NULL REFERENCES passages (n) ON DELETE CASCADE,
    model   TEXT NOT NULL,
    vectors BLOB NOT NULL, -- what the encoder room packs; empty when the passage cannot have any
    PRIMARY KEY (passage, model)
) WITHOUT ROWID;
