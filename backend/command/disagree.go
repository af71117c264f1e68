package command

import (
	"fmt"

	"footnote/backend/answer/contract"
)

// disagreements prints the claims on which sources differ, with what each says.
func (a *asking) disagreements(ans contract.Answer) {
	if len(ans.Disagreements) == 0 {
		return
	}
	fmt.Fprint(a.env.Stdout, "\nSources disagree\n")
	for _, d := range ans.Disagreements {
		fmt.Fprintln(a.env.Stdout, safeLine(d.Claim))
		for _, side := range d.Sides {
			mark := a.numbers.mark(numberOf(ans, side), a.style)
			fmt.Fprintf(a.env.Stdout, "  %s %s (%s): “%s”\n", mark, safeLine(side.Value), first(side.Date, "no date"), safeLine(side.Quote))
		}
	}
}

func numberOf(ans contract.Answer, side contract.Side) int {
	for _, s := range ans.Sources {
		if s.ID == side.Source {
			return s.N
		}
	}
	return 0
}
