package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func testServer(client *http.Client, base string) *Server {
	return &Server{Name: "Test", Base: base, Client: client, Limits: llm.Limits{Connect: 100 * time.Millisecond, FirstToken: 2 * time.Second, Idle: time.Second}, Now: func() time.Time { return noon },
		Mask: func(text string) string { return strings.ReplaceAll(text, "hunter2", "(hidden)") }}
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	s := testServer(nil, "")
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, "-3": 0, "soon": 0, "1e99": 0,
		noon.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		noon.Add(-time.Hour).Format(http.TimeFormat):       0,
	} {
		if got := s.retryAfter(http.Header{"Retry-After": {text}}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestErrorObjectsAreUnderstood(t *testing.T) {
	s := testServer(nil, "")
	for body, want := range map[string]struct {
		code fault.Code
		says string
	}{
		`{"error":"model runner has stopped"}`:                                                                      {fault.ModelRefused, "model runner has stopped"},
		`{"error":{"message":"slow down","code":429}}`:                                                              {fault.ModelQuota, "no more requests"},
		`{"error":{"message":"x","type":"insufficient_quota"}}`:                                                     {fault.ModelQuota, "no credit"},
		`{"error":{"message":"bad hunter2 key sk-abcdefgh1234","type":"authentication_error"}}`:                     {fault.ModelAuth, "did not accept the key"},
		`{"error":{"message":"boom hunter2 sk-abcdefgh1234 AIzaSyA1234567890abc","code":"server_error"}}`:           {fault.ModelRefused, "boom (hidden) (hidden) (hidden)"},
		`{"error":{"message":"maximum context length is 4096 tokens","code":"context_length_exceeded"}}`:            {fault.ContextTooLong, "too long"},
		`{"error":{"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`: {fault.ContextTooLong, "too long"},
		`{"error":{"message":null,"code":"context_length_exceeded"}}`:                                               {fault.ContextTooLong, "too long"},
		`[{"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}]`:                                  {fault.ModelAuth, "does not allow"},
		`{"error":{"message":"a\n<script>b</script>"}}`:                                                             {fault.ModelRefused, "a <script>b</script>"},
		`{"error":{"code":400,"message":"Token limit reached"}}`:                                                    {fault.ModelRefused, "Token limit reached"},
	} {
		var list = strings.HasPrefix(body, "[")
		err := s.ErrorIn("m", []byte(body))
		if list {
			err = s.Refused("m", s.readError([]byte(body)))
		}
		if f := fault.Of(err); f.Code != want.code || !strings.Contains(f.Message, want.says) {
			t.Errorf("%s: %v", body, err)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "abcdefgh")) {
			t.Errorf("a key shows: %v", err)
		}
	}
	for _, body := range []string{`{"error":null}`, `{"error":""}`, `{"error":{}}`, `{"choices":[{"delta":{"content":"\"error\": \"x\""}}]}`, `"error"`, `{"a":{"error":1}}`} {
		if err := s.ErrorIn("m", []byte(body)); err != nil {
			t.Errorf("%s is no error: %v", body, err)
		}
	}
}

func TestTheWindowAndTheWaitAreTold(t *testing.T) {
	s := testServer(nil, "")
	f := s.Refused("m", &llm.StatusError{Status: 400, Text: "This model's maximum context length is 2048 tokens."})
	if f.Details["window"] != 2048 {
		t.Errorf("%+v", f.Details)
	}
	for wait, want := range map[time.Duration]string{30 * time.Second: "30 seconds", 10 * time.Minute: "10 minutes", 24 * time.Hour: "24 hours"} {
		if f := s.Refused("m", &llm.StatusError{Status: 429, RetryAfter: wait}); !strings.Contains(f.Message, want) {
			t.Error(f.Message)
		}
	}
	long := s.clean(strings.Repeat("é", 500))
	if n := len([]rune(long)); n != 201 {
		t.Errorf("%d characters", n)
	}
}

func TestAConnectionThatDoesNotStandIsGivenUp(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	began := time.Now()
	_, err := testServer(client, "http://test.invalid/v1").Stream(t.Context(), "/x", "m", nil)
	if fault.CodeOf(err) != fault.ModelUnreachable || errors.Is(err, llm.ErrDropped) || time.Since(began) > time.Minute {
		t.Errorf("%v after %s", err, time.Since(began))
	}
	if !strings.Contains(fault.Of(err).Message, "http://test.invalid.") {
		t.Error(fault.Of(err).Message)
	}
}

type refusing struct{ err error }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }

func TestARefusalOfTheGuardedClientPassesThrough(t *testing.T) {
	local := fault.New(fault.LocalOnly, "not now", "switch")
	err := testServer(&http.Client{Transport: refusing{fmt.Errorf("dial: %w", local)}}, "http://x").Get(t.Context(), "/models", &struct{}{})
	if fault.CodeOf(err) != fault.LocalOnly {
		t.Error(err)
	}
	err = testServer(&http.Client{Transport: refusing{&net.DNSError{Err: "no such host hunter2"}}}, "http://x").Get(t.Context(), "/models", &struct{}{})
	if fault.CodeOf(err) != fault.ModelUnreachable || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestAnAddressThatCannotBeUsed(t *testing.T) {
	err := testServer(http.DefaultClient, "http://a b").Get(t.Context(), "/models", &struct{}{})
	if fault.CodeOf(err) != fault.InvalidSetting {
		t.Error(err)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "one\r\n\ntwo\n"+long+"\nlast")
	}))
	defer server.Close()
	lines, err := testServer(server.Client(), server.URL).Stream(t.Context(), "/x", "m", map[string]int{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	for _, want := range []string{"one", "", "two", long, "last"} {
		if got, err := lines.Next(); err != nil || string(got) != want {
			t.Fatalf("%.20q, %v; want %.20q", got, err, want)
		}
	}
	if _, err := lines.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestReplyOfTooManyValuesIsNoReply has replies that are small on the wire.
func TestReplyOfTooManyValuesIsNoReply(t *testing.T) {
	for name, reply := range map[string]string{
		"things": `{"data":[` + strings.Repeat("{},", 2_000_000) + "{}]}", "errors": `{"error":{"details":[` + strings.Repeat("{},", 2_000_000) + "{}]}}",
		"numbers": `{"data":[` + strings.Repeat("1,", 4_000_000) + "1]}", "depth": strings.Repeat("[", 4_000_000),
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, reply) }))
		defer server.Close()
		var into struct{ Data []struct{ A, B, C, D string } }
		s := testServer(server.Client(), server.URL)
		if err := s.Get(t.Context(), "/models", &into); !errors.Is(err, bounded.ErrMany) || into.Data != nil {
			t.Errorf("%s: %v, %d made", name, err, len(into.Data))
		}
		lines, err := s.Stream(t.Context(), "/x", "m", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lines.Next(); !errors.Is(err, bounded.ErrMany) {
			t.Errorf("%s in a stream: %v", name, err)
		}
		lines.Close()
	}
}

func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]llm.Finish{"": "", "stop": llm.Stop, "eos": llm.Stop, "length": llm.Length, "content_filter": llm.Filtered, "tool_calls": llm.UseTools} {
		if got := FinishOf(reason); got != want {
			t.Errorf("%q: %q", reason, got)
		}
	}
}

// FuzzErrorIn: no body makes the reader panic, and nothing key-shaped or longer
// than a line gets out.
func FuzzErrorIn(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"hunter2","code":429}}`))
	f.Add([]byte(`[{"error":"x"}]`))
	f.Add([]byte(`{"error":{"message":{"a":1},"type":[],"code":4e9}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		s := testServer(nil, "")
		e := s.readError(body)
		if strings.Contains(e.Text, "hunter2") || strings.ContainsAny(e.Text, "\n\r") || len([]rune(e.Text)) > 230 {
			t.Errorf("%q", e.Text)
		}
		_ = s.ErrorIn("m", body)
	})
}
