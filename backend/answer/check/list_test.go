package check

import "testing"

func TestAListOfSourcesThatTheModelWroteIsTakenOff(t *testing.T) {
	const said = "It was opened in 1987 [1].\n\nIt is long [2]."
	for list, want := range map[string]string{
		"\n\nSources:\n[1] http://invented.example/page":                                 said,
		"\n\n**Sources**\n\n- [1] A title, https://a.example\n- [2] https://b.example":   said,
		"\n\n## Quellen\n[1]: https://a.example \"A title\"\n\n[2]: https://b.example\n": said,
		"\n[^1]: https://a.example":                                                      said,
		"":                                                                               said,
		"\n\nRead more at https://a.example [1].":                                        said + "\n\nRead more at https://a.example [1].",
		"\n\nSteps:\n1. Open https://a.example\n2. Press the button [1].":                said + "\n\nSteps:\n1. Open https://a.example\n2. Press the button [1].",
		"\n\nThe figures of that year are these:\n[1] http://invented.example":           said + "\n\nThe figures of that year are these:",
	} {
		if got := withoutOwnList(said + list); got != want {
			t.Errorf("%q leaves %q", list, got)
		}
	}
	if alone := "[1] http://invented.example"; withoutOwnList(alone) != alone {
		t.Error("an answer of nothing but a list is gone")
	}
}
