package command

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestSourcesThatDisagreeArePrintedSideBySide(t *testing.T) {
	var out strings.Builder
	a := &asking{env: &Env{Stdout: &out}, flags: &askFlags{}, style: "[1]"}
	a.print(contract.Answer{
		Answer: "It was opened in 1932 [1].", Outcome: contract.Answered, Citations: []contract.Citation{{Marker: 1}},
		Sources: []contract.SourceCard{{N: 1, ID: "src_a", Title: "One", URL: "https://one.example"}, {N: 2, ID: "src_b", Title: "Two", URL: "https://two.example"}},
		Disagreements: []contract.Disagreement{{Claim: "It was opened in 1932", Sides: []contract.Side{
			{Source: "src_a", Value: "1932", Date: "2001-05-02", Quote: "It was opened in 1932."},
			{Source: "src_b", Value: "1934", Quote: "Opened in 1934, it\nis old."},
		}}},
	})
	want := `It was opened in 1932 [1].

Sources disagree
It was opened in 1932
  [1] 1932 (2001-05-02): “It was opened in 1932.”
  [2] 1934 (no date): “Opened in 1934, it is old.”

Sources
[1] One — https://one.example
[2] Two — https://two.example
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
