-- +goose Up
-- Conversations that are shown to others than whose they are.
CREATE TABLE shared (
    id     text   COLLATE "C" PRIMARY KEY,
    person bigint NOT NULL, -- whose it is
    thread text   COLLATE "C" NOT NULL,
    UNIQUE (person, thread),
    FOREIGN KEY (person, thread) REFERENCES threads ON DELETE CASCADE
);
CREATE TABLE shares ( -- with a person, a group, or whoever has a link
    id     text   COLLATE "C" PRIMARY KEY,
    shared text   COLLATE "C" NOT NULL REFERENCES shared ON DELETE CASCADE,
    person bigint REFERENCES people ON DELETE CASCADE,
    grp    bigint REFERENCES groups ON DELETE CASCADE,
    link   bytea  UNIQUE, -- SHA-256 of its secret
    via    text   COLLATE "C" REFERENCES shares ON DELETE CASCADE, -- the link by which this person came
    made   timestamptz NOT NULL DEFAULT now(),
    CHECK (num_nonnulls(person, grp, link) = 1),
    UNIQUE NULLS NOT DISTINCT (shared, person, grp, link, via)
);
CREATE INDEX shares_by_person ON shares (person);
CREATE INDEX shares_by_group ON shares (grp);

-- For the program's own check: who is shown what, and what each run was given.
CREATE VIEW showings AS
    SELECT s.person, s.shared FROM shares s JOIN people p ON p.id = s.person WHERE NOT p.blocked
    UNION SELECT m.person, s.shared FROM shares s JOIN members m ON m.grp = s.grp JOIN people p ON p.id = m.person WHERE NOT p.blocked;
CREATE VIEW share_names AS SELECT s.id, coalesce(p.name, g.name, '') AS name FROM shares s LEFT JOIN people p ON p.id = s.person LEFT JOIN groups g ON g.id = s.grp;
CREATE VIEW given AS SELECT t.person, t.run, t.digest, t.collection, t.collection = ANY (r.reads) AS had FROM touched t JOIN runs r ON r.person = t.person AND r.id = t.run;

-- The second wall.
-- +goose StatementBegin
CREATE FUNCTION shown() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT shared), '{}') FROM showings WHERE person = asking()
$$;
-- +goose StatementEnd

-- Whether a run is shown whole: to who may read every collection from which its
-- person could have had its texts.
-- +goose StatementBegin
CREATE FUNCTION is_whole(of_person bigint, of_run text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT NOT EXISTS (SELECT 1 FROM given g WHERE g.person = of_person AND g.run = of_run GROUP BY g.digest
        HAVING NOT bool_or(g.collection = ANY ((SELECT readable())::integer[])) OR bool_or(g.had AND NOT g.collection = ANY ((SELECT readable())::integer[])))
$$;
-- +goose StatementEnd

-- The tables of conversations are their person's alone; what is shown of them comes
-- from these, which ask themselves who is shown what. A title may have been made of
-- the first answer, and is told with it. Of a question nothing is told but its words.
-- +goose StatementBegin
CREATE FUNCTION shown_threads() RETURNS TABLE (id text, person bigint, sharer text, first text, question text, title text, updated bigint, runs bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT d.id, d.person, p.name, f.id, f.question, CASE WHEN is_whole(d.person, f.id) THEN t.title END, t.updated, (SELECT count(*) FROM runs r WHERE r.person = d.person AND r.thread = d.thread AND NOT r.aside)
    FROM shared d JOIN people p ON p.id = d.person JOIN threads t ON t.person = d.person AND t.id = d.thread
    CROSS JOIN LATERAL (SELECT r.id, (r.asked::json -> 'question' -> 'question')::text AS question FROM runs r WHERE r.person = d.person AND r.thread = d.thread AND NOT r.aside ORDER BY r.n LIMIT 1) f
    WHERE d.id = ANY ((SELECT shown())::text[])
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION shown_runs(of_shared text) RETURNS TABLE (person bigint, run text, n bigint, status text, started bigint, question text, focus text, mode text, record text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT r.person, r.id, r.n, r.status, r.started, (r.asked::json -> 'question' -> 'question')::text, r.asked::json -> 'question' ->> 'focus', r.asked::json -> 'question' ->> 'mode',
        CASE WHEN is_whole(r.person, r.id) THEN o.record END
    FROM shared d JOIN runs r ON r.person = d.person AND r.thread = d.thread LEFT JOIN outcomes o ON o.person = r.person AND o.run = r.id
    WHERE d.id = of_shared AND d.id = ANY ((SELECT shown())::text[]) AND NOT r.aside
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION shown_events(of_shared text, of_run text, after integer) RETURNS TABLE (seq integer, at bigint, kind text, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT e.seq, e.at, e.kind, e.body FROM shared d JOIN runs r ON r.person = d.person AND r.thread = d.thread JOIN events e ON e.person = r.person AND e.run = r.id
    WHERE d.id = of_shared AND d.id = ANY ((SELECT shown())::text[]) AND r.id = of_run AND NOT r.aside AND is_whole(r.person, r.id) AND e.seq > after AND e.kind IN ('text', 'finished', 'failed', 'stopped')
$$;
-- +goose StatementEnd

-- What an answer that is not shown whole cites: where that may be read, else empty.
-- +goose StatementBegin
CREATE FUNCTION shown_citations(of_shared text) RETURNS TABLE (run text, n bigint, passage text, source text, start integer, stop integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    WITH cited AS (
        SELECT r.person, r.id AS run, c.n, c.body ->> 'passage_id' AS passage, c.body ->> 'source_id' AS source,
            (c.body -> 'quote' ->> 'start')::integer AS start, (c.body -> 'quote' ->> 'end')::integer AS stop
        FROM shared s JOIN runs r ON r.person = s.person AND r.thread = s.thread JOIN outcomes o ON o.person = r.person AND o.run = r.id,
            json_array_elements(CASE WHEN json_typeof(o.record::json -> 'answer' -> 'citations') = 'array' THEN o.record::json -> 'answer' -> 'citations' ELSE '[]' END) WITH ORDINALITY c (body, n)
        WHERE s.id = of_shared AND s.id = ANY ((SELECT shown())::text[]) AND NOT r.aside
    ), may AS (
        SELECT c.*, EXISTS (SELECT 1 FROM sources k WHERE k.person = c.person AND k.id = c.source AND k.kind <> 'file')
            OR EXISTS (SELECT 1 FROM all_passages p JOIN files f ON f.collection = p.collection AND f.digest = p.digest
                WHERE p.id = c.passage AND f.source = c.source AND p.collection = ANY ((SELECT readable())::integer[]))
            OR EXISTS (SELECT 1 FROM excerpts e JOIN files f ON f.digest = e.digest
                WHERE e.person = c.person AND e.id = c.passage AND e.file AND f.source = c.source AND f.collection = ANY ((SELECT readable())::integer[])) AS may FROM cited c
    )
    SELECT run, n, CASE WHEN may THEN passage END, CASE WHEN may THEN source END, CASE WHEN may THEN start END, CASE WHEN may THEN stop END FROM may
$$;
-- +goose StatementEnd

-- What conversations that are shown had from the web, and rows of files that may be read.
-- +goose StatementBegin
CREATE FUNCTION shown_sources(of_shared text) RETURNS SETOF sources LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT DISTINCT k.* FROM shared s JOIN runs r ON r.person = s.person AND r.thread = s.thread JOIN holds h ON h.person = r.person AND h.run = r.id JOIN sources k ON k.person = h.person AND k.id = h.source
    WHERE s.id = of_shared AND s.id = ANY ((SELECT shown())::text[]) AND NOT r.aside AND k.kind <> 'file'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION shown_excerpts(of_shared text) RETURNS SETOF excerpts LANGUAGE sql STABLE SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    SELECT e.* FROM shared s JOIN excerpts e ON e.person = s.person WHERE s.id = of_shared AND s.id = ANY ((SELECT shown())::text[])
    AND CASE WHEN e.file THEN EXISTS (SELECT 1 FROM all_texts t WHERE t.digest = e.digest AND t.collection = ANY ((SELECT readable())::integer[]))
        ELSE e.digest IN (SELECT k.digest FROM shown_sources(of_shared) k) END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION keep_shown(of_shared text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    INSERT INTO sources SELECT asking(), id, digest, kind, title, address, media, published, seen, brought FROM shown_sources(of_shared) ON CONFLICT DO NOTHING;
    INSERT INTO snapshots SELECT asking(), n.digest, n.coverage, n.flags, n.image, n.body, n.blocks FROM shown_sources(of_shared) k JOIN snapshots n ON n.person = k.person AND n.digest = k.digest ON CONFLICT DO NOTHING;
    INSERT INTO excerpts SELECT asking(), id, digest, idx, page, line, start, stop, heading, place, words, file FROM shown_excerpts(of_shared) ON CONFLICT DO NOTHING
$$;
-- +goose StatementEnd

-- What an answer was given, those after it in its conversation were given as well:
-- a model reads them. So it is noted when a run begins; here for those that there are.
INSERT INTO touched SELECT l.person, l.id, t.digest, t.collection FROM touched t JOIN runs e ON e.person = t.person AND e.id = t.run JOIN runs l ON l.person = e.person AND l.thread = e.thread AND l.n > e.n
    WHERE NOT e.aside ON CONFLICT DO NOTHING;

-- A copy of a run was given what the run was that is shown: it can only be withheld for that.
-- +goose StatementBegin
CREATE FUNCTION touch_like(of_person bigint, of_run text, to_run text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = footnote, pg_temp AS $$
    INSERT INTO touched (person, run, digest, collection) SELECT asking(), to_run, digest, collection FROM touched
    WHERE person = of_person AND run = of_run AND asking() IS NOT NULL ON CONFLICT DO NOTHING
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    REVOKE ALL ON FUNCTION shown(), is_whole(bigint, text), shown_threads(), shown_runs(text), shown_events(text, text, integer), shown_citations(text), shown_sources(text), shown_excerpts(text), keep_shown(text), touch_like(bigint, text, text) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION shown(), is_whole(bigint, text), shown_threads(), shown_runs(text), shown_events(text, text, integer), shown_citations(text), shown_sources(text), shown_excerpts(text), keep_shown(text), touch_like(bigint, text, text) TO footnote_member;
    GRANT SELECT ON showings, share_names, given TO footnote_member;
    GRANT SELECT, INSERT, DELETE ON shared, shares TO footnote_member;
    ALTER TABLE shared ENABLE ROW LEVEL SECURITY;
    ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON shared USING (person = (SELECT asking())) WITH CHECK (person = (SELECT asking()));
    CREATE POLICY shown ON shared FOR SELECT USING (id = ANY ((SELECT shown())::text[]));
    CREATE POLICY own ON shares USING (shared IN (SELECT id FROM shared s WHERE s.person = (SELECT asking())));
END
$$;
-- +goose StatementEnd
