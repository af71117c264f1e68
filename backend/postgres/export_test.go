//go:build unix

package postgres

// What tests of what stands on this room need of it.
var (
	NewTeam   = newTeam
	Fill      = fill
	LeakCases = leakCases
)

// Unchecked switches the program's own checks off, so that row-level security stands
// alone.
func (d *DB) Unchecked(everybody []int64) { d.unchecked, d.everybody = true, everybody }
