package collector

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func setNow() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

func TestTheCollectorWaitsForTheSameGarbageWhateverIsInUse(t *testing.T) {
	const garbage, least = 80 << 20, 40
	w := Waits{garbage: garbage, least: least}
	for _, inUse := range []uint64{11 << 20, 20 << 20, 64 << 20, 100 << 20, 190 << 20} {
		waits := float64(inUse) * float64(w.percentOf(inUse)) / 100
		if waits > garbage || waits < garbage*7/8 {
			t.Errorf("with %d MB in use it waits for %.0f MB", inUse>>20, waits/(1<<20))
		}
	}
	if got := w.percentOf(0); got > most {
		t.Errorf("with nothing in use %d", got)
	}
	if got := w.percentOf(4 << 30); got != least {
		t.Errorf("with four gigabytes in use %d", got)
	}
}

func TestItIsSetAnewWithWhatIsInUseAndPutBack(t *testing.T) {
	before := debug.SetGCPercent(33)
	defer debug.SetGCPercent(before)
	const least = 40
	w := ForGarbage(64<<20, least)
	runtime.GC()
	small := setNow()
	held := make([]byte, 128<<20)
	for end := time.Now().Add(10 * time.Second); setNow() >= small && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(held)
	if got := setNow(); got >= small || got < least {
		t.Errorf("%d with little in use, %d with much", small, got)
	}
	w.End()
	w.End()
	runtime.GC()
	if got := setNow(); got != 33 {
		t.Errorf("%d at the end", got)
	}
}
