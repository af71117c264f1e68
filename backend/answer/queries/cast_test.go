package queries

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/rank"
)

// castTurn is a turn of a conversation with what a person made of it.
type castTurn struct {
	ID      string
	History []struct{ Text string }
	Asked   string `json:"utterance"`
	Rewrite string
}

func castTurns(t *testing.T) (turns []castTurn) {
	t.Helper()
	for _, name := range []string{"cast2019.jsonl", "cast2020.jsonl"} {
		f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "query-rewrite", name))
		if err != nil {
			t.Skip("no conversations beside the checkout")
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var turn castTurn
			if err := json.Unmarshal(lines.Bytes(), &turn); err != nil {
				t.Fatal(err)
			}
			turns = append(turns, turn)
		}
	}
	return turns
}

// TestRulesFindWhatAPersonMeant takes the second and third turns that lean on what
// was said before, and looks for what a person made of each, among all turns of all
// conversations, with what the rules make of it: it is to come first.
func TestRulesFindWhatAPersonMeant(t *testing.T) {
	turns := castTurns(t)
	texts := make([]string, len(turns))
	for i, turn := range turns {
		texts[i] = turn.Rewrite
	}
	index := rank.NewBM25(texts)
	found := func(query string, want int) bool {
		scores := index.Scores(query)
		return scores[want] > 0 && scores[want] == slices.Max(scores)
	}
	asked, byRules, byPerson, asTyped := 0, 0, 0, 0
	for i, turn := range turns {
		if len(turn.History) > 2 || turn.Rewrite == turn.Asked {
			continue
		}
		var history []contract.Turn
		for _, h := range turn.History {
			history = append(history, contract.Turn{Question: h.Text})
		}
		asked++
		query := ByRules(Standalone(strings.TrimSpace(turn.Asked), history), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
		if found(query, i) {
			byRules++
		} else if testing.Verbose() {
			t.Logf("%s: %q → %q, a person: %q", turn.ID, turn.Asked, query, turn.Rewrite)
		}
		for _, c := range []struct {
			text string
			hits *int
		}{{turn.Rewrite, &byPerson}, {turn.Asked, &asTyped}} {
			if found(c.text, i) {
				*c.hits++
			}
		}
	}
	t.Logf("%d turns: a person's words find %d, the rules' %d, as typed %d", asked, byPerson, byRules, asTyped)
	if float64(byRules) < 0.9*float64(byPerson) {
		t.Errorf("the rules find %d, a person %d", byRules, byPerson)
	}
}
