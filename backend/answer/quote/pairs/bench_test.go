package pairs

import (
	"fmt"
	"testing"

	"footnote/backend/cite"
)

// BenchmarkBest weighs a question against as many statements as a dozen passages of tables hold.
func BenchmarkBest(b *testing.B) {
	c, err := cite.NewChecker()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{120, 480} {
		var statements []string
		for i := range n {
			statements = append(statements, fmt.Sprintf("contract %d: The price of item %d is £%d for each visit, and %d visits are made in the year.", 2023+i%2, i, 100+i, i%30))
		}
		a, all, _ := held(c, "What changed in the price per visit between the 2023 and 2024 contracts?", statements...)
		for i := range all {
			all[i].Source = i % 8
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				a.Best(all, c)
			}
		})
	}
}
