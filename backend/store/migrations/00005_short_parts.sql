-- +goose Up
-- Texts stand in shorter parts from now on; those that are here keep theirs.
ALTER TABLE texts ADD COLUMN part INTEGER NOT NULL DEFAULT 16384; -- code points of a part
