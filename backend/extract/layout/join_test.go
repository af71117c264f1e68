package layout

import "testing"

func TestLinesOfScriptsWithoutBlanksJoinWithoutOne(t *testing.T) {
	w := &pageWriter{}
	for want, lines := range map[string][2]string{
		"次に記します。":   {"次に記", "します。"},
		"apt を使う":   {"apt", "を使う"},
		"一つ。次の":     {"一つ。", "次の"},
		"two words": {"two", "words"},
		"한 법률 제2조":  {"한 법률", "제2조"},
		"ภาษาไทยเขียนติดกัน": {"ภาษาไทย", "เขียนติดกัน"},
	} {
		if got := w.join([]Line{{Text: lines[0]}, {Text: lines[1]}}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
