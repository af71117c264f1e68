package report

import "testing"

func TestALineThatAnEarlierSectionHasIsNotWrittenAgain(t *testing.T) {
	w := &reporter{}
	w.noteRepeats(section{kind: summaryKind}, "The oven was lined with red stone [1].")
	w.noteRepeats(section{kind: keyFindings}, "The oven is swept on Mondays at six [1].")
	w.noteRepeats(section{title: "The oven", parent: "Detailed Analysis"}, "The mill was built in 1911 [2].\n\n- The oven holds ninety loaves of bread [1].\n- Yes [3].")
	for text, want := range map[string]string{
		"The oven was lined with red stone [1].":                                          "The oven was lined with red stone [1].",
		"- The oven holds ninety loaves of bread [2]\n- Rye needs an hour [2].":           "- Rye needs an hour [2].",
		"The mill was built in 1911 [4]. Rye needs an hour [2].":                          "The mill was built in 1911 [4]. Rye needs an hour [2].",
		"First.\n\nThe mill was built in 1911 [2].\n\nLast.":                              "First.\n\nLast.",
		"The mill was built in 1911 [2].\n\n- The oven holds ninety loaves of bread [1].": "",
		"- The oven is swept on Mondays at six [1].":                                      "- The oven is swept on Mondays at six [1].",
		"- Yes [3].":                              "- Yes [3].",
		"The mill was not built in 1911 [2].":     "The mill was not built in 1911 [2].",
		"The oven holds ninety-one loaves of [1]": "The oven holds ninety-one loaves of [1]",
	} {
		if got := w.withoutRepeats(text); got != want {
			t.Errorf("%q\ngives %q\nwant  %q", text, got, want)
		}
	}
}
