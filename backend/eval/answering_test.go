package eval

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func writeZipped(t *testing.T, file string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// labelledSets writes a set of passages, one of whole articles, one table and a
// file of another kind.
func labelledSets(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, `{"id":"%d","doc":"Tower %d","passage_id":"p%d","question":"How high is tower %d?","answerable":%t,"answers":[{"text":"%d metres"}],"sentence":"It is %d metres high.","passage":"Tower %d is old. It is %d metres high."}`+"\n", i, i, i, i, i%4 > 0, i, i, i, i)
	}
	writeZipped(t, filepath.Join(dir, "passages", "towers.jsonl.gz"), []byte(lines.String()))
	writeZipped(t, filepath.Join(dir, "passages", "pairs.jsonl.gz"), []byte(`{"id":"1","question":"Who?","sentence":"Ida.","answers":true}`))
	writeZipped(t, filepath.Join(dir, "languages", "papers.jsonl.gz"), []byte(`{"id":"7","doc":"tårn","question":"Hvor højt?","answerable":true,"answers":[{"text":"46 meter"}],"sentence":"Det er 46 meter."}`))
	writeZipped(t, filepath.Join(dir, "languages", "papers-docs.jsonl.gz"), []byte(`{"doc":"tårn","text":"Det er 46 meter."}`))
	writeZipped(t, filepath.Join(dir, "tables", "lamps", "questions.jsonl.gz"), []byte(`{"id":"1","file":"a","question":"How bright is the east lamp?","answers":["90"],"kind":"lookup","cells":[[1,1]]}
{"id":"2","file":"a","question":"How bright is the west lamp?","answers":["90"],"kind":"lookup","cells":[[9,1]]}
{"id":"3","file":"a","question":"How bright are both?","answers":["170"],"kind":"arithmetic"}`))
	var tarred bytes.Buffer
	w := tar.NewWriter(&tarred)
	csv := "Lamp,Brightness\nEast,90\nWest,80\n"
	if err := w.WriteHeader(&tar.Header{Name: "csv/a.csv", Typeflag: tar.TypeReg, Size: int64(len(csv)), Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(csv)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeZipped(t, filepath.Join(dir, "tables", "lamps", "files.tar.gz"), tarred.Bytes())
	return dir
}

func TestLabelledSetsAreReadWithAQuarterTakenOut(t *testing.T) {
	sets, err := readAnswerSets(labelledSets(t), "all")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]answerSet{}
	for _, s := range sets {
		byName[s.name] = s
	}
	if len(sets) != 4 || len(byName["papers"].questions) != 1 || len(byName["lamps"].questions) != 1 || len(byName["lamps-arithmetic"].questions) != 1 {
		t.Fatalf("sets are %+v", sets)
	}
	if q := byName["lamps"].questions[0]; !slices.Equal(q.Cells, []string{"90"}) || !slices.Equal(q.Rows[0], []string{"East", "90"}) || !q.holds("East: Brightness: 90") || q.holds("West: 80") {
		t.Errorf("the cell is %+v", q)
	}
	if q := byName["lamps-arithmetic"].questions[0]; !q.holds("170 = 90 + 80") || q.holds("1,170") || q.holds("It is 170.") {
		t.Errorf("what is worked out is %+v", q)
	}
	towers := byName["towers"]
	counts := map[expected]int{}
	for _, q := range towers.questions {
		counts[q.Kind]++
	}
	if counts[there] < 15 || counts[gone] < 3 || counts[tempt] < 4 || counts[there]+counts[gone] != 30 || len(towers.files) != 40-counts[gone]-(10-counts[tempt]) {
		t.Errorf("kinds %v of %d files", counts, len(towers.files))
	}
	test, err := readAnswerSets(labelledSets(t), "test")
	if err != nil {
		t.Fatal(err)
	}
	train, err := readAnswerSets(labelledSets(t), "train")
	if err != nil {
		t.Fatal(err)
	}
	at := func(sets []answerSet) int {
		return slices.IndexFunc(sets, func(s answerSet) bool { return strings.HasPrefix(s.name, "towers") })
	}
	if n, m := len(test[at(test)].questions), len(train[at(train)].questions); n == 0 || n+m != len(towers.questions) {
		t.Errorf("%d test and %d train questions of %d", n, m, len(towers.questions))
	}
	if _, err := readAnswerSets(t.TempDir(), "all"); err == nil {
		t.Error("an empty folder is no set")
	}
}

func TestWhatIsAnsweredAndWhatIsNotIsMeasured(t *testing.T) {
	sure, unsure := 0.9, 0.2
	said := map[string]contract.Answer{}
	for i := range 40 {
		a := quoting("tower.txt", fmt.Sprintf("It is %d metres high.", i), 0)
		a.Grade, a.Confidence, a.Run = contract.GradeAnswers, &sure, contract.RunID("run")
		if i%4 == 0 { // written to tempt
			a.Grade, a.Confidence = contract.GradeClosest, &unsure
		}
		said[fmt.Sprintf("How high is tower %d?", i)] = a
	}
	var files int
	opt := AnsweringOptions{Part: "all", Only: []string{"towers"}, ScoresFile: filepath.Join(t.TempDir(), "scores"), LearnDir: t.TempDir()}
	opt.Over = func(_ context.Context, dir string, use func(Program) error) error {
		entries, err := os.ReadDir(dir)
		files = len(entries)
		if err != nil {
			return err
		}
		return use(shelf{"", said})
	}
	rows, err := Answering(t.Context(), labelledSets(t), opt)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	r := rows[0]
	if r.FirstRight != 1 || r.ClaimedRight != 1 || r.GoneClaimed != 1 || r.TemptClaimed != 0 || r.AUROCTempt != 1 || r.AUROCGone != 0.5 || files == 0 || r.Failed != 0 {
		t.Errorf("%d files: %+v", files, r)
	}
	for _, file := range []string{opt.ScoresFile, filepath.Join(opt.LearnDir, "towers", "questions.jsonl"), filepath.Join(opt.LearnDir, "towers", "considered.jsonl")} {
		if data, err := os.ReadFile(file); err != nil || bytes.Count(data, []byte("\n")) != r.There+r.Gone+r.Tempt {
			t.Errorf("%s: %d bytes, %v", filepath.Base(file), len(data), err)
		}
	}
	opt.Only = []string{"castles"}
	if _, err := Answering(t.Context(), labelledSets(t), opt); err == nil || !strings.Contains(err.Error(), "towers") {
		t.Errorf("a set that there is not: %v", err)
	}
	if !strings.Contains(r.String(), "claimed right 1.00") {
		t.Errorf("%s", r)
	}
}

func TestMeasuresOfConfidence(t *testing.T) {
	if a := areaUnder([]float64{.9, .5}, []float64{.5, .1}); a != 0.875 {
		t.Errorf("area %v", a)
	}
	if areaUnder(nil, []float64{1}) != 0 {
		t.Error("there is no area without both")
	}
	if got := atRefusal([]float64{.1, .2, .3, .4, .5}, []float64{.15, .25, .9}, 0.2); math.Abs(got-2.0/3) > 1e-9 {
		t.Errorf("at 20 %% refused %v", got)
	}
	p, q := 0.75, 0.35
	rated := []outcome{
		{answerQuestion: answerQuestion{Kind: there}, Confidence: &p, Right: true}, {answerQuestion: answerQuestion{Kind: there}, Confidence: &q},
	}
	if e := calibrationError(rated); math.Abs(e-(0.25+0.35)/2) > 1e-9 {
		t.Errorf("calibration error %v", e)
	}
	if r := riskAt(rated, 0.5); r != 0 {
		t.Errorf("risk at half %v", r)
	}
	if r := riskAt(rated, 1); r != 0.5 {
		t.Errorf("risk of all %v", r)
	}
}
