package eval

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/cite"
)

const fewPairs = `{"id":"a","claim":"The bridge was opened in 1932.","passage":"The old bridge was opened in 1932.","label":"supported"}
{"id":"b","claim":"The bridge was opened in 1932.","passage":"Bread dough rests overnight.","label":"not_supported"}
{"id":"c","claim":"The bridge was opened in 1950.","passages":["Bread dough.","The old bridge was opened in 1932."],"label":"contradicted"}
{"id":"d","claim":"Eight lanes cross the bridge.","passages":["Nothing.","Eight lanes cross the old bridge."],"label":"supported"}
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCitationsAreMeasuredAFileARow(t *testing.T) {
	file := write(t, "few.jsonl", fewPairs)
	out := filepath.Join(t.TempDir(), "scores.jsonl")
	rows, err := Citations(context.Background(), []string{file, file}, CitationOptions{Table: "words", ScoresFile: out})
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	r := rows[0]
	if r.Set != "few" || r.Pairs != 4 || r.AUROC != 1 || r.BalancedAccuracy != 1 || r.MacroF1 != 1 || r.Verdicts[cite.Supported] != 2 || r.Verdicts[cite.Contradicted] != 1 {
		t.Errorf("%s", r)
	}
	b, err := os.ReadFile(out)
	if err != nil || strings.Count(string(b), "\n") != 8 || !strings.Contains(string(b), `{"id":"a","table":"words","label":"supported","score":0.9`) {
		t.Errorf("scores %s %v", b, err)
	}
}

func TestAPairThatCannotBeReadIsNamed(t *testing.T) {
	for _, bad := range []string{"{", `{"id":"x","claim":"","label":"supported"}`, `{"id":"x","claim":"y","label":"maybe"}`} {
		_, err := Citations(context.Background(), []string{write(t, "bad.jsonl", fewPairs+bad)}, CitationOptions{})
		if err == nil || !strings.Contains(err.Error(), "line 5") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := Citations(context.Background(), []string{"nowhere.jsonl"}, CitationOptions{}); err == nil {
		t.Error("a missing file is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Citations(ctx, []string{write(t, "few.jsonl", fewPairs)}, CitationOptions{}); err == nil {
		t.Error("a cancelled run is no error")
	}
}

func TestOneLabelAloneHasNoFigureOfTellingApart(t *testing.T) {
	answers := `{"id":"e","question":"who opened the bridge","sentences":["The bridge was opened by the king.","It rained."],"gold_sentence":[0],"answers":["the king"]}
`
	for _, x := range []struct {
		pairs string
		told  bool
	}{{answers, false}, {publishedPairs, true}} {
		rows, err := Citations(context.Background(), []string{write(t, "few.jsonl", x.pairs)}, CitationOptions{Table: cite.WordTable})
		if err != nil || strings.Contains(rows[0].String(), "AUROC") != x.told {
			t.Errorf("%v, %s", err, rows[0])
		}
	}
}

func TestEqualScoresCountHalf(t *testing.T) {
	if a := auroc([]citationScore{{Score: .5, supported: true}, {Score: .5}}); a != 0.5 {
		t.Errorf("auroc %v, want .5", a)
	}
	if a := auroc([]citationScore{{Score: .5, supported: true}}); a != 0 {
		t.Errorf("auroc of one class %v, want 0", a)
	}
}

const publishedPairs = `{"id":"a","claim":"The bridge was opened in 1932.","references":["The old bridge was opened in 1932."],"label":"supported"}
{"id":"b","knowledge":"Bread dough rests overnight .","message":"And bread?","response":"Dough of bread rests overnight.","label":"Fully attributable"}
{"id":"c","knowledge":"Bread dough rests overnight .","message":"And bread?","response":"My cat sings.","label":"Generic"}
{"id":"d","claim":"The bridge is 503 metres long.","sentences":["It is\nold.","The bridge is 503 metres long."],"label":"supported","rationales":[[1]]}
{"id":"e","question":"who opened the bridge","sentences":["The bridge was opened by the king.","It rained."],"gold_sentence":[1],"answers":["the king"]}
`

func TestPairsAreReadAsTheyWerePublished(t *testing.T) {
	rows, err := Citations(context.Background(), []string{write(t, "few.jsonl", publishedPairs)}, CitationOptions{Table: cite.WordTable})
	if err != nil {
		t.Fatal(err)
	}
	r := rows[0]
	if r.Pairs != 5 || r.Rationales != 2 || r.Hit != 0.5 || r.AUROC != 1 {
		t.Errorf("%s", r)
	}
	if r.Confusion[cite.Supported][cite.Supported] != 3 || r.Confusion["not_supported"][cite.NotFound] != 1 || r.Confusion[answered] == nil {
		t.Errorf("confusion %v", r.Confusion)
	}
}

func TestBothTablesJudgeTheSamePairs(t *testing.T) {
	tables, err := newTables("both")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Citations(context.Background(), []string{write(t, "few.jsonl", fewPairs)}, CitationOptions{})
	if err != nil || len(rows) != len(tables) {
		t.Fatal(rows, err)
	}
	for i, r := range rows {
		if r.Table != tables[i].name || r.AUROC != 1 || r.Verdicts[cite.Contradicted] != 1 {
			t.Errorf("%s", r)
		}
	}
	if _, err := newTables("stars"); err == nil {
		t.Error("any table is taken")
	}
}
