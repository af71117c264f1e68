package sides

import (
	"slices"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/cite"
)

func textsOfSentences(all []quote.Sentence) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.Text)
	}
	return texts
}

func TestASideOfATopicIsFoundByWhatSourcesSayNotByItsName(t *testing.T) {
	passages := []quote.Passage{
		{N: 1, Title: "The oven", Text: "The oven is open from six to nine. It is unclear who built the oven. The oven was lined in 1911 because the old stones had cracked."},
		{N: 2, Title: "The mill", Text: "However, the mill stood still."},
	}
	for question, want := range map[string]string{
		"The oven: limits and open questions": "It is unclear who built the oven.",
		"The oven: causes and conditions":     "The oven was lined in 1911 because the old stones had cracked.",
		"The oven: evidence and figures":      "The oven was lined in 1911 because the old stones had cracked.",
	} {
		topic, cue := Of(question)
		if cue == nil || topic != "The oven" {
			t.Fatalf("%q is about %q", question, topic)
		}
		if got := textsOfSentences(quote.BearingOn(checkerForTest(t), topic, cue, passages).Sentences); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", question, got)
		}
	}
	for _, question := range []string{"How is the oven lined?", "The oven: the great fire", ": alternatives", "alternatives"} {
		if _, cue := Of(question); cue != nil {
			t.Errorf("%q has a side", question)
		}
	}
	if r := quote.BearingOn(checkerForTest(t), "The lamp", Cue(Limits), passages); r.State != quote.None {
		t.Errorf("what is said of something else bears on it: %+v", r)
	}
}

func checkerForTest(t testing.TB) *cite.Checker {
	t.Helper()
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
