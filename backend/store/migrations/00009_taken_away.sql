-- +goose Up
CREATE TABLE tapes ( -- what models said in a run, and the settings that held
    run  TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    data BLOB NOT NULL -- packed JSON
) WITHOUT ROWID;
-- What came in a bundle was read elsewhere: its text gives way to one that is read
-- here, and its addresses are not those of this computer.
ALTER TABLE texts ADD COLUMN brought INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN brought INTEGER NOT NULL DEFAULT 0;
