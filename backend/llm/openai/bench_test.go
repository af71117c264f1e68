package openai

import (
	"net/http"
	"strings"
	"testing"

	"footnote/backend/llm"
)

// BenchmarkStream reads 1000 events of one word.
func BenchmarkStream(b *testing.B) {
	body := strings.Repeat("data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word \"},\"finish_reason\":null}]}\n\n", 1000) + done
	client := &http.Client{Transport: &fuzzTransport{[]byte(body)}}
	c := New(Config{Name: "Test", BaseURL: "http://x/v1", Client: client})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := llm.Collect(c.Stream(b.Context(), llm.Call{Model: "m"})); err != nil {
			b.Fatal(err)
		}
	}
}
