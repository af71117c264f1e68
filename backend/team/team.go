// Package team has the people of a library of several: who they are, how they come
// in, and how long that lasts.
//
//	team.go   people and passes    password.go  what is kept of a password    door.go  signing in, tokens, invitations
package team

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"footnote/backend/evidence"
)

// Person is somebody of the team.
type Person struct {
	ID            int64  `json:"-"`
	Name          string `json:"name"`
	Administrator bool   `json:"administrator"`
}

// Account is a person with what decides whether a password lets them in.
type Account struct {
	Person
	Password string // as HashPassword gave it; empty: none does
	Failures int    // wrong ones in a row
	Failed   time.Time
	Blocked  bool
}

// Kind is what a pass is for.
type Kind string

// Kinds of passes.
const (
	Session    Kind = "session"    // of a browser
	Token      Kind = "token"      // of a program
	Invitation Kind = "invitation" // lets a person choose a password, once
)

// Pass lets its bearer in as a person. Its secret is told once, and not kept.
type Pass struct {
	ID     string    `json:"id"`
	Kind   Kind      `json:"-"`
	Person int64     `json:"-"`
	Name   string    `json:"name"`
	Made   time.Time `json:"made"`
	Used   time.Time `json:"used"`
	Until  time.Time `json:"until"`
	Hash   []byte    `json:"-"`
}

// Entry is a line of the audit log.
type Entry struct {
	N      int64     `json:"n"`
	At     time.Time `json:"at"`
	Person string    `json:"person"` // empty: the command line of the server
	What   string    `json:"what"`
	About  string    `json:"about"`
}

// Accounts keeps people. AccountOf gives nil for a name that nobody has. Tried notes
// how trying a password went.
type Accounts interface {
	AccountOf(ctx context.Context, name string) (*Account, error)
	Tried(ctx context.Context, person int64, right bool) error
	SetPassword(ctx context.Context, person int64, hash string) error
	Note(ctx context.Context, person int64, what, about string) error // in the audit log
}

// Passes keeps passes. PassOf gives nil for a hash that no pass of an unblocked
// person has; DropPass tells whether there was one.
type Passes interface {
	PutPass(ctx context.Context, p Pass) error
	PassOf(ctx context.Context, hash []byte) (*Pass, *Person, error)
	DropPass(ctx context.Context, person int64, id string) (bool, error)
	PassesOf(ctx context.Context, person int64, kind Kind) ([]Pass, error)
}

// newPass makes a pass and its secret.
func newPass(kind Kind, person int64, name string, now time.Time, life time.Duration) (Pass, string) {
	var bits [32]byte
	rand.Read(bits[:])
	secret := base64.RawURLEncoding.EncodeToString(bits[:])
	hash := hashOf(secret)
	return Pass{
		ID: evidence.ID("pas", string(hash)), Kind: kind, Person: person, Name: name, Made: now, Used: now, Until: now.Add(life), Hash: hash,
	}, secret
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
