package report

import (
	"testing"

	"footnote/backend/answer/quote"
)

func TestCopiesAreNoVoicesOfTheirOwn(t *testing.T) {
	v := &voice{sources: map[int]bool{}}
	for n, text := range []string{
		"The telescope of the observatory was built by glass makers in Kvarmek.",
		"The telescope of the observatory was built by glass makers in Kvarmek.",
		"The telescope of the observatory, was built by the glass makers in Kvarmek!",
		"It was in Kvarmek that workshops built the telescope of the observatory.",
	} {
		v.says(quote.Sentence{N: n, Text: text})
	}
	if len(v.sources) != 4 || len(v.origins) != 2 {
		t.Errorf("%d sources of %d origins", len(v.sources), len(v.origins))
	}
}
