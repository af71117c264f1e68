package export

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestSourcesCountInTheOrderOfTheText(t *testing.T) {
	thread := sampleThread()
	a := thread.Runs[0].Answer
	a.Answer = "It cost 4.2 million [3]. It opened in 1932 [1], for 4.2 million [3]."
	a.Citations = citationsOf(a.Answer, contract.Supported)
	turn := Of(thread, "[1]").Turns[0]
	if turn.Text != "It cost 4.2 million [1]. It opened in 1932 [2], for 4.2 million [1]." {
		t.Error(turn.Text)
	}
	for _, m := range turn.Marks {
		if turn.Text[m.Span.Start:m.Span.End] != "["+number(m.N)+"]" {
			t.Errorf("%+v", m)
		}
	}
	if cited := turn.cited(); len(cited) != 2 || cited[0].Title != "Roads of the county" || cited[0].N != 1 || cited[1].N != 2 || len(turn.alsoRead()) != 1 {
		t.Errorf("%+v", turn.Sources)
	}
	if !strings.Contains(strings.Join(turn.Remarks, ""), "[2] 1932 (no date); [3] 1933") {
		t.Error(turn.Remarks)
	}
}
