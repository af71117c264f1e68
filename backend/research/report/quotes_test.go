package report

import (
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/research/sentences"
)

func TestWhatIsSaidAlikeIsQuotedOnce(t *testing.T) {
	w := &reporter{said: map[string]bool{sentences.Key("The queue lies on a disk of its own."): true}}
	all := []quote.Sentence{{Text: "The queue lies on a disk of its own."}, {Text: "The queue is emptied when the network is up again."}, {Text: "The queue is emptied, when the network is up again."}, {Text: "The queue is not emptied when the network is up again."}, {Text: "Further, it is never cut."}}
	got := w.readable(all, bounded{most: 2})
	if len(got) != 2 || got[0].Text != all[1].Text || got[1].Text != all[3].Text {
		t.Errorf("%+v", got)
	}
}
