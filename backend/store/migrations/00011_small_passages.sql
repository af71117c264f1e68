-- +goose Up
-- The id of a passage is the 16 bytes that its letters write, and its heading
-- stands once in the parts of its text. Passages that are here keep their headings.
ALTER TABLE passages ADD COLUMN section INTEGER; -- place of the heading in part -2 and below; NULL: heading has it
UPDATE passages SET id = passage_key(id);
UPDATE dropped SET id = passage_key(id);
