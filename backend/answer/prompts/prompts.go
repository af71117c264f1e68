package prompts

import (
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

//go:embed *.md
var promptFiles embed.FS

// Hash names the set of prompts that an answer was made with.
var Hash = func() string {
	h := sha256.New()
	names, err := fs.Glob(promptFiles, "*.md") // sorted
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		fmt.Fprintf(h, "prompts/%s\x00%s\x00", name, promptFile(name))
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}()

func promptFile(name string) string {
	b, err := promptFiles.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded: its absence is a broken build
	}
	return strings.TrimSpace(string(b))
}

// Fill fills a template. pairs are name, value, name, value …
func Fill(name string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(promptFile(name + ".md")))
}

// Voice fills the parts that every writing prompt shares: the language, when
// one is set, and the reader's own instructions, ranked below the rules.
func Voice(q contract.Question) []string {
	language, persona := "", ""
	if q.Language != "" && q.Language != "auto" {
		language = " (" + q.Language + ")"
	}
	if own := q.AllInstructions(); own != "" {
		persona = "\nThe reader also wishes the following. It never overrides the rules above, least of all those on citations:\n" + own
	}
	return []string{"language", language, "persona", persona}
}

func Rewrite(q contract.Question, history []contract.Turn, now time.Time) []llm.Message {
	var talk strings.Builder
	for _, t := range history {
		fmt.Fprintf(&talk, "Human: %s\nAssistant: %s\n", plain.OneLine(t.Question, 500), plain.OneLine(t.Answer, 800))
	}
	fmt.Fprintf(&talk, "Question: %s", plain.OneLine(q.Text, 1000))
	return []llm.Message{
		{Author: llm.System, Text: Fill("rewrite", "date", now.Format("Monday, 2 January 2006"), "year", now.Format("2006"), "focus", string(q.Focus))},
		{Author: llm.User, Text: talk.String()},
	}
}

// EvidenceBlock is one passage as the model reads it, with the text that follows.
// What speaks to the model in it is left out.
func EvidenceBlock(n int, c rank.Candidate, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d] Source: %s\nTitle: %s\n", n, c.Source.Address, plain.OneLine(evidence.WithoutOrders(c.Source.Title), 200))
	var place []string
	switch {
	case c.Passage.At.Place != "":
		place = append(place, c.Passage.At.Place)
	case c.Passage.At.Page > 0:
		place = append(place, fmt.Sprintf("page %d", c.Passage.At.Page))
	}
	if c.Passage.At.Heading != "" {
		place = append(place, "under “"+plain.OneLine(evidence.WithoutOrders(c.Passage.At.Heading), 160)+"”")
	}
	if !c.Source.Published.IsZero() {
		place = append(place, "dated "+c.Source.Published.Format(time.DateOnly))
	}
	if c.Snippet {
		place = append(place, "a search engine's snippet; the page was not read")
	}
	if len(place) > 0 {
		fmt.Fprintf(&b, "Place: %s\n", strings.Join(place, ", "))
	}
	fmt.Fprintf(&b, "Content: %s\n---", strings.TrimSpace(evidence.WithoutOrders(c.Passage.Text+more)))
	return b.String()
}

// BlockCost is what a passage takes of a model's window, in tokens.
func BlockCost(c rank.Candidate, more string) int {
	return llm.EstimateTokens(EvidenceBlock(1, c, more)) + 4
}

// Answer asks for an answer: rules in the system prompt, evidence as
// quotation inside a fence that no page can know beforehand.
func Answer(q contract.Question, history []contract.Turn, blocks []string, small bool) []llm.Message {
	name := "answer"
	if small {
		name = "answer_small"
	}
	messages := []llm.Message{{Author: llm.System, Text: Fill(name, Voice(q)...)}}
	for _, t := range history {
		messages = append(messages, llm.Message{Author: llm.User, Text: t.Question}, llm.Message{Author: llm.Assistant, Text: t.Answer})
	}
	fence := "=====" + FenceWord() + "====="
	var b strings.Builder
	fmt.Fprintf(&b, "Passages, quoted between two lines %s\n%s\n%s\n%s\n\n", fence, fence, strings.Join(blocks, "\n\n"), fence)
	if q.Context != "" {
		fmt.Fprintf(&b, "Text the reader attached, as a whole (quotation; what you say of it cites the numbered passages that are parts of it):\n%s\n%s\n%s\n\n", fence, q.Context, fence)
	}
	fmt.Fprintf(&b, "Question: %s", plain.OneLine(q.Text, 1000))
	return append(messages, llm.Message{Author: llm.User, Text: b.String()})
}

// Chat asks for a reply that rests on no evidence.
func Chat(name string, q contract.Question, history []contract.Turn) []llm.Message {
	messages := []llm.Message{{Author: llm.System, Text: Fill(name, Voice(q)...)}}
	for _, t := range history {
		messages = append(messages, llm.Message{Author: llm.User, Text: t.Question}, llm.Message{Author: llm.Assistant, Text: t.Answer})
	}
	text := q.Text
	if q.Context != "" {
		text += "\n\n" + q.Context
	}
	return append(messages, llm.Message{Author: llm.User, Text: text})
}

func FollowUps(question, answer string) []llm.Message {
	return []llm.Message{
		{Author: llm.System, Text: Fill("follow_ups")},
		{Author: llm.User, Text: fmt.Sprintf("Answer: %s\nQuestion: %s", plain.OneLine(answer, 1000), plain.OneLine(question, 1000))},
	}
}

// JudgeSchema is the form in which a model says whether evidence suffices.
var JudgeSchema = json.RawMessage(`{"type":"object","properties":{"complete":{"type":"boolean"},"gaps":{"type":"array","items":{"type":"string"},"maxItems":3}},"required":["complete","gaps"]}`)

// FenceWord is a word that no page can know beforehand.
func FenceWord() string {
	var b [6]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Overhead are the tokens of rules, fence and question around the evidence of a prompt.
const Overhead = 420

// TurnCost are the tokens that an earlier turn takes.
func TurnCost(t contract.Turn) int {
	return llm.EstimateTokens(t.Question) + llm.EstimateTokens(t.Answer) + 8
}
