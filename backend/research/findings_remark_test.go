package research

import (
	"strings"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
)

func TestARemarkInBracketsEndsItsSentence(t *testing.T) {
	text := "The list of servers is limited. (CVE-2024-1)\n\nA leak was fixed. (It was small.) More follows."
	for sentence, want := range map[string]string{"The list of servers is limited.": " (CVE-2024-1)", "A leak was fixed.": ""} {
		at := strings.Index(text, sentence)
		s := withRemark(quote.Sentence{Text: sentence, Span: evidence.Span{Start: at, End: at + len(sentence)}}, text)
		if s.Text != sentence+want || text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}
