package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Values are kept under keys, as JSON. EditPreference changes one in a
// transaction: change gets what is stored, nil for nothing, and gives what is to be.
type Values interface {
	Preference(ctx context.Context, key string, into any) (ok bool, err error)
	SetPreference(ctx context.Context, key string, value any) error
	EditPreference(ctx context.Context, key string, change func(stored []byte) ([]byte, error)) error
}

// Preferences are what a reader wants of all answers: personas, lenses, and the
// providers that may be sent text of files.
type Preferences struct {
	Kept Values
	Now  func() time.Time
}

// Persona is a system prompt of the reader's own.
type Persona struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

const (
	personasKey  = "personas"
	lensesKey    = "lenses"
	consentsKey  = "consents"
	mostPersonas = 200
	nameChars    = 60
	personaChars = 8000
)

// Personas lists personas in the order in which they were made.
func (r Preferences) Personas(ctx context.Context) ([]Persona, error) {
	list := []Persona{}
	_, err := r.Kept.Preference(ctx, personasKey, &list)
	return list, err
}

// AddPersona stores a new persona and gives it its id.
func (r Preferences) AddPersona(ctx context.Context, p Persona) (Persona, error) {
	p, err := checked(p)
	if err != nil {
		return p, err
	}
	p.ID = evidence.ID("per", p.Name+"\x00"+r.Now().String())
	return p, edit(ctx, r.Kept, personasKey, func(list *[]Persona) error {
		if len(*list) >= mostPersonas {
			return fault.New(fault.InvalidRequest, fmt.Sprintf("There are %d personas already.", mostPersonas), "Delete one.")
		}
		if err := unnamed(*list, p); err != nil {
			return err
		}
		*list = append(*list, p)
		return nil
	})
}

// ChangePersona gives a persona another name and text. A missing one is fault
// not-found.
func (r Preferences) ChangePersona(ctx context.Context, p Persona) (Persona, error) {
	p, err := checked(p)
	if err != nil {
		return p, err
	}
	return p, edit(ctx, r.Kept, personasKey, func(list *[]Persona) error {
		i := slices.IndexFunc(*list, func(o Persona) bool { return o.ID == p.ID })
		if i < 0 {
			return noPersona()
		}
		if err := unnamed(*list, p); err != nil {
			return err
		}
		(*list)[i] = p
		return nil
	})
}

// DropPersona deletes a persona. A missing one is fault not-found.
func (r Preferences) DropPersona(ctx context.Context, id string) error {
	return edit(ctx, r.Kept, personasKey, func(list *[]Persona) error {
		n := len(*list)
		*list = slices.DeleteFunc(*list, func(o Persona) bool { return o.ID == id })
		if len(*list) == n {
			return noPersona()
		}
		return nil
	})
}

// PersonaText joins the texts of personas, which are named by id or name.
func (r Preferences) PersonaText(ctx context.Context, names []string) (string, error) {
	list, err := r.Personas(ctx)
	if err != nil {
		return "", err
	}
	texts := make([]string, len(names))
	for i, name := range names {
		at := slices.IndexFunc(list, func(p Persona) bool { return p.ID == name || strings.EqualFold(p.Name, name) })
		if at < 0 {
			return "", fault.New(fault.InvalidRequest, fmt.Sprintf("There is no persona %q.", name), "Choose another, or make it first.")
		}
		texts[i] = list[at].Text
	}
	return strings.Join(texts, "\n\n"), nil
}

func noPersona() error {
	return fault.New(fault.NotFound, "There is no such persona.", "Look in the list of personas.")
}

func unnamed(list []Persona, p Persona) error {
	if slices.ContainsFunc(list, func(o Persona) bool { return o.ID != p.ID && strings.EqualFold(o.Name, p.Name) }) {
		return fault.New(fault.InvalidRequest, "Another persona has this name.", "Choose another name.")
	}
	return nil
}

func checked(p Persona) (Persona, error) {
	p.Name, p.Text = strings.Join(strings.Fields(p.Name), " "), strings.TrimSpace(strings.ToValidUTF8(p.Text, "\uFFFD"))
	if n := utf8.RuneCountInString(p.Name); n == 0 || n > nameChars {
		return p, fault.New(fault.InvalidRequest, fmt.Sprintf("A persona's name has 1 to %d characters.", nameChars), "Give it a short name.")
	}
	if n := utf8.RuneCountInString(p.Text); n == 0 || n > personaChars {
		return p, fault.New(fault.InvalidRequest, fmt.Sprintf("A persona's text has 1 to %d characters.", personaChars), "Say what answers should be like.")
	}
	return p, nil
}

// Lenses lists what the reader prefers of domains and folders.
func (r Preferences) Lenses(ctx context.Context) (contract.Lenses, error) {
	list := contract.Lenses{}
	_, err := r.Kept.Preference(ctx, lensesKey, &list)
	return list, err
}

// SetLenses replaces all lenses.
func (r Preferences) SetLenses(ctx context.Context, list contract.Lenses) error {
	return r.Kept.SetPreference(ctx, lensesKey, list)
}

// Consents lists the providers that may be sent file text.
func (r Preferences) Consents(ctx context.Context) ([]string, error) {
	list := []string{}
	_, err := r.Kept.Preference(ctx, consentsKey, &list)
	return list, err
}

// MaySend reports whether a provider may be sent file text.
func (r Preferences) MaySend(ctx context.Context, provider string) (bool, error) {
	list, err := r.Consents(ctx)
	return slices.Contains(list, provider), err
}

// Consent lets a provider be sent file text, or not any more.
func (r Preferences) Consent(ctx context.Context, provider string, allowed bool) error {
	return edit(ctx, r.Kept, consentsKey, func(list *[]string) error {
		*list = slices.DeleteFunc(*list, func(p string) bool { return p == provider })
		if allowed {
			*list = append(*list, provider)
		}
		return nil
	})
}

// edit changes what is stored under a key.
func edit[T any](ctx context.Context, kept Values, key string, change func(*T) error) error {
	return kept.EditPreference(ctx, key, func(stored []byte) ([]byte, error) {
		var value T
		if stored != nil {
			if err := json.Unmarshal(stored, &value); err != nil {
				return nil, fmt.Errorf("read %s: %w", key, err)
			}
		}
		if err := change(&value); err != nil {
			return nil, err
		}
		return json.Marshal(value)
	})
}
