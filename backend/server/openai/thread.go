package openai

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
)

// Conversation tells which conversation a request goes on in: the one that the
// client names, else the one whose history it sends.
type Conversation struct {
	User   string // of the client; keeps the conversations of two apart
	Named  string // by metadata or a header
	Before []contract.Said
	Asked  string
}

// namesOfThreads are the keys by which clients name a conversation.
var namesOfThreads = []string{"conversation_id", "chat_id", "thread_id", "session_id", "conversationId", "chatId", "threadId", "sessionId"}

func named(metadata map[string]any) string {
	for _, key := range namesOfThreads {
		if name, ok := metadata[key].(string); ok && strings.TrimSpace(name) != "" {
			return name
		}
	}
	return ""
}

// Headers name a conversation as well.
var Headers = []string{"X-Footnote-Conversation", "X-OpenWebUI-Chat-Id", "X-Conversation-Id"}

// Key is under which the conversation so far was kept; empty for one that begins.
func (c Conversation) Key() string {
	if c.Named != "" {
		return digest("named", c.User, c.Named)
	}
	if len(c.Before) == 0 {
		return ""
	}
	return digest(append([]string{"history", c.User}, said(c.Before)...)...)
}

// Next is under which it will be looked for once it has this answer.
func (c Conversation) Next(answer string) string {
	if c.Named != "" {
		return c.Key()
	}
	turns := append(said(c.Before), bare(c.Asked), bare(answer))
	return digest(append([]string{"history", c.User}, turns...)...)
}

func said(turns []contract.Said) (all []string) {
	for _, t := range turns {
		all = append(all, bare(t.Question), bare(t.Answer))
	}
	return all
}

// bare leaves of a text what clients do not change when they send it back.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func digest(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d %s", len(part), part)
	}
	return "v1-" + hex.EncodeToString(sum.Sum(nil)[:20])
}

// Start is the name of a conversation that begins now.
func (c Conversation) Start(thread contract.ThreadID) string { return cmp.Or(c.Key(), string(thread)) }
