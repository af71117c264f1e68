package keys

import (
	"fmt"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
)

func TestAnswersAreHeldAgainstTheirKeys(t *testing.T) {
	claimed := func(text string) contract.Answer {
		return contract.Answer{Outcome: contract.Extracted, Grade: contract.GradeAnswers, Answer: text}
	}
	near := func(text string) contract.Answer {
		return contract.Answer{Outcome: contract.Extracted, Grade: contract.GradeClosest, Answer: "**Closest.**\n\n" + text}
	}
	rent, gone := Key{Kind: "fact", Must: [][]string{{"1 240", "1,240"}, {"Ada"}}}, Key{Kind: "absent"}
	for _, c := range []struct {
		key  Key
		said contract.Answer
		want Judgement
	}{
		{rent, claimed("**Ada** pays 1\u00a0240 a month. [1]"), claimedRight},
		{rent, claimed("Bob pays 1,240 a month. [1]"), claimedWrong},
		{rent, near("ada pays 1240 a month. [1]\n\nSo does Bob. [1]"), closeRight},
		{rent, near("So does Bob. [1]\n\nAda pays 1,240 a month. [2]"), closeAmong},
		{rent, near("So does Bob. [1]"), missed},
		{rent, contract.Answer{Outcome: contract.NoEvidence, Answer: "Ada 1 240: no."}, missed},
		{gone, claimed("Ada pays 1,240 a month. [1]"), absentClaimed},
		{gone, near("Ada pays 1,240 a month. [1]"), absentDeclined},
	} {
		if got := c.key.Judge(c.said); got != c.want {
			t.Errorf("%q of %q, want %q", got, c.said.Answer, c.want)
		}
	}
	if n := (Counts{}); !func() bool {
		n.Count(claimedRight)
		n.Count(absentDeclined)
		n.Count("")
		return n == Counts{Answerable: 1, ClaimedRight: 1, Absent: 1}
	}() {
		t.Errorf("counted %+v", n)
	}
}

func TestCandidatesThatAnswerAreToldForTraining(t *testing.T) {
	seen := &quote.Trace{Considered: []quote.Considered{{Text: "The tower is high – very."}, {Text: "So it is."}, {Text: "2024 | rent | 1,240"}}}
	got := Key{Right: []string{"the tower is high, very", "2024 | Rent | 1,240"}}.Labelled("x", seen)
	if fmt.Sprint(got.Answers) != "[1 0 1]" || len(got.Considered) != 3 {
		t.Errorf("%+v", got)
	}
}
