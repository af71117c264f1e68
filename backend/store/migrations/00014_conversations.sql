-- +goose Up
-- Threads that ask a turn in other words are versions of one conversation and are listed once: they share a name here. Empty: there is one version.
ALTER TABLE threads ADD COLUMN conversation TEXT NOT NULL DEFAULT '';
CREATE INDEX threads_by_conversation ON threads (conversation, updated) WHERE conversation <> '';
