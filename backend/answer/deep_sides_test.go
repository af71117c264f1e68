package answer

import (
	"slices"
	"strings"
	"testing"
)

func textsOfSentences(all []extractSentence) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.Text)
	}
	return texts
}

func TestASideOfATopicIsFoundByWhatSourcesSayNotByItsName(t *testing.T) {
	passages := []extractPassage{
		{N: 1, Title: "The oven", Text: "The oven is open from six to nine. It is unclear who built the oven. The oven was lined in 1911 because the old stones had cracked."},
		{N: 2, Title: "The mill", Text: "However, the mill stood still."},
	}
	for question, want := range map[string]string{
		"The oven: limits and open questions": "It is unclear who built the oven.",
		"The oven: causes and conditions":     "The oven was lined in 1911 because the old stones had cracked.",
		"The oven: evidence and figures":      "The oven was lined in 1911 because the old stones had cracked.",
	} {
		topic, cue := topicAndSide(question)
		if cue == nil || topic != "The oven" {
			t.Fatalf("%q is about %q", question, topic)
		}
		if got := textsOfSentences(bearingOn(checkerForTest(t), topic, cue, passages).Sentences); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", question, got)
		}
	}
	for _, question := range []string{"How is the oven lined?", "The oven: the great fire", ": alternatives", "alternatives"} {
		if _, cue := topicAndSide(question); cue != nil {
			t.Errorf("%q has a side", question)
		}
	}
	if r := bearingOn(checkerForTest(t), "The lamp", sideCues[limitsSide], passages); r.State != extractNone {
		t.Errorf("what is said of something else bears on it: %+v", r)
	}
}

func TestASentenceThatLeansOnAnotherIsQuotedWithItOrNotAtAll(t *testing.T) {
	passages := []extractPassage{{N: 1, Text: "The horn was blown in January. Its compressors were rebuilt. However, they leak. Others say so. The lamp burns."}}
	all := statements(passages[0].Text)
	pick := func(orders ...int) (chosen []extractSentence) {
		for _, order := range orders {
			chosen = append(chosen, extractSentence{N: 1}.replacedBy(all, order, passages[0].Text))
		}
		return chosen
	}
	nothing := func(string) bool { return false }
	for name, c := range map[string]struct {
		chosen []extractSentence
		said   func(string) bool
		want   string
	}{
		"its antecedent comes with it":        {pick(1), nothing, "The horn was blown in January.|Its compressors were rebuilt."},
		"it is there":                         {pick(0, 1), nothing, "The horn was blown in January.|Its compressors were rebuilt."},
		"a chain that begins with a name":     {pick(0, 1, 2), nothing, "The horn was blown in January.|Its compressors were rebuilt.|However, they leak."},
		"what leans on something unquoted":    {pick(2, 4), nothing, "The lamp burns."},
		"others than whom":                    {pick(3), nothing, ""},
		"its antecedent was quoted elsewhere": {pick(1), func(text string) bool { return strings.HasPrefix(text, "The horn") }, ""},
	} {
		if got := strings.Join(textsOfSentences(readable(c.chosen, passages, c.said)), "|"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAQuestionThatAsksSeveralThingsIsTakenApart(t *testing.T) {
	for question, want := range map[string]string{
		"What work was done on the oven, and who maintains it?":       "What work was done on the oven?|Who maintains the oven?",
		"How high is the oven and what is its width?":                 "How high is the oven?|What is the oven's width?",
		"When was the oven built, and why did they choose red stone?": "When was the oven built?|Why did they choose red stone?",
		"How is the oven cleaned?":                                    "",
		"What do the oven and the mill cost and who pays?":            "",
	} {
		s := subjectOfQuestion(question, nil)
		if got := strings.Join(s.partsAsked(question), "|"); got != want {
			t.Errorf("%q: %q of %q", question, got, s.things)
		}
	}
}

func TestAPieceOfASentenceIsNoQuotation(t *testing.T) {
	for text, want := range map[string]bool{"determine the effects of oral,": true, "and bone turnover.": true, "Bone turnover rose.": false, "ändert nichts.": true, "9 of 10 agreed.": false} {
		if got := cutOff(extractSentence{Text: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if cutOff(extractSentence{Text: "iron rusts.", order: 3}) || cutOff(extractSentence{Text: "a\tb,", Row: true}) {
		t.Error("a sentence inside a passage, and a row, are whole")
	}
}
