package team

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
)

// register keeps people and passes in memory.
type register struct {
	account Account
	passes  []Pass
	noted   []string
}

func (r *register) AccountOf(_ context.Context, name string) (*Account, error) {
	if !strings.EqualFold(name, r.account.Name) {
		return nil, nil
	}
	copied := r.account
	return &copied, nil
}

func (r *register) Tried(_ context.Context, _ int64, right bool) error {
	if r.account.Failures++; right {
		r.account.Failures = 0
	}
	r.account.Failed = clock
	return nil
}

func (r *register) SetPassword(_ context.Context, _ int64, hash string) error {
	r.account.Password, r.passes = hash, nil
	return nil
}

func (r *register) Note(_ context.Context, _ int64, what, _ string) error {
	r.noted = append(r.noted, what)
	return nil
}

func (r *register) PutPass(_ context.Context, p Pass) error {
	r.passes = append(r.passes, p)
	return nil
}

func (r *register) PassOf(_ context.Context, hash []byte) (*Pass, *Person, error) {
	i := slices.IndexFunc(r.passes, func(p Pass) bool { return slices.Equal(p.Hash, hash) })
	if i < 0 || r.account.Blocked {
		return nil, nil, nil
	}
	return &r.passes[i], &r.account.Person, nil
}

func (r *register) DropPass(_ context.Context, _ int64, id string) (bool, error) {
	n := len(r.passes)
	r.passes = slices.DeleteFunc(r.passes, func(p Pass) bool { return p.ID == id })
	return len(r.passes) < n, nil
}

func (r *register) PassesOf(_ context.Context, _ int64, kind Kind) ([]Pass, error) {
	return slices.DeleteFunc(slices.Clone(r.passes), func(p Pass) bool { return p.Kind != kind }), nil
}

var clock = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// cheap makes guesses cheap for a test; what they cost has a test of its own.
func cheap(t *testing.T) {
	before := present
	present = cost{passes: 1, memory: 64, lanes: 1}
	t.Cleanup(func() { present = before })
}

func newDoor(t *testing.T) (*Door, *register, *time.Time) {
	t.Helper()
	cheap(t)
	hash, err := HashPassword("ann likes bridges")
	if err != nil {
		t.Fatal(err)
	}
	r := &register{account: Account{Person: Person{ID: 1, Name: "Ann"}, Password: hash}}
	now := clock
	return NewDoor(r, r, func() time.Time { return now }), r, &now
}

func refused(t *testing.T, err error, code fault.Code, words string) {
	t.Helper()
	if fault.CodeOf(err) != code || !strings.Contains(fault.Of(err).Message, words) {
		t.Errorf("got %v, want %s: %s", err, code, words)
	}
}

func TestASessionEnds(t *testing.T) {
	d, r, now := newDoor(t)
	secret, p, err := d.SignIn(t.Context(), "ann", "ann likes bridges")
	if err != nil || p.Name != "Ann" {
		t.Fatalf("%+v %v", p, err)
	}
	if _, err := d.Of(t.Context(), secret); err != nil {
		t.Error(err)
	}
	*now = clock.Add(sessionIdle + time.Second)
	_, err = d.Of(t.Context(), secret)
	refused(t, err, fault.Unauthorized, "session has ended")
	r.passes[0].Used = clock.Add(sessionLife)
	*now = clock.Add(sessionLife + time.Second)
	_, err = d.Of(t.Context(), secret)
	refused(t, err, fault.Unauthorized, "session has ended")
	*now = clock
	if err := d.SignOut(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	_, err = d.Of(t.Context(), secret)
	refused(t, err, fault.Unauthorized, "not signed in")
}

func TestATokenExpiresAndSaysSo(t *testing.T) {
	d, _, now := newDoor(t)
	pass, secret, err := d.NewToken(t.Context(), Person{ID: 1}, " my  script ", 1)
	if err != nil || pass.Name != "my script" {
		t.Fatalf("%+v %v", pass, err)
	}
	*now = clock.Add(23 * time.Hour)
	if _, err := d.Of(t.Context(), secret); err != nil {
		t.Error(err)
	}
	*now = clock.Add(25 * time.Hour)
	_, err = d.Of(t.Context(), secret)
	refused(t, err, fault.Unauthorized, "“my script” has expired")
	_, _, err = d.NewToken(t.Context(), Person{ID: 1}, "x", mostTokenDays+1)
	refused(t, err, fault.InvalidRequest, "life in days")
	refused(t, d.DropToken(t.Context(), Person{ID: 1}, "pas_x"), fault.NotFound, "no such token")
}

func TestGuessingCostsTimeAndTellsNothing(t *testing.T) {
	d, r, now := newDoor(t)
	var words []string
	for _, name := range []string{"ann", "nobody"} {
		_, _, err := d.SignIn(t.Context(), name, "a wrong password")
		refused(t, err, fault.Unauthorized, "do not go together")
		words = append(words, err.Error())
	}
	if words[0] != words[1] {
		t.Errorf("it tells who there is: %q", words)
	}
	r.account.Failures = freeFailures
	_, _, err := d.SignIn(t.Context(), "ann", "ann likes bridges")
	refused(t, err, fault.RateLimited, "too many wrong")
	*now = clock.Add(failureWait + time.Second)
	if _, _, err = d.SignIn(t.Context(), "ann", "ann likes bridges"); err != nil || r.account.Failures != 0 {
		t.Errorf("%d %v", r.account.Failures, err)
	}
	r.account.Blocked = true
	_, _, err = d.SignIn(t.Context(), "ann", "ann likes bridges")
	refused(t, err, fault.Unauthorized, "do not go together")
}

func TestAnInvitationIsGoodOnce(t *testing.T) {
	d, r, now := newDoor(t)
	old, _, err := d.SignIn(t.Context(), "ann", "ann likes bridges")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := d.Invite(t.Context(), r.account.Person)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Of(t.Context(), secret); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("an invitation lets in by itself: %v", err)
	}
	_, _, err = d.Accept(t.Context(), secret, "short")
	refused(t, err, fault.InvalidRequest, "fewer than 10")
	*now = clock.Add(invitationLife + time.Second)
	_, _, err = d.Accept(t.Context(), secret, "ann likes rivers")
	refused(t, err, fault.Unauthorized, "has expired")
	*now = clock
	if _, _, err = d.Accept(t.Context(), secret, "ann likes rivers"); err != nil {
		t.Fatal(err)
	}
	_, _, err = d.Accept(t.Context(), secret, "ann likes lakes")
	refused(t, err, fault.Unauthorized, "was used")
	_, err = d.Of(t.Context(), old)
	refused(t, err, fault.Unauthorized, "not signed in")
	if _, _, err = d.SignIn(t.Context(), "ann", "ann likes rivers"); err != nil {
		t.Error(err)
	}
}

func TestAHashIsOfOnePasswordAlone(t *testing.T) {
	if dear, err := HashPassword("ann likes bridges"); err != nil || !strings.HasPrefix(dear, "$argon2id$v=19$m=65536,t=3,p=4$") {
		t.Errorf("%s %v", dear, err)
	}
	cheap(t)
	one, err := HashPassword("ann likes bridges")
	two, again := HashPassword("ann likes bridges")
	if err != nil || again != nil || one == two {
		t.Fatalf("%s %s %v", one, two, err)
	}
	for _, wrong := range []string{"ann likes bridge", "", strings.Repeat("x", mostPassword+1)} {
		if matches(wrong, one) {
			t.Errorf("%.20q matches", wrong)
		}
	}
	for _, hash := range []string{"", "$argon2id$", strings.Replace(one, "v=19", "v=18", 1), strings.Replace(one, "t=1", "t=0", 1), one[:len(one)-4]} {
		if matches("ann likes bridges", hash) {
			t.Errorf("%q is no hash", hash)
		}
	}
}
