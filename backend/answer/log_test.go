package answer_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// lines is a log in memory.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestTheLogNamesWhatWentSlowOrWrong(t *testing.T) {
	late := rewrite("never")
	late.FirstDelay = time.Minute
	for name, c := range map[string]struct {
		model  oneModel
		change func(*stage)
		want   []string
	}{
		"slow rewrite":  {oneModel{name: "test/m", model: llmtest.NewScripted(late, chat("503 metres [1]."))}, func(s *stage) { s.set.Ask.RewriteTimeoutMs = 50 }, []string{`msg="slow rewrite"`, "code=rewrite-fallback"}},
		"slow search":   {oneModel{}, func(s *stage) { s.set.Web.CloseMs, s.web.SearchDelay = 1, 30*time.Millisecond }, []string{`msg="slow search"`, "engine="}},
		"provider down": {oneModel{err: fault.New(fault.ModelUnreachable, "Nobody answers.", "")}, nil, []string{`msg="provider down"`, "code=extractive"}},
		"truncation": {oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("x"), chat("503 metres [1].")), abil: llm.Ability{Window: 1024}}, func(s *stage) {
			for i := range 12 {
				s.shelf.files[fmt.Sprintf("/home/ann/%d.txt", i)] = fmt.Sprintf("The Lorne bridge %d is long. ", i) + strings.Repeat(fmt.Sprintf("Words %d of it. ", i), 60)
			}
		}, []string{"code=context-shortened"}},
	} {
		t.Run(name, func(t *testing.T) {
			log := &lines{}
			s := set(t, c.model, func(s *stage) {
				s.log = slog.New(slog.NewTextHandler(log, nil))
				if c.change != nil {
					c.change(s)
				}
			})
			a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
			for _, want := range c.want {
				if !strings.Contains(log.String(), want) {
					t.Errorf("the log lacks %s:\n%s", want, log)
				}
			}
			for line := range strings.Lines(log.String()) {
				if !strings.Contains(line, "run="+string(a.Run)) || !strings.Contains(line, "thread="+string(a.Thread)) {
					t.Errorf("a line without run and thread: %s", line)
				}
			}
		})
	}
}

func TestTheDebugSwitchesSayWhatAnAnswerRestsOn(t *testing.T) {
	ask := func(change func(*stage), private bool) string {
		log := &lines{}
		s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("length lorne bridge"), chat("503 metres [1]."))}, func(s *stage) {
			s.log = slog.New(slog.NewTextHandler(log, nil))
			change(s)
		})
		finished(t, s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Private = private }))
		return log.String()
	}
	llm := ask(func(s *stage) { s.set.Debug.LLM = true }, false)
	if !strings.Contains(llm, "msg=models") || !strings.Contains(llm, "chat=test/m") || strings.Contains(llm, "msg=search") {
		t.Errorf("debug.llm: %s", llm)
	}
	web := ask(func(s *stage) { s.set.Debug.Web = true }, false)
	if !strings.Contains(web, `queries="length lorne bridge"`) || !strings.Contains(web, "web=true") || strings.Contains(web, "msg=models") {
		t.Errorf("debug.web: %s", web)
	}
	both := func(s *stage) { s.set.Debug.Web, s.set.Debug.LLM = true, true }
	if secret := ask(both, true); strings.Contains(secret, "msg=search") || strings.Contains(secret, "msg=models") {
		t.Errorf("a private conversation: %s", secret)
	}
}
