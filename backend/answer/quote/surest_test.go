package quote

import (
	"testing"

	"footnote/backend/answer/quote/regression"
)

func TestWhatOnlyComesCloseIsNotSaidToBeSure(t *testing.T) {
	passages := towers()
	passages[0].Text = "The rent is 1,150 pounds a month, payable on the 1st of each month by standing order."
	sure := reader{"rent": 9}
	for _, question := range []string{"When must I pay the rent?", "How much is the rent?"} {
		r := Compose(t.Context(), question, passages, nil, Deps{Checker: checkerForTest(t), Scorer: sure, Near: sure, Joint: sure})
		if r.State == Closest && r.Confidence > regression.Trained().Answers || r.State == None {
			t.Errorf("%s: %s, and %.2f sure", question, r.State, r.Confidence)
		}
	}
}
