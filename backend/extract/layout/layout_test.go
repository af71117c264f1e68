package layout

import "testing"

func TestLettersBecomeThoseThatAreTyped(t *testing.T) {
	if got := PlainLetters("ﬁne x² ½ ﬀ"); got != "fine x² ½ ff" {
		t.Errorf("got %q", got)
	}
	if got := logicalOrder("123 ברע"); got != "ערב 123" {
		t.Errorf("got %q", got)
	}
}
