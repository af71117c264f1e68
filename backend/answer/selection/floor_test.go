package selection

import (
	"testing"

	"footnote/backend/answer/gather"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func candidateOf(kind evidence.Kind, title, text string, near float64) rank.Candidate {
	return rank.Candidate{
		Source:  evidence.Source{ID: evidence.SourceID(title), Kind: kind, Title: title, Address: "/" + title},
		Passage: evidence.Passage{Text: text}, Score: evidence.Score{Cosine: near, Encoded: near != 0},
	}
}

// Each file is judged by itself: neither what else is there nor free places let it in.
func TestFilesThatBearOnNothingAskedStayOut(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	page := candidateOf(evidence.Web, "Lorne bridge", "The Lorne bridge is 503 metres long.", 0.9)
	other := candidateOf(evidence.Web, "Plum cake", "Bake for 50 minutes.", 0.1)
	mri := candidateOf(evidence.File, "MRI result.pdf", "No finding in the left knee.", 0.2)
	unread := candidateOf(evidence.File, "budget.csv", "Groceries | 240", 0)
	own := candidateOf(evidence.File, "Survey.txt", "Length of the crossing over the Lorne: 503 metres.", 0.7)
	unreadOwn := candidateOf(evidence.File, "Notes.txt", "The Lorne bridge again.", 0)
	for _, x := range []struct {
		name       string
		scope      evidence.Scope
		search     bool
		pool, want []rank.Candidate
	}{
		{"a web question", evidence.Scope{}, true, []rank.Candidate{mri, page, unread, other}, []rank.Candidate{page, other}},
		{"a file that bears", evidence.Scope{}, true, []rank.Candidate{mri, own, page, unreadOwn, other}, []rank.Candidate{own, page, unreadOwn}},
		{"the web has nothing", evidence.Scope{}, true, []rank.Candidate{mri, own}, []rank.Candidate{own}},
		{"files alone are asked", evidence.Scope{}, false, []rank.Candidate{mri, unread}, []rank.Candidate{mri, unread}},
		{"ticked files", evidence.Scope{Files: []string{"a"}}, true, []rank.Candidate{mri, page}, []rank.Candidate{mri, page}},
	} {
		s := &Selector{Deps: Deps{Checker: c}, Task: &gather.Task{}}
		s.Task.Question.Scope, s.Plan.Search, s.Plan.Standalone = x.scope, x.search, "How long is the Lorne bridge?"
		got := s.bearing(x.pool)
		if len(got) != len(x.want) {
			t.Errorf("%s: %d candidates, want %d: %+v", x.name, len(got), len(x.want), got)
			continue
		}
		for i := range got {
			if got[i].Source.ID != x.want[i].Source.ID {
				t.Errorf("%s: %s, want %s", x.name, got[i].Source.ID, x.want[i].Source.ID)
			}
		}
	}
}
