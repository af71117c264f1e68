//go:build unix

// Package pgtest starts a PostgreSQL server for tests, on a socket in a folder of
// its own, with what this computer has installed. Where nothing is, tests skip.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a running server with an empty data folder.
type Server struct {
	t       testing.TB
	bin     string
	dir     string
	as      *syscall.Credential // nil: as who runs the tests
	process *exec.Cmd
	ended   chan struct{} // closed when process has
}

// Start starts a server that ends with the test, or skips the test.
func Start(t testing.TB) *Server {
	t.Helper()
	bin := installed()
	if bin == "" {
		t.Skip("no PostgreSQL server is installed (initdb and postgres)")
	}
	dir, err := os.MkdirTemp("", "fnpg") // short: the path of a socket has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, bin: bin, dir: dir}
	t.Cleanup(func() {
		s.Kill()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if os.Geteuid() == 0 { // it refuses to run as the superuser
		s.unprivileged()
	}
	s.must(s.command("initdb", "-D", filepath.Join(dir, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions").CombinedOutput())
	s.Run()
	return s
}

func installed() string {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if at, lookErr := exec.LookPath("initdb"); lookErr == nil {
		found = append(found, at)
	}
	for i := len(found) - 1; err == nil && i >= 0; i-- {
		if _, err := os.Stat(filepath.Join(filepath.Dir(found[i]), "postgres")); err == nil {
			return filepath.Dir(found[i])
		}
	}
	return ""
}

func (s *Server) unprivileged() {
	s.t.Helper()
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if errUID == nil && errGID == nil && os.Chown(s.dir, int(uid), int(gid)) == nil {
			s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
			return
		}
	}
	s.t.Skip("PostgreSQL does not run as the superuser, and there is nobody else here")
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = s.dir
	c.SysProcAttr = attributes(s.as)
	return c
}

func (s *Server) must(out []byte, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
}

// Run starts the server, which may have been killed, and waits until it answers.
// While processes of a killed one are still ending, it does not start: then it is
// tried again.
func (s *Server) Run() {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !s.begin(end); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			out, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			s.t.Fatalf("the server does not answer\n%s", out)
		}
	}
}

// begin reports whether a started server answers before it ends.
func (s *Server) begin(end time.Time) bool {
	s.t.Helper()
	s.process = s.command("postgres", "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=60",
		"-c", "shared_buffers=32MB", "-c", "autovacuum=off", "-c", "jit=off",
		"-c", "fsync=off") // the system outlives the server: what was written is there after a kill
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	s.must(nil, err)
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	s.must(nil, s.process.Start())
	s.ended = make(chan struct{})
	go func() {
		_ = s.process.Wait() // says how it ended, which the log tells better
		close(s.ended)
	}()
	for time.Now().Before(end) {
		conn, err := pgx.Connect(context.Background(), s.url("postgres", "postgres"))
		if err == nil {
			s.must(nil, conn.Close(context.Background()))
			return true
		}
		select {
		case <-s.ended:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return false
}

// Kill ends the server as a crash would; its other processes notice and end.
func (s *Server) Kill() {
	if s.ended == nil {
		return
	}
	_ = endGroup(s.process.Process.Pid) // the error is that of a group that is gone already
	<-s.ended
}

func (s *Server) url(name, database string) string {
	return fmt.Sprintf("postgres://%s@/%s?host=%s", name, database, url.QueryEscape(s.dir))
}

// Database makes an empty database with an owner who is no superuser, and gives its
// address.
func (s *Server) Database(name string) string {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.url("postgres", "postgres"))
	s.must(nil, err)
	defer conn.Close(ctx)
	owner := pgx.Identifier{"owner_" + name}.Sanitize()
	for _, statement := range []string{`CREATE ROLE ` + owner + ` LOGIN CREATEROLE`, `CREATE DATABASE ` + pgx.Identifier{name}.Sanitize() + ` OWNER ` + owner} {
		_, err := conn.Exec(ctx, statement)
		s.must(nil, err)
	}
	return s.url("owner_"+name, name)
}
