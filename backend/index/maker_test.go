package index

import (
	"strings"
	"testing"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

func TestADocumentCountsWhatStandsInNameHeadingAndBody(t *testing.T) {
	m := newMaker()
	for _, digest := range []string{"a", "a", "b"} {
		d := m.document(library.Entry{ID: evidence.PassageID("pas_" + digest), Digest: digest, Name: "lens", Heading: "glass", Body: "the lens bends light, light"})
		fields := map[string]bleve.Field{}
		d.VisitFields(func(f bleve.Field) { fields[f.Name()] = f })
		text := fields[fieldText]
		if text.AnalyzedLength() != 8 {
			t.Errorf("%d terms", text.AnalyzedLength())
		}
		for term, times := range map[string]int{"len": 3, "glass": 2, "light": 2, "bend": 1} {
			if f := text.AnalyzedTokenFrequencies()[term]; f == nil || f.Frequency() != times {
				t.Errorf("%s: %+v, want %d", term, f, times)
			}
		}
		if fields[fieldDigest].AnalyzedTokenFrequencies()[digest] == nil {
			t.Errorf("digest of %q: %v", digest, fields[fieldDigest].AnalyzedTokenFrequencies())
		}
	}
}

func TestADocumentTellsItsLanguageUnlessItIsEnglish(t *testing.T) {
	body := strings.Repeat("Das Haus ist nicht mit der Brücke und dem Fluss zu sehen. ", 3)
	d := newMaker().document(library.Entry{ID: "pas_1", Digest: "a", Name: "x", Body: body})
	speech := ""
	d.VisitFields(func(f bleve.Field) {
		if f.Name() == fieldSpeech {
			speech = string(f.Value())
		}
	})
	if speech != "de" {
		t.Errorf("language %q", speech)
	}
}
