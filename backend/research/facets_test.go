package research

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/quote"
	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/research/sentences"
)

func TestHeadingsNearTheQuestionAreItsFacets(t *testing.T) {
	e, err := embed.NewMultilingual()
	if err != nil {
		t.Fatal(err)
	}
	at := func(title, heading string) evidence.Found {
		return evidence.Found{Source: evidence.Source{Title: title, Kind: evidence.File}, Passage: evidence.Passage{At: evidence.Locator{Heading: heading}}}
	}
	for question, c := range map[string]struct {
		found []evidence.Found
		want  []string
	}{
		"How are messages kept when the network is down?": {
			[]evidence.Found{at("forwarding.txt", "Purpose"), at("Messages that cannot be sent — Post 2.1 manual", "Intention"), at("Colours of the window", "Red"), at("", "Queues on disk while the network is down > Purpose")},
			[]string{"Queues on disk while the network is down", "Messages that cannot be sent"},
		},
		"Wie hält man das System sicher und aktuell?": {
			[]evidence.Found{at("Bilder", "Sicherheitsaktualisierungen einspielen"), at("Drucken", "Farben")},
			[]string{"Sicherheitsaktualisierungen einspielen"},
		},
	} {
		r := &research{vectors: e, p: &answer.Pipeline{}}
		r.p.Plan.Standalone = question
		got, ok := r.facetsNear(context.Background(), c.found)
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", question, got)
		}
	}
}

func TestPassagesUnderAHeading(t *testing.T) {
	all := []rank.Candidate{{Passage: evidence.Passage{ID: "a", At: evidence.Locator{Heading: "Queues > On disk"}}}, {Passage: evidence.Passage{ID: "b", At: evidence.Locator{Heading: "Colours"}}}}
	if some := under("Queues", all); len(some) != 1 || some[0].Passage.ID != "a" {
		t.Errorf("%+v", some)
	}
	if some := under("Ships", all); len(some) != 0 {
		t.Errorf("%+v", some)
	}
}

func TestWhatIsSaidAlikeIsQuotedOnce(t *testing.T) {
	w := &reporter{said: map[string]bool{sentences.Key("The queue lies on a disk of its own."): true}}
	all := []quote.Sentence{{Text: "The queue lies on a disk of its own."}, {Text: "The queue is emptied when the network is up again."}, {Text: "The queue is emptied, when the network is up again."}, {Text: "The queue is not emptied when the network is up again."}, {Text: "Further, it is never cut."}}
	got := w.readable(all, bounded{most: 2})
	if len(got) != 2 || got[0].Text != all[1].Text || got[1].Text != all[3].Text {
		t.Errorf("%+v", got)
	}
}
