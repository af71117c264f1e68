package answer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// certain is a cross-encoder that is sure of every sentence with a word.
type certain struct {
	encoderOff
	word string
}

func (c certain) Answers(_ context.Context, _ string, texts []string) ([]float64, bool) {
	odds := make([]float64, len(texts))
	for i, t := range texts {
		odds[i] = -10
		if strings.Contains(t, c.word) {
			odds[i] = 9
		}
	}
	return odds, true
}

func (c certain) Near(_ context.Context, _ string, texts []string) ([]float64, bool) {
	near := make([]float64, len(texts))
	for i, t := range texts {
		if strings.Contains(t, c.word) {
			near[i] = 0.95
		}
	}
	return near, true
}

func TestFilesThatAnswerOtherwiseAreShownSideBySide(t *testing.T) {
	for name, c := range map[string]struct {
		other string
		sides int
	}{
		"another name": {"The Lorne bridge was designed by Marta Kessel in the town hall.", 2},
		"the same":     {"Ada Brand designed the Lorne bridge, and her brother built it.", 0},
		"nothing":      {"The Lorne bridge is painted red every ten years.", 0},
	} {
		s := set(t, nil, func(s *stage) {
			s.web, s.shelf = nil, &shelf{files: map[string]string{
				"/lib/one.md": "The Lorne bridge was designed by Ada Brand in two years.",
				"/lib/two.md": c.other,
			}}
		})
		s.Meaning = certain{word: "designed"}
		a := finished(t, s.ask(t, "Who designed the Lorne bridge?", nil))
		n := 0
		for _, d := range a.Disagreements {
			n += len(d.Sides)
		}
		if n != c.sides || a.Grade == "none" {
			t.Errorf("%s: %+v in %q (%s)", name, a.Disagreements, a.Answer, a.Grade)
		}
	}
}

func TestFilesThatAnswerOtherwiseInAnotherLanguageAreShownSideBySide(t *testing.T) {
	s := set(t, nil, func(s *stage) {
		s.web, s.shelf = nil, &shelf{files: map[string]string{
			"/lib/vertrag.md": "Die monatliche Miete für die Wohnung beträgt 640 Euro.",
			"/lib/notiz.md":   "Frau Adler sagt, die Miete für die Wohnung liegt jeden Monat bei 675 Euro.",
		}}
	})
	s.Meaning = certain{word: "Miete"}
	a := finished(t, s.ask(t, "Wie hoch ist die Miete für die Wohnung?", nil))
	if len(a.Disagreements) != 1 || len(a.Disagreements[0].Sides) != 2 {
		t.Errorf("%+v in %q (%s)", a.Disagreements, a.Answer, a.Grade)
	}
}

func TestAnotherVersionIsNoDisagreement(t *testing.T) {
	s := set(t, nil, func(s *stage) {
		s.web, s.shelf = nil, &shelf{files: map[string]string{
			"/lib/one.md": "Lorne 2.3 was released on July 29, 2003.",
			"/lib/two.md": "Lorne 3.3 was released on September 29, 2012.",
		}}
	})
	s.Meaning = certain{word: "released"}
	a := finished(t, s.ask(t, "When was Lorne 2.3 released?", nil))
	if !strings.Contains(a.Answer, "2003") || len(a.Disagreements) != 0 {
		t.Errorf("%q %+v", a.Answer, a.Disagreements)
	}
}

func TestTwoThingsAskedAreNoDisagreement(t *testing.T) {
	s := set(t, nil, func(s *stage) {
		s.web, s.shelf = nil, &shelf{files: map[string]string{
			"/lib/one.md": "The tower of the Lorne lighthouse is 34 metres high and stands 11 metres above the sea.",
			"/lib/two.md": "The lamp of the Lorne lighthouse was first lit on 12 October 1874.",
		}}
	})
	s.Meaning = certain{word: "Lorne"}
	a := finished(t, s.ask(t, "How high is the tower of the Lorne lighthouse, and when was its lamp first lit?", nil))
	if len(a.Citations) < 2 || len(a.Disagreements) != 0 {
		t.Errorf("%q %+v", a.Answer, a.Disagreements)
	}
}

func TestNearCopiesThatDifferInWhatIsAskedAreADisagreement(t *testing.T) {
	for name, c := range map[string]struct {
		question, one, two string
		sides              int
	}{
		"another name":     {"Which club plays at the Lorne stadium?", "The Lorne stadium was the home venue of Gravel Rovers until the war.", "The Lorne stadium was the home venue of Harbour United until the war.", 2},
		"another thing":    {"When did the Lorne Act come into force?", "The Lorne Act came into force on 1 March 2011.", "The Kettle Act came into force on 5 June 1998.", 0},
		"in other words":   {"Did the Lorne film succeed?", "The Lorne film was not a critical success in the city.", "The Lorne film failed to be a critical success in the city.", 0},
		"the same besides": {"Which club plays at the Lorne stadium?", "The Lorne stadium was the home venue of Gravel Rovers.", "The Lorne stadium was the home venue of Gravel Rovers.", 0},
	} {
		s := set(t, nil, func(s *stage) {
			s.web, s.shelf = nil, &shelf{files: map[string]string{"/lib/one.md": c.one, "/lib/two.md": c.two}}
		})
		a := finished(t, s.ask(t, c.question, nil))
		n := 0
		for _, d := range a.Disagreements {
			n += len(d.Sides)
		}
		if n != c.sides {
			t.Errorf("%s: %+v in %q", name, a.Disagreements, a.Answer)
		}
	}
}

// encoderOff says nothing of passages and claims.
type encoderOff struct{}

func (encoderOff) On() bool { return false }

func (encoderOff) Cosines(context.Context, string, []rank.Text, time.Duration) map[evidence.PassageID]float64 {
	return nil
}

func (encoderOff) Matches(context.Context, string, func(string) float64, []string) ([]float64, bool) {
	return nil, false
}

func (encoderOff) Read(context.Context, []string) ([]cite.Reading, bool) { return nil, false }

func (encoderOff) Vector(context.Context, string) []float32 { return nil }

func (encoderOff) Joined(context.Context, string, []string) ([]float64, bool) { return nil, false }
func (encoderOff) Windows(_ context.Context, _ string, texts []rank.Text) [][]rank.Window {
	return make([][]rank.Window, len(texts))
}

func (encoderOff) Hold() func() { return func() {} }

func TestVersionsOfOneTextDisagreeUnlessOneIsAskedFor(t *testing.T) {
	for question, sides := range map[string]int{
		"Who designed the Lorne bridge?":                         2,
		"Who designed the Lorne bridge by the old agreement?":    0,
		"Who designed the Lorne bridge by the newest agreement?": 0,
	} {
		s := set(t, nil, func(s *stage) {
			s.web, s.shelf = nil, &shelf{files: map[string]string{
				"/lib/agreement 2021.md": "The Lorne bridge was designed by Ada Brand in two years.",
				"/lib/agreement 2024.md": "The Lorne bridge was designed by Marta Kessel in the town hall.",
			}}
		})
		s.Meaning = certain{word: "designed"}
		n := 0
		for _, d := range finished(t, s.ask(t, question, nil)).Disagreements {
			n += len(d.Sides)
		}
		if n != sides {
			t.Errorf("%s: %d sides, want %d", question, n, sides)
		}
	}
}
