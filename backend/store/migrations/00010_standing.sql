-- +goose Up
-- A check of a standing question: no turn of its thread unless it found changes.
ALTER TABLE runs ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
CREATE TABLE standing ( -- answers that are kept fresh; times in ms, 0 = never
    run       TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    thread    TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    every     INTEGER NOT NULL, -- ms; 0 = not by the clock
    on_change INTEGER NOT NULL,
    files     TEXT    NOT NULL, -- JSON: paths and the digests that were last checked
    due       INTEGER NOT NULL,
    tried     INTEGER NOT NULL,
    checked   INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    failures  INTEGER NOT NULL,
    failure   TEXT    NOT NULL, -- JSON, or empty
    paused    INTEGER NOT NULL,
    unseen    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX standing_thread ON standing (thread);
