-- +goose Up
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE preferences (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL -- JSON
) WITHOUT ROWID;

-- Times are Unix milliseconds, 0 for none.

CREATE TABLE threads (
    id      TEXT PRIMARY KEY,
    title   TEXT    NOT NULL,
    folded  TEXT    NOT NULL, -- title in lower case, for search
    type    TEXT    NOT NULL, -- chat, deep-research
    session TEXT    UNIQUE,   -- name that a compatibility client gave it
    pinned  INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX threads_by_time ON threads (pinned DESC, updated DESC, id);

CREATE TABLE runs (
    n        INTEGER PRIMARY KEY, -- order within the thread
    id       TEXT    NOT NULL UNIQUE,
    thread   TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    status   TEXT    NOT NULL,
    started  INTEGER NOT NULL,
    question TEXT    NOT NULL, -- as asked, readable even when the record is not
    folded   TEXT    NOT NULL, -- question and answer in lower case, for search
    record   TEXT    NOT NULL, -- JSON of the run
    sum      INTEGER NOT NULL  -- CRC-32 of record: integrity_check does not read meaning
);
CREATE INDEX runs_by_thread ON runs (thread, n);
CREATE INDEX runs_open ON runs (n) WHERE status = 'running';

CREATE TABLE damaged ( -- records that could not be read, kept aside
    run     TEXT PRIMARY KEY,
    thread  TEXT    NOT NULL,
    found   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    record  TEXT    NOT NULL
) WITHOUT ROWID;

CREATE TABLE events (
    run  TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq  INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    kind TEXT    NOT NULL,
    body TEXT    NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;

-- What was read, by the digest of its bytes. A text is on the shelf while a file
-- of the library has it; otherwise it is a snapshot that answers hold.
CREATE TABLE texts (
    digest    TEXT PRIMARY KEY,
    title     TEXT    NOT NULL,
    media     TEXT    NOT NULL,
    published INTEGER NOT NULL,
    chars     INTEGER NOT NULL, -- code points
    coverage  TEXT    NOT NULL,
    flags     TEXT    NOT NULL,
    image     TEXT    NOT NULL,
    passages  INTEGER NOT NULL,
    shelved   INTEGER NOT NULL DEFAULT 0,
    indexed   INTEGER NOT NULL DEFAULT 0, -- words are in the index
    vectored  TEXT    NOT NULL DEFAULT '' -- embedder whose vectors are complete
) WITHOUT ROWID;
CREATE INDEX texts_unindexed ON texts (digest) WHERE shelved = 1 AND indexed = 0;

CREATE TABLE bodies ( -- apart from texts, so that scans of texts stay small
    digest TEXT PRIMARY KEY REFERENCES texts (digest) ON DELETE CASCADE,
    text   BLOB NOT NULL, -- packed
    blocks BLOB NOT NULL  -- packed JSON
) WITHOUT ROWID;

CREATE TABLE sources (
    id        TEXT PRIMARY KEY,
    digest    TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    title     TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    media     TEXT    NOT NULL,
    published INTEGER NOT NULL,
    seen      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sources_by_digest ON sources (digest);

CREATE TABLE holds ( -- sources that an answer cites or was given
    run    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    PRIMARY KEY (run, source)
) WITHOUT ROWID;
CREATE INDEX holds_by_source ON holds (source);

CREATE TABLE passages (
    n       INTEGER PRIMARY KEY,
    id      TEXT    NOT NULL UNIQUE,
    digest  TEXT    NOT NULL REFERENCES texts (digest) ON DELETE CASCADE,
    idx     INTEGER NOT NULL,
    page    INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    start   INTEGER NOT NULL, -- code points of the text
    stop    INTEGER NOT NULL,
    heading TEXT    NOT NULL,
    text    TEXT    NOT NULL
);
CREATE INDEX passages_by_digest ON passages (digest, idx);

CREATE TABLE vectors (
    passage  INTEGER NOT NULL REFERENCES passages (n) ON DELETE CASCADE,
    embedder TEXT    NOT NULL,
    vector   BLOB, -- float32, little-endian; NULL when the passage cannot have one
    PRIMARY KEY (passage, embedder)
) WITHOUT ROWID;

CREATE TABLE dropped ( -- passages that the index must forget
    id TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE roots (
    id        TEXT PRIMARY KEY,
    path      TEXT    NOT NULL UNIQUE,
    folder    INTEGER NOT NULL,
    watch     INTEGER NOT NULL,
    reachable INTEGER NOT NULL,
    added     INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
    n        INTEGER PRIMARY KEY, -- order of the queue
    id       TEXT    NOT NULL UNIQUE,
    path     TEXT    NOT NULL UNIQUE,
    folded   TEXT    NOT NULL,
    root     TEXT    NOT NULL,
    listed   INTEGER NOT NULL,
    digest   TEXT    NOT NULL,
    size     INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    changed  INTEGER NOT NULL,
    state    TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    reason   TEXT    NOT NULL,
    indexed  INTEGER NOT NULL
);
CREATE INDEX files_by_state ON files (state, n);
CREATE INDEX files_by_digest ON files (digest, path);
CREATE INDEX files_by_root ON files (root, n);
