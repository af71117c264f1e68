package subject

import (
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/figures"
	"footnote/backend/research/sentences"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Reader reads what the sources of a research say of its subject, each of them whole and
// once. Safe for concurrent use.
type Reader struct {
	Question, Topic string
	products        []string // of the subject, in lower case
	known           sync.Map // by digest of a text: the *reading of it
}

// Read reads sources that were not read yet.
func (r *Reader) Read(all []rank.Candidate, text func(evidence.Source) string) {
	texts := map[string]string{}
	for _, c := range all {
		if r.reading(c.Source.Digest) == nil && !c.Snippet {
			texts[c.Source.Digest] = text(c.Source)
		}
	}
	m := matterOf(r.Question, r.Topic, slices.Collect(maps.Values(texts)))
	for _, c := range all {
		if text, unread := texts[c.Source.Digest]; unread && r.reading(c.Source.Digest) == nil {
			title, called := titleOf(c, text), termsIn(text, m.names)
			r.known.Store(c.Source.Digest, &reading{
				opens: opensWith(text, c.Source.Title), called: called, terms: anyOf(called), things: thingsIn(text),
				about:   m.isOf(title, text),
				headed:  !m.named(title) && m.headedIn(text),
				shelved: c.Local() && m.keptIn(filepath.Dir(c.Source.Address)) && m.mentionedIn(text),
			})
		}
	}
}

// reading is what was read of a source; nil where that was not.
func (r *Reader) reading(digest string) *reading {
	known, _ := r.known.Load(digest)
	was, _ := known.(*reading)
	return was
}

// LearnProducts reads texts for what the subject makes. It is called before In, Among
// and Only.
func (r *Reader) LearnProducts(texts []string) {
	r.products = productsOf(matterOf(r.Question, r.Topic, texts).names, texts)
}

// In is the subject as texts name it, with what it makes.
func (r *Reader) In(texts []string) Matter {
	m := matterOf(r.Question, r.Topic, texts)
	m.names = plain.Distinct(append(m.names, r.products...))
	return m
}

// Among is the subject as passages name it, and the sources that they are of.
func (r *Reader) Among(passages []quote.Passage) Matter {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	m := r.In(texts)
	m.read, m.common, m.told = map[string]*reading{}, strings.Join(texts, "\n"), map[string]bool{}
	for _, p := range passages {
		m.read[p.Digest] = r.reading(p.Digest)
	}
	return m
}

// Only leaves out sentences that are about something else.
func (r *Reader) Only(all []quote.Sentence, passages []quote.Passage) []quote.Sentence {
	m := r.Among(passages)
	return slices.DeleteFunc(all, func(s quote.Sentence) bool {
		return !m.Covers(s, passages) || strings.Contains(sentences.Key(passages[s.Passage].Title), sentences.Key(s.Text))
	})
}

// OnSubject leaves out passages that do not name the subject and are of no source about
// it.
func (r *Reader) OnSubject(pool []rank.Candidate) []rank.Candidate {
	texts := make([]string, len(pool))
	for i, c := range pool {
		texts[i] = c.Passage.Text
	}
	m := r.In(texts)
	return slices.DeleteFunc(pool, func(c rank.Candidate) bool {
		read := r.reading(c.Source.Digest)
		return !m.named(c.Source.Title+" "+c.Passage.Text) && (read == nil || !read.about && !read.shelved && (read.terms == nil || !read.terms.MatchString(c.Passage.Text)))
	})
}

// Year is the year that a source is from: as it says, else as its title does, or
// the passage or its whole text begins.
func (r *Reader) Year(c rank.Candidate) int {
	if !c.Source.Published.IsZero() {
		return c.Source.Published.Year()
	}
	whole := ""
	if read := r.reading(c.Source.Digest); read != nil {
		whole = read.opens
	}
	for _, said := range []string{c.Source.Title + " " + c.Passage.At.Heading, plain.Cut(c.Passage.Text, datedRunes), whole} {
		if year, err := strconv.Atoi(figures.YearIn(said)); err == nil {
			return year
		}
	}
	return 0
}

// opensWith is how a text begins below its title.
func opensWith(text, title string) string {
	text = strings.TrimLeft(text, "#=- \t\n")
	return plain.Cut(strings.TrimSpace(strings.TrimPrefix(text, title)), datedRunes)
}

const datedRunes = 80 // of a text, in which it says when it is from
