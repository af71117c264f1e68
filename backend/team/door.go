package team

import (
	"context"
	"fmt"
	"strings"
	"time"

	"footnote/backend/fault"
)

const (
	sessionLife    = 14 * 24 * time.Hour
	sessionIdle    = 12 * time.Hour // after which an unused one has ended
	invitationLife = 7 * 24 * time.Hour
	mostTokenDays  = 366
	tokenDays      = 90
	freeFailures   = 5 // wrong passwords in a row that cost no waiting
	failureWait    = time.Minute
	argonAtOnce    = 4 // each takes 64 MB
)

// Door lets people in.
type Door struct {
	accounts Accounts
	passes   Passes
	now      func() time.Time
	hashing  chan struct{}
}

// NewDoor makes a door.
func NewDoor(accounts Accounts, passes Passes, now func() time.Time) *Door {
	return &Door{accounts, passes, now, make(chan struct{}, argonAtOnce)}
}

// SignIn gives the secret of a new session for a name and its password. What is
// wrong with them is not told apart: fault unauthorized. Too many wrong ones are
// rate-limited.
func (d *Door) SignIn(ctx context.Context, name, password string) (secret string, p Person, err error) {
	account, err := d.accounts.AccountOf(ctx, name)
	if err != nil {
		return "", p, err
	}
	if account != nil && account.Failures >= freeFailures && d.now().Before(account.Failed.Add(failureWait)) {
		return "", p, fault.New(fault.RateLimited, "There were too many wrong passwords for this name.", "Wait a minute, then try again.")
	}
	right, err := d.matches(ctx, account, password)
	if err != nil {
		return "", p, err
	}
	if account != nil {
		if err := d.accounts.Tried(ctx, account.ID, right); err != nil {
			return "", p, err
		}
	}
	if !right {
		return "", p, d.refuse(ctx, account)
	}
	return d.enter(ctx, account.Person)
}

func (d *Door) refuse(ctx context.Context, account *Account) error {
	if account != nil {
		if err := d.accounts.Note(ctx, account.ID, "wrong password", ""); err != nil {
			return err
		}
	}
	return fault.New(fault.Unauthorized, "This name and password do not go together.", "Try again, or have an administrator send an invitation.")
}

// matches compares a password, a few at once: each takes much memory.
func (d *Door) matches(ctx context.Context, account *Account, password string) (bool, error) {
	select {
	case d.hashing <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-d.hashing }()
	if account == nil || account.Password == "" || account.Blocked {
		matches(password, nobody())
		return false, nil
	}
	return matches(password, account.Password), nil
}

func (d *Door) enter(ctx context.Context, p Person) (string, Person, error) {
	pass, secret := newPass(Session, p.ID, "", d.now(), sessionLife)
	if err := d.passes.PutPass(ctx, pass); err != nil {
		return "", p, err
	}
	return secret, p, d.accounts.Note(ctx, p.ID, "signed in", "")
}

// Of is who bears a secret of a session or token. One that is unknown or has ended
// is fault unauthorized.
func (d *Door) Of(ctx context.Context, secret string) (Person, error) {
	pass, person, err := d.passes.PassOf(ctx, hashOf(secret))
	now := d.now()
	switch {
	case err != nil:
		return Person{}, err
	case pass == nil || pass.Kind == Invitation:
		return Person{}, signedOut()
	case now.After(pass.Until) && pass.Kind == Token:
		return Person{}, fault.New(fault.Unauthorized, fmt.Sprintf("The token “%s” has expired.", pass.Name), "Make another one.")
	case now.After(pass.Until) || pass.Kind == Session && now.After(pass.Used.Add(sessionIdle)):
		return Person{}, signedOut()
	}
	return *person, nil
}

func signedOut() error {
	return fault.New(fault.Unauthorized, "You are not signed in, or your session has ended.", "Sign in, or send a token of yours as bearer token.")
}

// SignOut ends the session or token of a secret; one that has ended is no error.
func (d *Door) SignOut(ctx context.Context, secret string) error {
	pass, person, err := d.passes.PassOf(ctx, hashOf(secret))
	if err != nil || pass == nil {
		return err
	}
	if _, err := d.passes.DropPass(ctx, person.ID, pass.ID); err != nil {
		return err
	}
	return d.accounts.Note(ctx, person.ID, "signed out", "")
}

// NewToken makes a token of a person's own, and gives its secret. Days are how long
// it is good; 0 is the standard.
func (d *Door) NewToken(ctx context.Context, p Person, name string, days int) (Pass, string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || len(name) > 100 || days < 0 || days > mostTokenDays {
		return Pass{}, "", fault.New(fault.InvalidRequest, "A token needs a name, and a life in days.", fmt.Sprintf("Give a name of at most 100 bytes, and up to %d days.", mostTokenDays))
	}
	if days == 0 {
		days = tokenDays
	}
	pass, secret := newPass(Token, p.ID, name, d.now(), time.Duration(days)*24*time.Hour)
	if err := d.passes.PutPass(ctx, pass); err != nil {
		return Pass{}, "", err
	}
	return pass, secret, d.accounts.Note(ctx, p.ID, "made token", name)
}

// Tokens lists a person's tokens.
func (d *Door) Tokens(ctx context.Context, p Person) ([]Pass, error) {
	return d.passes.PassesOf(ctx, p.ID, Token)
}

// DropToken ends a token; a missing one is fault not-found.
func (d *Door) DropToken(ctx context.Context, p Person, id string) error {
	was, err := d.passes.DropPass(ctx, p.ID, id)
	if err == nil && !was {
		err = fault.New(fault.NotFound, "There is no such token.", "Look in the list of your tokens.")
	}
	if err != nil {
		return err
	}
	return d.accounts.Note(ctx, p.ID, "ended token", id)
}

// Invite makes what lets a person choose a password, once, within a week.
func (d *Door) Invite(ctx context.Context, p Person) (secret string, err error) {
	pass, secret := newPass(Invitation, p.ID, "", d.now(), invitationLife)
	return secret, d.passes.PutPass(ctx, pass)
}

// Accept uses an invitation up: its person has a password now, and is signed in. All
// that let somebody in as this person before has ended.
func (d *Door) Accept(ctx context.Context, invitation, password string) (secret string, p Person, err error) {
	pass, person, err := d.passes.PassOf(ctx, hashOf(invitation))
	if err != nil {
		return "", p, err
	}
	if pass == nil || pass.Kind != Invitation || d.now().After(pass.Until) {
		return "", p, usedUp()
	}
	hash, err := HashPassword(password)
	if err != nil {
		return "", p, err
	}
	was, err := d.passes.DropPass(ctx, person.ID, pass.ID)
	if err == nil && !was { // another one was faster
		err = usedUp()
	}
	if err != nil {
		return "", p, err
	}
	if err := d.accounts.SetPassword(ctx, person.ID, hash); err != nil {
		return "", p, err
	}
	return d.enter(ctx, *person)
}

func usedUp() error {
	return fault.New(fault.Unauthorized, "This invitation was used, or has expired.", "Have an administrator send another one.")
}
