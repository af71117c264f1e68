package llmtest_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/ollama"
	"footnote/backend/llm/openai"
	"footnote/backend/settings"
)

const canary = "sk-test-canary-0042"

// shared finds a file of the reference material beside the project, or skips.
func shared(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		found := filepath.Join(filepath.Dir(dir), "shared", path)
		if _, err := os.Stat(found); err == nil {
			return found
		}
		break
	}
	t.Skip("no reference material beside the project")
	return ""
}

// python starts a model server written in Python and gives its address.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	path := shared(t, script)
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	_ = listener.Close()
	cmd := exec.Command(interpreter, append([]string{path, "--port", fmt.Sprint(port)}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("%s did not start: %v", script, err)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", port)
}

type adapter interface {
	llm.Model
	llm.Lister
	llm.Prober
	Embedder(model string) llm.Embedder
}

// forms are the two wire forms over one server.
func forms(base string, limits llm.Limits) map[string]adapter {
	return formsOver(&http.Client{Transport: &http.Transport{}}, base, limits)
}

func formsOver(client *http.Client, base string, limits llm.Limits) map[string]adapter {
	return map[string]adapter{
		"openai": openai.New(openai.Config{Name: "Test", BaseURL: base + "/v1", Key: settings.NewSecret(canary), Client: client, Limits: limits, Now: time.Now}),
		"ollama": ollama.New(ollama.Config{BaseURL: base, Client: client, Limits: limits, Now: time.Now}),
	}
}
