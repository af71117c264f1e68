package cells

import (
	"fmt"
	"testing"
)

// A question over a sheet of 4,000 rows, the most that is read of a file.
func BenchmarkTallied(b *testing.B) {
	lines := []string{"Date\tSupplier\tWhat was done\tCost (£)\tRemark"}
	for i := range 4000 {
		lines = append(lines, fmt.Sprintf("%02d/%02d/2025\tSupplier %c%d\tWork number %d on the roof and the yard\t%d.50\tchecked %d", i%28+1, i%12+1, 'A'+rune(i%26), i%40, i, i%900, i))
	}
	table := sheetOf("Repairs", lines...)
	for b.Loop() {
		Read(checker, "How much did repairs by supplier K10 cost altogether in March 2025?").Tallied(table, "/f.xlsx")
	}
}
