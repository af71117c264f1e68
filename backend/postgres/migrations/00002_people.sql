-- +goose Up
-- How people come in. A secret is never kept, only its SHA-256.
ALTER TABLE people ADD COLUMN administrator boolean NOT NULL DEFAULT false;
ALTER TABLE people ADD COLUMN password text NOT NULL DEFAULT ''; -- argon2id; empty: no password lets this person in
ALTER TABLE people ADD COLUMN failures integer NOT NULL DEFAULT 0; -- wrong passwords in a row
ALTER TABLE people ADD COLUMN failed timestamptz NOT NULL DEFAULT '-infinity'; -- the last of them
CREATE TABLE passes (
    hash   bytea       PRIMARY KEY,
    kind   text        NOT NULL CHECK (kind IN ('session', 'token', 'invitation')),
    id     text        NOT NULL UNIQUE, -- what lists call it
    person bigint      NOT NULL REFERENCES people ON DELETE CASCADE,
    name   text        NOT NULL,
    made   timestamptz NOT NULL,
    used   timestamptz NOT NULL,
    until  timestamptz NOT NULL
);
CREATE INDEX passes_by_person ON passes (person, kind);
CREATE TABLE audit (
    n      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL DEFAULT now(),
    person bigint      NOT NULL, -- who did it; 0: the command line of the server
    what   text        NOT NULL,
    about  text        NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION asking() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT id FROM people WHERE id = nullif(current_setting('footnote.person', true), '')::bigint AND NOT blocked
$$;
-- +goose StatementEnd

-- What one person keeps. Names are made by programs and unique for a person alone.
CREATE TABLE threads (
    person     bigint  NOT NULL REFERENCES people ON DELETE CASCADE,
    id         text    COLLATE "C" NOT NULL,
    title      text    NOT NULL,
    folded     text    NOT NULL, -- title in lower case
    type       text    NOT NULL,
    session    text    COLLATE "C", -- name that a client of another program gave it
    pinned     boolean NOT NULL DEFAULT false,
    created    bigint  NOT NULL,
    updated    bigint  NOT NULL,
    collection text    NOT NULL DEFAULT '',
    branch_of  text    COLLATE "C" NOT NULL DEFAULT '',
    branch_at  integer NOT NULL DEFAULT 0,
    PRIMARY KEY (person, id),
    UNIQUE (person, session)
);
CREATE TABLE runs (
    n        bigint  GENERATED ALWAYS AS IDENTITY,
    person   bigint  NOT NULL,
    id       text    COLLATE "C" NOT NULL,
    thread   text    COLLATE "C" NOT NULL,
    status   text    NOT NULL,
    started  bigint  NOT NULL,
    asked    text    NOT NULL, -- JSON of the run as it began
    folded   text    NOT NULL, -- question in lower case
    aside    boolean NOT NULL,
    reads    integer[] NOT NULL DEFAULT '{}', -- collections that could be read when it began
    seq      integer NOT NULL DEFAULT 0, -- of the last event
    ended    boolean NOT NULL DEFAULT false, -- the last event was the last one there will be
    beat     timestamptz NOT NULL DEFAULT now(), -- when a process was last at work on it
    PRIMARY KEY (person, id),
    FOREIGN KEY (person, thread) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX runs_by_thread ON runs (person, thread, n);
CREATE INDEX runs_open ON runs (beat) WHERE status = 'running';
CREATE TABLE outcomes ( -- of runs: what tells of sources stands here and in the tables below
    person bigint NOT NULL,
    run    text   COLLATE "C" NOT NULL,
    record text   NOT NULL, -- JSON of the run
    folded text   NOT NULL, -- answer in lower case
    PRIMARY KEY (person, run),
    FOREIGN KEY (person, run) REFERENCES runs ON DELETE CASCADE
);
CREATE TABLE events (
    person bigint  NOT NULL,
    run    text    COLLATE "C" NOT NULL,
    seq    integer NOT NULL,
    at     bigint  NOT NULL,
    kind   text    NOT NULL,
    body   text    NOT NULL, -- JSON
    PRIMARY KEY (person, run, seq),
    FOREIGN KEY (person, run) REFERENCES runs ON DELETE CASCADE
);
CREATE TABLE facts ( -- ranking, tape and study of a run
    person bigint NOT NULL,
    run    text   COLLATE "C" NOT NULL,
    kind   text   NOT NULL,
    data   text   NOT NULL, -- JSON
    PRIMARY KEY (person, run, kind),
    FOREIGN KEY (person, run) REFERENCES runs ON DELETE CASCADE
);
CREATE TABLE holds ( -- sources that an answer cites or was given
    person bigint NOT NULL,
    run    text   COLLATE "C" NOT NULL,
    source text   COLLATE "C" NOT NULL,
    PRIMARY KEY (person, run, source),
    FOREIGN KEY (person, run) REFERENCES runs ON DELETE CASCADE
);
CREATE TABLE touched ( -- which collections have each text of files that a run was given
    person     bigint  NOT NULL,
    run        text    COLLATE "C" NOT NULL,
    digest     text    COLLATE "C" NOT NULL,
    collection integer NOT NULL,
    PRIMARY KEY (person, run, digest, collection),
    FOREIGN KEY (person, run) REFERENCES runs ON DELETE CASCADE
);
CREATE INDEX touched_by_text ON touched (collection, digest);
CREATE TABLE sources (
    person    bigint  NOT NULL REFERENCES people ON DELETE CASCADE,
    id        text    COLLATE "C" NOT NULL,
    digest    text    COLLATE "C" NOT NULL,
    kind      text    NOT NULL,
    title     text    NOT NULL,
    address   text    NOT NULL,
    media     text    NOT NULL,
    published bigint  NOT NULL,
    seen      bigint  NOT NULL,
    brought   boolean NOT NULL,
    PRIMARY KEY (person, id)
);
CREATE INDEX sources_by_digest ON sources (person, digest);
CREATE TABLE snapshots ( -- what was read but for files of the library, whose texts stay behind their rights
    person   bigint NOT NULL REFERENCES people ON DELETE CASCADE,
    digest   text   COLLATE "C" NOT NULL,
    coverage text   NOT NULL, -- JSON
    flags    text   NOT NULL, -- JSON
    image    text   NOT NULL,
    body     text   NOT NULL,
    blocks   text   NOT NULL, -- JSON
    PRIMARY KEY (person, digest)
);
CREATE TABLE excerpts ( -- passages of snapshots, and those of files that the library has not
    person  bigint  NOT NULL REFERENCES people ON DELETE CASCADE,
    id      text    COLLATE "C" NOT NULL,
    digest  text    COLLATE "C" NOT NULL,
    idx     integer NOT NULL,
    page    integer NOT NULL,
    line    integer NOT NULL,
    start   integer NOT NULL,
    stop    integer NOT NULL,
    heading text    NOT NULL,
    place   text    NOT NULL,
    words   text    NOT NULL,
    file    boolean NOT NULL, -- of a file: shown as long as its text may be read
    PRIMARY KEY (person, id)
);
CREATE INDEX excerpts_by_text ON excerpts (person, digest, idx);
CREATE TABLE preferences (
    person bigint NOT NULL REFERENCES people ON DELETE CASCADE,
    key    text   NOT NULL,
    value  text   NOT NULL, -- JSON
    PRIMARY KEY (person, key)
);
CREATE TABLE remarks ( -- notes beside a set of sources
    person     bigint NOT NULL REFERENCES people ON DELETE CASCADE,
    id         text   COLLATE "C" NOT NULL,
    collection text   NOT NULL,
    made       bigint NOT NULL,
    data       text   NOT NULL, -- JSON
    PRIMARY KEY (person, id)
);

-- Texts that an answer rests on, after their file has changed or gone: of the
-- collection still, and behind its rights.
CREATE TABLE kept_texts (
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    digest     text    COLLATE "C" NOT NULL,
    coverage   text    NOT NULL,
    flags      text    NOT NULL,
    body       text    NOT NULL,
    blocks     text    NOT NULL,
    PRIMARY KEY (collection, digest)
);
CREATE TABLE kept_passages (
    collection integer NOT NULL,
    id         text    COLLATE "C" NOT NULL,
    digest     text    COLLATE "C" NOT NULL,
    idx        integer NOT NULL,
    page       integer NOT NULL,
    line       integer NOT NULL,
    start      integer NOT NULL,
    stop       integer NOT NULL,
    heading    text    NOT NULL,
    place      text    NOT NULL,
    words      text    NOT NULL,
    PRIMARY KEY (id, collection),
    FOREIGN KEY (collection, digest) REFERENCES kept_texts ON DELETE CASCADE
);
CREATE VIEW all_texts WITH (security_invoker = true) AS
    SELECT collection, digest, coverage, flags, body, blocks FROM texts UNION ALL SELECT collection, digest, coverage, flags, body, blocks FROM kept_texts;
CREATE VIEW all_passages WITH (security_invoker = true) AS
    SELECT collection, id, digest, idx, page, line, start, stop, heading, place, words FROM passages
    UNION ALL SELECT collection, id, digest, idx, page, line, start, stop, heading, place, words FROM kept_passages;
ALTER TABLE files ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT ''; -- the file as a source
CREATE INDEX files_by_source ON files (source);

-- What a run was given is noted whoever may still read it: a right may be taken
-- away between a search and this.
-- +goose StatementBegin
CREATE FUNCTION touch(of_run text, given text[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    INSERT INTO touched (person, run, digest, collection)
        SELECT asking(), of_run, digest, collection FROM files WHERE source = ANY (given) AND digest <> '' AND asking() IS NOT NULL
        UNION SELECT s.person, of_run, t.digest, t.collection FROM sources s
            JOIN (SELECT digest, collection FROM texts UNION ALL SELECT digest, collection FROM kept_texts) t ON t.digest = s.digest
            WHERE s.person = asking() AND s.id = ANY (given) AND s.kind = 'file'
    ON CONFLICT DO NOTHING
$$;
-- +goose StatementEnd

-- An answer is withheld as long as a text that it had is in no collection, of those
-- that had it then, that can be read now.
-- +goose StatementBegin
CREATE FUNCTION withheld() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT run), '{}') FROM (
        SELECT run FROM touched WHERE person = (SELECT asking()) GROUP BY run, digest
        HAVING NOT bool_or(collection = ANY ((SELECT readable())::integer[]))) lost
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION is_touched(c integer, d text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM touched WHERE collection = c AND digest = d)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    REVOKE ALL ON FUNCTION asking(), withheld(), is_touched(integer, text), touch(text, text[]) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION asking(), withheld(), is_touched(integer, text), touch(text, text[]) TO footnote_member;
    FOREACH t IN ARRAY ARRAY['threads', 'runs', 'outcomes', 'events', 'facts', 'holds', 'touched', 'sources', 'snapshots', 'excerpts', 'preferences', 'remarks'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO footnote_member', t);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY own ON %I USING (person = (SELECT asking())) WITH CHECK (person = (SELECT asking()))', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['outcomes', 'events', 'facts'] LOOP
        EXECUTE format('CREATE POLICY held_back ON %I AS RESTRICTIVE FOR SELECT USING (run <> ALL ((SELECT withheld())::text[]))', t);
    END LOOP;
    CREATE POLICY held_back ON excerpts AS RESTRICTIVE FOR SELECT USING (NOT file OR EXISTS (SELECT 1 FROM all_texts t WHERE t.digest = excerpts.digest));
    FOREACH t IN ARRAY ARRAY['kept_texts', 'kept_passages'] LOOP
        EXECUTE format('GRANT SELECT, INSERT ON %I TO footnote_member', t);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY reading ON %I FOR SELECT USING (collection = ANY ((SELECT readable())::integer[]))', t);
        EXECUTE format('CREATE POLICY adding ON %I FOR INSERT WITH CHECK (collection = ANY ((SELECT writable())::integer[]))', t);
    END LOOP;
    GRANT SELECT ON all_texts, all_passages TO footnote_member;
    GRANT INSERT ON audit TO footnote_member; -- and nothing else of it
    ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
    CREATE POLICY adding ON audit FOR INSERT WITH CHECK (person = (SELECT asking()));
END
$$;
-- +goose StatementEnd
