package llmtest

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/llm"
)

// Recordings finds the recorded streams beside the project, or skips.
func Recordings(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		found := filepath.Join(filepath.Dir(dir), "shared", "data", "fixtures", "llm-streams")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			if _, err := os.Stat(found); err == nil {
				return found
			}
		}
	}
	t.Skip("no recorded streams beside the project")
	return ""
}

// Part is what a line of a recording is to the streams in it.
type Part int

// Parts of a recording.
const (
	Other Part = iota // no event
	Piece             // an event
	Last              // the last event of a stream
	End               // no event, but the end of one
)

// Recorded passes every recorded stream beneath folders of the recordings to
// check: its file and the JSON of its events. It gives how many there were.
func Recorded(t *testing.T, part func(event string) Part, check func(name string, events []string), folders ...string) int {
	t.Helper()
	count := 0
	root := Recordings(t)
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, events := range streamsIn(string(data), part) {
				count++
				check(filepath.Base(path), events)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return count
}

// streamsIn cuts a recording of any kind into its streams.
func streamsIn(data string, part func(string) Part) [][]string {
	var streams [][]string
	var events []string
	flush := func() {
		if len(events) > 0 {
			streams = append(streams, events)
		}
		events = nil
	}
	for line := range strings.Lines(unquoted(data)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "data: ")
		kind := part(line)
		if (kind == Piece || kind == Last) && json.Valid([]byte(line)) {
			events = append(events, line)
		}
		if kind == Last || kind == End {
			flush()
		}
	}
	flush()
	return streams
}

// unquoted opens bodies that a cassette keeps as one quoted string.
func unquoted(data string) string {
	var out strings.Builder
	for line := range strings.Lines(data) {
		_, quoted, found := strings.Cut(line, `: "`)
		var body string
		if found && json.Unmarshal([]byte(`"`+strings.TrimSpace(quoted)), &body) == nil {
			line = body + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// Frames writes events as a stream of server-sent events.
func Frames(events []string) []byte {
	return []byte("data: " + strings.Join(events, "\n\ndata: ") + "\n\n")
}

// Replay answers every request with a body, in pieces of size bytes, and gives
// what the model that open makes for that server says.
func Replay(t *testing.T, body []byte, size int, open func(baseURL string, client *http.Client) llm.Model, call llm.Call) (llm.Reply, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for rest := body; len(rest) > 0; {
			n := min(size, len(rest))
			_, _ = w.Write(rest[:n]) // a client that has gone needs no more
			w.(http.Flusher).Flush()
			rest = rest[n:]
		}
	}))
	defer server.Close()
	return llm.Collect(open(server.URL, server.Client()).Stream(t.Context(), call))
}
