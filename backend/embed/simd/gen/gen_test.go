package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestAssemblyIsWhatTheGeneratorWrites(t *testing.T) {
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
			t.Errorf("%s is not what the generator writes: run go generate in backend/embed/simd", name)
		}
	}
}

// A processor with AVX-VNNI or AVX2 but without AVX-512 has neither its registers
// nor more than sixteen of the others.
func TestNarrowCodeKeepsToNarrowRegisters(t *testing.T) {
	wide := regexp.MustCompile(`\bZ\d|\b[XY](1[6-9]|[23]\d)\b|VPDPBUSD [^/]*$|VRNDSCALE|VSCALEF|VRCP14|VPMOVDB`)
	for _, name := range []string{"avxvnni_amd64.s", "avx2_amd64.s"} {
		for line := range strings.Lines(files()[name]) {
			if code, _, _ := strings.Cut(line, "//"); wide.MatchString(code) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

func TestGeneratorRefusesWhatItDoesNotKnow(t *testing.T) {
	for name, call := range map[string]func(*listing){
		"constant":    func(l *listing) { l.constant("three") },
		"instruction": func(l *listing) { l.two("FSIN", 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			call(&listing{})
		})
	}
}

func TestArgumentsLieWhereGoPutsThem(t *testing.T) {
	l := &listing{}
	l.function("f", addRowParams)
	for name, want := range map[string]string{"n": "n+0(FP)", "row": "row+16(FP)", "scale": "scale+24(FP)"} {
		if got := l.arg(name); got != want {
			t.Errorf("%s is at %s, want %s", name, got, want)
		}
	}
	if code := l.code.String(); !strings.Contains(code, "$0-28") {
		t.Errorf("frame: %s", code)
	}
}
