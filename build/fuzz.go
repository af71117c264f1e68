package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"
)

type fuzzTarget struct{ pkg, target string }

// fuzzTargets are parsers of what comes from outside: markers, documents,
// addresses, requests and streams.
var fuzzTargets = []fuzzTarget{
	{"./backend/bounded", "FuzzCount"},
	{"./backend/cite", "FuzzParserCuts"},
	{"./backend/evidence", "FuzzSplit"},
	{"./backend/extract/pdf", "FuzzExtractPDF"},
	{"./backend/extract/markup", "FuzzExtractHTML"},
	{"./backend/extract/mail", "FuzzExtractMail"},
	{"./backend/extract/ocr", "FuzzTables"},
	{"./backend/extract/pdf", "FuzzBoxes"},
	{"./backend/extract/office", "FuzzExtractXLSX"},
	{"./backend/extract/office", "FuzzExtractPPTX"},
	{"./backend/extract/office", "FuzzExtractODF"},
	{"./backend/extract/office", "FuzzExtractRTF"},
	{"./backend/extract/legacy", "FuzzExtractXLS"},
	{"./backend/extract/legacy", "FuzzExtractPPT"},
	{"./backend/extract", "FuzzExtractContainers"},
	{"./backend/extract/office", "FuzzExtractEPUB"},
	{"./backend/cite", "FuzzChecker"},
	{"./backend/web", "FuzzGuard"},
	{"./backend/web", "FuzzReadPage"},
	{"./backend/web/engine/youtube", "FuzzCaptions"},
	{"./backend/compute", "FuzzEvaluate"},
	{"./backend/library", "FuzzUnderstand"},
	{"./backend/embed", "FuzzWeights"},
	{"./backend/llm/anthropic", "FuzzStream"},
	{"./backend/llm/gemini", "FuzzStream"},
	{"./backend/llm/openai", "FuzzStream"},
	{"./backend/server", "FuzzReadJSON"},
	{"./backend/server", "FuzzSearchRequest"},
	{"./backend/server", "FuzzChatRequest"},
	{"./backend/mcp", "FuzzCall"},
	{"./backend/export", "FuzzReadBundle"},
}

// fuzz searches every parser for an input that breaks it, for FOOTNOTE_FUZZ
// (a Go duration, 20s by default) each. It is a search and no check: whether it
// finds something is chance, so the inputs it found are kept below testdata/fuzz,
// where every run of the tests tries them, and nothing that lands waits for luck.
func fuzz(ctx context.Context, j *job) error {
	long := 20 * time.Second
	if asked := os.Getenv("FOOTNOTE_FUZZ"); asked != "" {
		var err error
		if long, err = time.ParseDuration(asked); err != nil || long <= 0 {
			return fmt.Errorf("FOOTNOTE_FUZZ=%s is no duration: write it like 20s or 5m", asked)
		}
	}
	for _, f := range fuzzTargets {
		j.step("fuzz "+f.pkg+" "+f.target, func() error { return j.search(ctx, f, long) })
	}
	return j.outcome()
}

// search runs one target. Go's own fuzzer ends some searches with its deadline
// as the error although no input failed; that is no finding.
func (j *job) search(ctx context.Context, f fuzzTarget, long time.Duration) error {
	cmd := j.command(ctx, j.root, []string{"CGO_ENABLED=0"}, "go", "test", "-run", "^$", "-fuzz", "^"+f.target+"$", "-fuzztime", long.String(), f.pkg)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() == nil && bytes.Contains(out, []byte("context deadline exceeded")) && !bytes.Contains(out, []byte("Failing input written")) {
		return nil
	}
	os.Stderr.Write(out)
	return fmt.Errorf("go test -fuzz %s %s: %w", f.target, f.pkg, err)
}
