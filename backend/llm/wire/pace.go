package wire

import (
	"time"

	"footnote/backend/llm"
)

// heldToken is how many bytes of what is held back count as a token.
const heldToken = 4

// pace is how far a reply is behind llm.TokenTime. Words that came early are no
// credit: a reply that began fast may not crawl for hours afterwards.
type pace struct {
	seen   time.Time // when it was looked at last; zero before the reply began
	tokens int       // of the reply by then
	behind time.Duration
}

// look counts the time since the last look, less what the tokens since then may take.
func (p *pace) look(now time.Time, tokens int) time.Duration {
	if !p.seen.IsZero() {
		p.behind = max(0, p.behind+now.Sub(p.seen)-time.Duration(tokens-p.tokens)*llm.TokenTime)
	}
	p.seen, p.tokens = now, tokens
	return p.behind
}

// keepUp hangs up on a reply of so many tokens that fell too far behind.
func (l *Lines) keepUp(tokens int) {
	if most := l.server.Limits.Behind; most > 0 && l.begun && !l.whole && l.pace.look(time.Now(), tokens) > most {
		l.cancel(l.server.crawls(most))
	}
}
