package extract

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// workerSwitch makes the test binary a worker, as `footnote extract-worker` is.
const workerSwitch = "FOOTNOTE_TEST_WORKER"

func TestMain(m *testing.M) {
	switch os.Getenv(workerSwitch) {
	case "":
		os.Exit(m.Run())
	case "serve":
		if err := ServeWorker(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "unconfined": // as where the system has no sandbox
		if err := serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	case "boxless":
		fmt.Fprintln(os.Stderr, "no box here")
		os.Exit(confineExit)
	case "crash":
		panic("a crash that no one catches")
	case "hang":
		time.Sleep(time.Minute)
	case "garbage":
		fmt.Print("\xff\xff\xff\xffnot a frame")
	case "environment":
		for _, e := range os.Environ() {
			fmt.Fprintln(os.Stderr, e)
		}
		os.Exit(3)
	}
}

// testPool is a pool whose children are this test binary in a mode.
func testPool(t *testing.T, mode string, size int, lim Limits) *Pool {
	t.Helper()
	t.Setenv(workerSwitch, mode)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool([]string{exe}, size, func() Limits { return lim })
	t.Cleanup(p.Close)
	return p
}
