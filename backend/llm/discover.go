package llm

import (
	"context"
	"regexp"
	"sync"
	"time"
)

const discoverWait = 300 * time.Millisecond

// Candidate is a local server that may be running.
type Candidate struct {
	Provider string // its name in the settings: ollama, lmstudio, llamacpp
	Lister
}

// Server is what a candidate answered.
type Server struct {
	Provider string
	Models   []Ability // as listed, embedding models too
	Err      error     // nil when it answered
}

// Discover asks all candidates at once, each for at most 300 ms, and gives their
// answers in the order of the candidates.
func Discover(ctx context.Context, candidates []Candidate) []Server {
	servers := make([]Server, len(candidates))
	var all sync.WaitGroup
	for i, c := range candidates {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, discoverWait)
			defer cancel()
			models, err := c.List(ctx)
			servers[i] = Server{Provider: c.Provider, Models: models, Err: err}
		})
	}
	all.Wait()
	return servers
}

// FirstChat picks the first model that can chat, never one for embeddings.
func FirstChat(servers []Server) (provider string, model Ability, ok bool) {
	for _, s := range servers {
		for _, m := range s.Models {
			if s.Err == nil && m.Chats() {
				return s.Provider, m, true
			}
		}
	}
	return "", Ability{}, false
}

var embeds = regexp.MustCompile(`(?i)embed|\bbge-|\be5-|\bgte-|minilm|arctic-|paraphrase|sentence-`)

// speechless are models that give sounds, pictures, vectors of other kinds or
// judgements, and those that only complete texts: none can take a call.
var speechless = regexp.MustCompile(`(?i)re-?rank|whisper|\btts\b|-tts|dall-e|image|\bimagen|\bveo\b|moderation|transcri|realtime|\baudio\b|\bsora\b|davinci-00|babbage-00|turbo-instruct|guard|\bocr\b|stable-?diffusion|\bsdxl|\bflux\b|speech|\bvoice|parakeet|playai|orpheus|kokoro|lyria|\baqa\b|safeguard|\basr\b|computer-use`)

// Chats reports whether a listed model can answer calls.
func (a Ability) Chats() bool { return !a.Embeds && !a.Other && !speechless.MatchString(a.Name) }

// NamedLikeEmbedder guesses from a name whether a model makes vectors, for
// servers that do not say.
func NamedLikeEmbedder(name string) bool { return embeds.MatchString(name) }
