package index

import (
	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
	"footnote/backend/rank"
)

// maker makes the documents of passages. It remembers stems from one to the next,
// and the fields that many passages have alike. Not for concurrent use.
type maker struct {
	tokenizer *rank.Tokenizer
	terms     []string // of the passage before, for their room
	digest    *field   // of the passage before: neighbours share it
	lengths   map[int]*field
	speech    map[rank.Language]*field
}

func newMaker() *maker {
	return &maker{tokenizer: rank.NewTokenizer(), digest: &field{}, lengths: map[int]*field{}, speech: map[rank.Language]*field{}}
}

// document has the terms of name, heading path and body as one field, in which
// name and headings stand twice. Measured with titles against once: nDCG@10
// +0.001 (SciFact), +0.005 (CACM), -0.001 (XQuAD); fields of their own would not
// give BM25 of the whole.
func (m *maker) document(e library.Entry) *document {
	language := rank.LanguageOf(e.Body)
	terms := m.tokenizer.AppendTerms(m.terms[:0], language, e.Name+"\n"+e.Heading)
	terms = append(terms, terms...)
	terms = m.tokenizer.AppendTerms(terms, language, e.Body)
	m.terms = terms
	if m.digest.value != e.Digest {
		m.digest = single(fieldDigest, e.Digest, bleve.IndexField|bleve.DocValues|bleve.SkipFreqNorm)
	}
	d := &document{id: docID(e.ID), fields: make([]*field, 0, 5)} // and the id
	d.fields = append(d.fields, counted(fieldText, terms), m.digest, m.lengthOf(len(terms)))
	if language != "" {
		d.fields = append(d.fields, m.speechOf(language))
	}
	return d
}

func (m *maker) lengthOf(n int) *field {
	f := m.lengths[n]
	if f == nil {
		f = single(fieldLength, string(lengthTerm(n)), bleve.IndexField|bleve.SkipFreqNorm)
		m.lengths[n] = f
	}
	return f
}

func (m *maker) speechOf(language rank.Language) *field {
	f := m.speech[language]
	if f == nil {
		f = single(fieldSpeech, string(language), bleve.IndexField|bleve.SkipFreqNorm)
		m.speech[language] = f
	}
	return f
}

// document is a passage as the postings want it.
type document struct {
	id     string
	fields []*field
}

// ID is the passage's.
func (d *document) ID() string { return d.id }

// AddIDField adds the id, by which a passage is replaced and named.
func (d *document) AddIDField() {
	d.fields = append(d.fields, single("_id", d.id, bleve.IndexField|bleve.StoreField))
}

// VisitFields calls visit for each field.
func (d *document) VisitFields(visit bleve.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

// VisitComposite has nothing to visit.
func (d *document) VisitComposite(bleve.CompositeFieldVisitor) {}

// HasComposite says so.
func (d *document) HasComposite() bool { return false }

// NumPlainTextBytes counts bytes of text: they are not kept.
func (d *document) NumPlainTextBytes() uint64 { return 0 }

// StoredFieldsBytes counts what is stored: the id.
func (d *document) StoredFieldsBytes() uint64 { return uint64(len(d.id)) }

// Indexed says that it can be searched.
func (d *document) Indexed() bool { return true }

// Size is about the memory it takes, in bytes.
func (d *document) Size() (n int) {
	for _, f := range d.fields {
		n += 100 + 50*len(f.counts)
	}
	return n
}

// field is a field whose terms are counted when it is made: bleve's own would
// make a token, a place and a copy of each. Places are not kept.
type field struct {
	name    string
	value   string // of a field of one term
	options bleve.FieldIndexingOptions
	length  int // in terms, with repeats
	counts  bleve.TokenFrequencies
}

// often are the counts of a term, by how often it stands there: most of them are
// alike, and nobody changes them.
var often = func() (table [256]*bleve.TokenFreq) {
	for n := range table {
		table[n] = timesOf(n)
	}
	return table
}()

func timesOf(n int) *bleve.TokenFreq {
	f := &bleve.TokenFreq{}
	f.SetFrequency(n)
	return f
}

func counted(name string, terms []string) *field {
	f := &field{name: name, options: bleve.IndexField, length: len(terms), counts: make(bleve.TokenFrequencies, len(terms)*2/3)}
	for _, term := range terms {
		n := 1
		if before := f.counts[term]; before != nil {
			n = before.Frequency() + 1
		}
		if n < len(often) {
			f.counts[term] = often[n]
		} else {
			f.counts[term] = timesOf(n)
		}
	}
	return f
}

// single is a field of one term. Without counts it must be there no times.
func single(name, term string, options bleve.FieldIndexingOptions) *field {
	times := often[1]
	if options.SkipFreqNorm() {
		times = often[0]
	}
	return &field{name: name, value: term, options: options, length: 1, counts: bleve.TokenFrequencies{term: times}}
}

// Name is the field's.
func (f *field) Name() string { return f.name }

// Value is the one term; empty in a field of many.
func (f *field) Value() []byte { return []byte(f.value) }

// ArrayPositions are none.
func (f *field) ArrayPositions() []uint64 { return nil }

// EncodedFieldType says that it is text.
func (f *field) EncodedFieldType() byte { return 't' }

// Analyze has nothing to do.
func (f *field) Analyze() {}

// Options tells what is kept of it.
func (f *field) Options() bleve.FieldIndexingOptions { return f.options }

// AnalyzedLength counts the terms, with repeats.
func (f *field) AnalyzedLength() int { return f.length }

// AnalyzedTokenFrequencies counts each term.
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.counts }

// NumPlainTextBytes counts bytes of text: they are not kept.
func (f *field) NumPlainTextBytes() uint64 { return uint64(len(f.value)) }
