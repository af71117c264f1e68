package gemini

import (
	"net/http"
	"testing"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/settings"
)

func TestConformance(t *testing.T) {
	llmtest.Run(t, func(baseURL string, client *http.Client) llm.Model {
		return New(Config{BaseURL: baseURL, Key: settings.NewSecret(llmtest.Canary), Client: client, Limits: llmtest.Limits(), Now: time.Now})
	})
}
