package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// nobody answers no call.
type nobody struct{}

func (nobody) Call(context.Context, Call, func(Step)) (Reply, error) { return Reply{}, nil }

// untilLines keeps what is written, and tells when it has so many lines.
type untilLines struct {
	bytes.Buffer
	want int
	full func()
}

func (u *untilLines) Write(p []byte) (int, error) {
	n, err := u.Buffer.Write(p)
	if bytes.Count(u.Bytes(), []byte("\n")) == u.want {
		u.full()
	}
	return n, err
}

func TestALineThatIsNoMessageIsAnsweredAndTheNextOneRead(t *testing.T) {
	in := strings.Join([]string{
		`this is no JSON`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"id": {"a"`, `[]`, `{"hello": 1}`, `3`, `"x"`, ``, `[{"jsonrpc":"2.0","id":2,"method":"ping"},{"hello":1}]`, "\xff\x00",
		`{"jsonrpc":"2.0","id":3,"method":"nothing/like/it"}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
	}, "\n") + "\n"
	taken, client := io.Pipe()
	out := &untilLines{want: 12, full: func() { client.Close() }}
	go io.WriteString(client, in)
	if err := Serve(t.Context(), taken, out, "1", nobody{}); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			ID     any
			Result json.RawMessage
			Error  struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got[fmt.Sprint(reply.ID, " ", reply.Error.Code)]++
	}
	for want, n := range map[string]int{"<nil> -32700": 3, "<nil> -32600": 5, "1 0": 1, "2 0": 1, "3 -32601": 1, "4 0": 1} {
		if got[want] != n {
			t.Errorf("%s: %d times, want %d", want, got[want], n)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

// endless gives a line of so many bytes without keeping it.
type endless int

func (e *endless) Read(p []byte) (int, error) {
	if *e <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), int(*e))
	for i := range p[:n] {
		p[i] = 'a'
	}
	*e -= endless(n)
	return n, nil
}

func TestALineWithoutEndIsNotKept(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	long := endless(256 << 20)
	in := io.MultiReader(strings.NewReader(`"`), &long, strings.NewReader("\n"+ping+"\n"))
	var good, out bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := pass(bufio.NewReader(in), &good, &out); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("a line of 256 MiB took %d MiB", took>>20)
	}
	if good.String() != ping+"\n" || !strings.Contains(out.String(), "-32600") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("passed on %q, answered %q", good.String(), out.String())
	}
}

// FuzzLines passes any bytes: only whole messages go on, one a line, and each
// answer refuses one.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n[]\nno\n"))
	f.Add([]byte(`[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":{},"method":"b"},3]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var good, out bytes.Buffer
		if err := pass(bufio.NewReader(bytes.NewReader(data)), &good, &out); err != io.EOF {
			t.Fatal(err)
		}
		for line := range bytes.Lines(good.Bytes()) {
			if _, err := jsonrpc.DecodeMessage(line); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		for line := range bytes.Lines(out.Bytes()) {
			var refusal struct{ Error struct{ Code int } }
			if err := json.Unmarshal(line, &refusal); err != nil || refusal.Error.Code != parseError && refusal.Error.Code != invalidRequest {
				t.Fatalf("%q: %v", line, err)
			}
		}
	})
}
