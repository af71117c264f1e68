-- +goose Up
-- Who there is, and what they may. Times are of the database.
CREATE TABLE people (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text        NOT NULL,
    key           text        NOT NULL UNIQUE, -- the name as it is compared
    blocked       boolean     NOT NULL DEFAULT false,
    made          timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE groups (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    key  text NOT NULL UNIQUE
);
CREATE TABLE members (
    grp    bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
    person bigint NOT NULL REFERENCES people ON DELETE CASCADE,
    PRIMARY KEY (person, grp)
);
CREATE TABLE collections (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text        NOT NULL,
    key  text        NOT NULL UNIQUE,
    made timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE grants ( -- to a person or to a group
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    person     bigint  REFERENCES people ON DELETE CASCADE,
    grp        bigint  REFERENCES groups ON DELETE CASCADE,
    level      text    NOT NULL CHECK (level IN ('reader', 'editor', 'owner')),
    CHECK (num_nonnulls(person, grp) = 1),
    UNIQUE NULLS NOT DISTINCT (collection, person, grp)
);
CREATE INDEX grants_by_person ON grants (person);
CREATE INDEX grants_by_group ON grants (grp);

-- Person 0 is Footnote itself, which reads files in; nobody signs in as it.
CREATE VIEW rights AS
    SELECT g.person, g.collection, g.level FROM grants g JOIN people p ON p.id = g.person WHERE NOT p.blocked
    UNION ALL
    SELECT m.person, g.collection, g.level FROM grants g JOIN members m ON m.grp = g.grp JOIN people p ON p.id = m.person WHERE NOT p.blocked
    UNION ALL
    SELECT 0, c.id, 'owner' FROM collections c;

-- The second wall: who asks is a setting of the transaction. Without one there is
-- nobody, who may nothing.
-- +goose StatementBegin
CREATE FUNCTION readable() RETURNS integer[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT collection), '{}') FROM rights WHERE person = nullif(current_setting('footnote.person', true), '')::bigint
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION writable() RETURNS integer[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT collection), '{}') FROM rights
    WHERE person = nullif(current_setting('footnote.person', true), '')::bigint AND level IN ('editor', 'owner')
$$;
-- +goose StatementEnd

-- What a collection holds. Times are Unix milliseconds, 0 for none. Names are
-- compared by their bytes, as paths are.
CREATE TABLE roots (
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text    COLLATE "C" NOT NULL,
    path       text    COLLATE "C" NOT NULL,
    folder     boolean NOT NULL,
    watch      boolean NOT NULL,
    reachable  boolean NOT NULL,
    added      bigint  NOT NULL,
    PRIMARY KEY (collection, id),
    UNIQUE (collection, path)
);
CREATE TABLE files (
    n          bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- order of the queue
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text    COLLATE "C" NOT NULL,
    path       text    COLLATE "C" NOT NULL,
    folded     text    COLLATE "C" NOT NULL,
    root       text    COLLATE "C" NOT NULL,
    listed     boolean NOT NULL,
    digest     text    COLLATE "C" NOT NULL,
    size       bigint  NOT NULL,
    modified   bigint  NOT NULL,
    changed    bigint  NOT NULL,
    state      text    COLLATE "C" NOT NULL,
    code       text    NOT NULL,
    reason     text    NOT NULL,
    indexed    bigint  NOT NULL,
    UNIQUE (collection, id),
    UNIQUE (collection, path)
);
CREATE INDEX files_by_digest ON files (digest);
CREATE INDEX files_by_state ON files (collection, state, n);
CREATE TABLE texts ( -- of the files of a collection, by the digest of their bytes
    n          bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    digest     text    COLLATE "C" NOT NULL,
    title      text    NOT NULL,
    media      text    NOT NULL,
    published  bigint  NOT NULL,
    coverage   text    NOT NULL, -- JSON
    flags      text    NOT NULL, -- JSON
    body       text    NOT NULL,
    blocks     text    NOT NULL, -- JSON
    passages   integer NOT NULL,
    indexed    boolean NOT NULL DEFAULT false, -- words are in the index
    vectored   text    NOT NULL DEFAULT '',    -- embedder whose vectors are complete
    UNIQUE (collection, digest)
);
CREATE INDEX texts_unindexed ON texts (collection, n) WHERE NOT indexed;
CREATE TABLE passages (
    collection integer NOT NULL,
    id         text    COLLATE "C" NOT NULL,
    text       bigint  NOT NULL REFERENCES texts ON DELETE CASCADE,
    digest     text    COLLATE "C" NOT NULL,
    idx        integer NOT NULL,
    page       integer NOT NULL,
    line       integer NOT NULL,
    start      integer NOT NULL, -- code points of the text
    stop       integer NOT NULL,
    heading    text    NOT NULL,
    place      text    NOT NULL,
    words      text    NOT NULL,
    PRIMARY KEY (id, collection)
);
CREATE INDEX passages_by_text ON passages (text, idx);
CREATE TABLE topics ( -- what a text is about, in words of its own
    text       bigint  PRIMARY KEY REFERENCES texts ON DELETE CASCADE,
    collection integer NOT NULL,
    words      text    NOT NULL, -- JSON
    chosen     text    NOT NULL  -- JSON
);
CREATE TABLE scopes ( -- named sets of files and folders
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text    COLLATE "C" NOT NULL,
    name       text    NOT NULL,
    key        text    NOT NULL,
    files      text    NOT NULL, -- JSON
    folders    text    NOT NULL, -- JSON
    made       bigint  NOT NULL,
    PRIMARY KEY (collection, id),
    UNIQUE (collection, key)
);
CREATE TABLE notes ( -- facts about caches
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    key        text    NOT NULL,
    value      text    NOT NULL,
    PRIMARY KEY (collection, key)
);
CREATE TABLE dropped ( -- passages that the index must forget
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text    COLLATE "C" NOT NULL,
    PRIMARY KEY (collection, id)
);

-- The index. How often a term and how many passages there are is kept for each
-- collection: what a person does not see weighs nothing in what they find.
CREATE TABLE entries (
    n          bigint     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection integer    NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text       COLLATE "C" NOT NULL,
    digest     text       COLLATE "C" NOT NULL,
    terms      text[]     COLLATE "C" NOT NULL,
    times      smallint[] NOT NULL, -- as many as terms
    length     integer    NOT NULL, -- in terms, with repeats
    language   text       COLLATE "C" NOT NULL,
    UNIQUE (collection, id)
);
CREATE INDEX entries_by_term ON entries USING gin (terms);
CREATE INDEX entries_by_digest ON entries (digest);
CREATE TABLE terms (
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    term       text    COLLATE "C" NOT NULL,
    passages   integer NOT NULL,
    PRIMARY KEY (term, collection)
);
CREATE TABLE measures (
    collection integer NOT NULL REFERENCES collections ON DELETE CASCADE,
    language   text    COLLATE "C" NOT NULL,
    passages   bigint  NOT NULL,
    length     bigint  NOT NULL,
    PRIMARY KEY (collection, language)
);
CREATE TABLE vectors (
    collection integer     NOT NULL REFERENCES collections ON DELETE CASCADE,
    id         text        COLLATE "C" NOT NULL,
    digest     text        COLLATE "C" NOT NULL,
    embedder   text        NOT NULL,
    dims       integer     NOT NULL,
    signs      bit varying NOT NULL, -- of the components: near vectors share most
    packed     bytea,                -- a byte a component; NULL: the passage cannot have a vector
    PRIMARY KEY (id, collection)
);
CREATE INDEX vectors_by_digest ON vectors (digest);

-- A condition on terms may not go before the one on who asks, unless it cannot
-- tell anything; so the index of terms is reached through this, which asks itself
-- who may. It tells numbers of entries, and each of them is still behind the wall.
-- +goose StatementBegin
CREATE FUNCTION candidates(wanted text[], within text[]) RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER ROWS 2000 SET search_path = footnote, pg_temp AS $$
    SELECT e.n FROM entries e
    WHERE e.terms && wanted AND e.collection = ANY ((SELECT readable())::integer[]) AND (within IS NULL OR e.digest = ANY (within))
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    REVOKE ALL ON FUNCTION readable(), writable(), candidates(text[], text[]) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION readable(), writable(), candidates(text[], text[]) TO footnote_member;
    GRANT SELECT ON rights, collections TO footnote_member;
    FOREACH t IN ARRAY ARRAY['roots', 'files', 'texts', 'passages', 'topics', 'scopes', 'notes', 'dropped', 'entries', 'terms', 'measures', 'vectors'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO footnote_member', t);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY reading ON %I FOR SELECT USING (collection = ANY ((SELECT readable())::integer[]))', t);
        EXECUTE format('CREATE POLICY adding ON %I FOR INSERT WITH CHECK (collection = ANY ((SELECT writable())::integer[]))', t);
        EXECUTE format('CREATE POLICY changing ON %I FOR UPDATE USING (collection = ANY ((SELECT writable())::integer[]))', t);
        EXECUTE format('CREATE POLICY removing ON %I FOR DELETE USING (collection = ANY ((SELECT writable())::integer[]))', t);
    END LOOP;
    ALTER TABLE collections ENABLE ROW LEVEL SECURITY;
    CREATE POLICY reading ON collections FOR SELECT USING (id = ANY ((SELECT readable())::integer[]));
END
$$;
-- +goose StatementEnd
