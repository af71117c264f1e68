//go:build linux && !arm64

package simd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestKernelsOfArm64UnderEmulation runs the tests above as an arm64 program, on a
// processor with the dot product of bytes and on one without.
func TestKernelsOfArm64UnderEmulation(t *testing.T) {
	if testing.Short() {
		t.Skip("emulation is left to the full tests")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		if qemu, err = exec.LookPath("qemu-aarch64-static"); err != nil {
			t.Skip("no qemu-aarch64 here to run arm64 code")
		}
	}
	program := filepath.Join(t.TempDir(), "simd.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build for arm64: %v\n%s", err, out)
	}
	for _, processor := range []string{"max", "cortex-a72"} {
		if out, err := exec.CommandContext(t.Context(), qemu, "-cpu", processor, program, "-test.timeout", "100s").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", processor, err, out)
		}
	}
}
