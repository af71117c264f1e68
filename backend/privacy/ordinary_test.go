package privacy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/privacy"
)

// ordinary are questions as people ask them, each with the query that a model makes
// of it. Nothing in the queries is private.
var ordinary = [][2]string{
	{"How long is the Lorne bridge?", "Lorne bridge length metres"},
	{"Which SQLite version fixed the WAL reset bug?", "SQLite WAL reset bug fixed version release notes"},
	{"What is reciprocal rank fusion?", "reciprocal rank fusion definition formula"},
	{"Is bleve faster than Lucene?", "bleve vs Lucene performance benchmark"},
	{"How does HNSW search work?", "HNSW algorithm explained approximate nearest neighbour"},
	{"What does the GDPR say about backups?", "GDPR backups right to erasure requirements"},
	{"How do I set up a reverse proxy with nginx?", "nginx reverse proxy configuration example"},
	{"Who wrote the BM25 paper?", "BM25 paper authors Robertson"},
	{"What is the capital of Australia?", "capital of Australia"},
	{"Why do my tomato plants wilt?", "tomato plants wilting causes"},
	{"Can you compare WebKit and Chromium on memory?", "WebKit Chromium memory usage comparison 2026"},
	{"What is a good running plan for a half marathon?", "half marathon training plan beginner"},
	{"How is aspirin made?", "aspirin synthesis process"},
	{"When was the first email sent?", "first email sent date history"},
	{"What does a heat pump cost in Germany?", "heat pump installation cost Germany 2026"},
	{"Is SQLite suitable for many writers?", "SQLite concurrent writers limitations"},
	{"How do embeddings work?", "text embeddings explained vector representation"},
	{"What changed in Go 1.26?", "Go 1.26 release notes changes"},
	{"Which laptop has the longest battery life?", "laptop longest battery life best"},
	{"How do I remove rust from tools?", "remove rust from tools household methods"},
	{"What is the difference between TCP and UDP?", "TCP UDP difference"},
	{"How does a content security policy protect a page?", "content security policy protection web page"},
	{"Are there open source PDF parsers for Go?", "open source PDF parser Go library"},
	{"What did Turing prove about halting?", "Turing halting problem proof"},
	{"How many people live in Oban?", "Oban population"},
	{"What is the best way to store passwords?", "password storage best practices hashing"},
	{"How can I speed up a slow SQL query?", "slow SQL query optimization index"},
	{"What is prompt injection?", "prompt injection attack large language models"},
	{"How tall is the Eiffel Tower?", "Eiffel Tower height"},
	{"Wie hoch ist der Eiffelturm?", "Eiffelturm Höhe Meter"},
	{"Quelle est la population de Lyon ?", "Lyon population habitants"},
	{"What are the side effects of ibuprofen?", "ibuprofen side effects"},
	{"How do I write a unit test in Go?", "Go unit test tutorial testing package"},
	{"Which countries use the euro?", "countries euro currency list"},
	{"What is a Merkle tree used for?", "Merkle tree uses"},
	{"How do LLM tools calls work?", "LLM tool calling function calls explained"},
	{"What is the boiling point of ethanol?", "ethanol boiling point temperature"},
	{"How does OCR deal with scans of poor quality?", "OCR low quality scans accuracy improvement"},
	{"Who invented the telephone?", "telephone inventor history"},
	{"What is snowball stemming?", "snowball stemmer algorithm"},
}

// TestOrdinaryQueriesKeepTheirWords counts false alarms: words of harmless queries
// that are held because the files in the conversation have them too. The files are
// this program's own decisions, about 20 of which are in each conversation.
func TestOrdinaryQueriesKeepTheirWords(t *testing.T) {
	files, err := filepath.Glob("../adr/*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	words, lost, touched, refused := 0, 0, 0, 0
	for _, c := range ordinary {
		taint := privacy.NewTaint()
		taint.Wrote(c[0], "2026")
		for _, file := range files[:20] {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			taint.Read(string(text))
		}
		kept, held := taint.Query(c[1])
		words += len(strings.Fields(c[1]))
		lost += len(strings.Fields(c[1])) - len(strings.Fields(kept))
		if len(held) > 0 {
			touched++
			t.Logf("%q loses %q", c[1], held)
		}
		if kept == "" {
			refused++
		}
	}
	t.Logf("%d queries: %d of %d words held, %d queries touched, %d refused", len(ordinary), lost, words, touched, refused)
	if refused > 0 || lost*4 > words {
		t.Errorf("%d of %d words held, %d queries refused", lost, words, refused)
	}
}
