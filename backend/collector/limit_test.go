package collector

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestALimitThatNothingWorksInIsRaised(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for _, c := range []struct{ set, told, then int64 }{
		{0, 1, Enough}, {1, 1, Enough}, {Enough - 1, Enough - 1, Enough}, {Enough, 0, Enough}, {4 << 30, 0, 4 << 30}, {math.MaxInt64, 0, math.MaxInt64},
	} {
		debug.SetMemoryLimit(c.set)
		if told, then := AtLeast(Enough), debug.SetMemoryLimit(-1); told != c.told || then != c.then {
			t.Errorf("a limit of %d: told %d, then %d", c.set, told, then)
		}
	}
}
