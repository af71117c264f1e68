package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// clientTime is what all clients together may take, once they are installed.
const clientTime = 5 * time.Minute

// client is a program of others that must work with Footnote unchanged.
type client struct {
	name   string
	runner func(*job, context.Context) (string, error) // installs what it needs, and gives the program that runs it
	script string
	alone  bool // no server holds the data folder meanwhile
}

var clients = []client{
	{"openai (npm)", (*job).nodeClients, "openai.mjs", false},
	{"openai (PyPI)", (*job).pythonClients, "openai_client.py", false},
	{"Perplexica/Vane", (*job).nodeClients, "search.mjs", false},
	{"@modelcontextprotocol/sdk (npm), beside a server", (*job).nodeClients, "mcp.mjs", false},
	{"mcp (PyPI), beside a server", (*job).pythonClients, "mcp_client.py", false},
	{"mcp (PyPI), over HTTP", (*job).pythonClients, "mcp_http_client.py", false},
	{"@modelcontextprotocol/sdk (npm), alone", (*job).nodeClients, "mcp.mjs", true},
	{"mcp (PyPI), alone", (*job).pythonClients, "mcp_client.py", true},
}

// tryClients builds the program and runs the clients alone.
func tryClients(ctx context.Context, j *job) error {
	if err := j.buildHeadless(ctx); err != nil {
		return err
	}
	if err := clientChecks(ctx, j); err != nil {
		return err
	}
	return j.outcome()
}

// clientChecks runs each client over the sample library, with no model and no
// web. One that cannot be installed here is skipped with a line.
func clientChecks(ctx context.Context, j *job) error {
	data, err := os.MkdirTemp("", "footnote-clients-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	if err := os.WriteFile(filepath.Join(data, "config.toml"), []byte("[web]\nenabled = false\n\n[models]\nchat = \"none\"\n"), 0o600); err != nil {
		return err
	}
	if err := j.quiet(ctx, j.root, nil, j.binary(), "library", "add", "--wait", "--data", data, j.path("build", "library")); err != nil {
		return err
	}
	for _, alone := range []bool{false, true} {
		if err := j.clientRound(ctx, data, alone); err != nil {
			return err
		}
	}
	return nil
}

// clientRound runs the clients of one kind.
func (j *job) clientRound(ctx context.Context, data string, alone bool) error {
	env := []string{
		"FOOTNOTE_BINARY=" + j.binary(), "FOOTNOTE_DATA=" + data, "FOOTNOTE_QUESTION=" + clientQuestion, "FOOTNOTE_EXPECTED=" + clientExpected,
	}
	if !alone {
		s, err := j.startServer(ctx, data)
		if err != nil {
			return err
		}
		defer s.stop()
		env = append(env, "FOOTNOTE_BASE=http://"+s.addr, "FOOTNOTE_TOKEN="+s.token)
	}
	timed, cancel := context.WithTimeout(ctx, clientTime)
	defer cancel()
	for _, c := range clients {
		if c.alone != alone {
			continue
		}
		runner, err := c.runner(j, ctx)
		if err != nil {
			j.skip(1)
			j.say("skipped %s: %v", c.name, err)
			continue
		}
		j.retriedStep(c.name, func() error { return j.tool(timed, j.path("build", "clients"), env, runner, c.script) })
	}
	return nil
}

const (
	clientQuestion = "How high is the tower of the Skerry Point lighthouse?"
	clientExpected = "34"
)

// served is a server that clients ask.
type served struct {
	addr, token string
	cmd         *exec.Cmd
}

// startServer serves a data folder on a free port.
func (j *job) startServer(ctx context.Context, data string) (*served, error) {
	cmd := j.command(ctx, j.root, nil, j.binary(), "serve", "--addr", "127.0.0.1:0", "--watch=false", "--data", data)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s := &served{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if err != nil || !ok {
		s.stop()
		return nil, errors.Join(fmt.Errorf("the server said %q", line), err)
	}
	token, err := os.ReadFile(filepath.Join(data, "token"))
	if err != nil {
		s.stop()
		return nil, err
	}
	s.addr, s.token = addr, strings.TrimSpace(string(token))
	return s, nil
}

func (s *served) stop() {
	if s.cmd.Process.Signal(os.Interrupt) != nil {
		s.cmd.Process.Kill() // it is asked to end where it can be, and ended where it cannot
	}
	s.cmd.Wait() // how it ends is tested elsewhere
}

// nodeClients installs the packages of build/clients.
func (j *job) nodeClients(ctx context.Context) (string, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return "", errors.New("npm is missing")
	}
	dir := j.path("build", "clients")
	lock, err := digestOf(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", err
	}
	mark := filepath.Join(dir, "node_modules", ".footnote")
	if stamped(mark, lock) {
		return "node", nil
	}
	if out, err := j.command(ctx, dir, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error").CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm cannot install it: %s", lastLine(out))
	}
	return "node", stamp(mark, lock)
}

// pythonClients installs the packages of build/clients in an environment of their
// own.
func (j *job) pythonClients(ctx context.Context) (string, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", errors.New("python3 is missing")
	}
	wanted, err := digestOf(j.path("build", "clients", "requirements.txt"))
	if err != nil {
		return "", err
	}
	home := j.path("build", "out", "clients")
	inside := filepath.Join(home, "bin", "python")
	if runtime.GOOS == "windows" {
		inside = filepath.Join(home, "Scripts", "python.exe")
	}
	mark := filepath.Join(home, ".footnote")
	if stamped(mark, wanted) {
		return inside, nil
	}
	if out, err := j.command(ctx, j.root, nil, python, "-m", "venv", home).CombinedOutput(); err != nil {
		return "", fmt.Errorf("python3 has no venv: %s", lastLine(out))
	}
	if out, err := j.command(ctx, j.root, nil, inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", j.path("build", "clients", "requirements.txt")).CombinedOutput(); err != nil {
		return "", fmt.Errorf("pip cannot install it: %s", lastLine(out))
	}
	return inside, stamp(mark, wanted)
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
