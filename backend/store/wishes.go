package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// Persona is a system prompt of the reader's own.
type Persona struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

const (
	personasKey  = "personas"
	lensesKey    = "lenses"
	mostPersonas = 200
	nameChars    = 60
	personaChars = 8000
)

// Personas lists personas in the order in which they were made.
func (d *DB) Personas(ctx context.Context) ([]Persona, error) {
	list := []Persona{}
	_, err := d.Preference(ctx, personasKey, &list)
	return list, err
}

// AddPersona stores a new persona and gives it its id.
func (d *DB) AddPersona(ctx context.Context, p Persona) (Persona, error) {
	p, err := checked(p)
	if err != nil {
		return p, err
	}
	p.ID = evidence.ID("per", p.Name+"\x00"+d.now().String())
	return p, editPreference(ctx, d, personasKey, func(list *[]Persona) error {
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
func (d *DB) ChangePersona(ctx context.Context, p Persona) (Persona, error) {
	p, err := checked(p)
	if err != nil {
		return p, err
	}
	return p, editPreference(ctx, d, personasKey, func(list *[]Persona) error {
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
func (d *DB) DropPersona(ctx context.Context, id string) error {
	return editPreference(ctx, d, personasKey, func(list *[]Persona) error {
		n := len(*list)
		*list = slices.DeleteFunc(*list, func(o Persona) bool { return o.ID == id })
		if len(*list) == n {
			return noPersona()
		}
		return nil
	})
}

// PersonaText joins the texts of personas, which are named by id or name.
func (d *DB) PersonaText(ctx context.Context, names []string) (string, error) {
	list, err := d.Personas(ctx)
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

// Lenses lists what the reader wishes of domains and folders.
func (d *DB) Lenses(ctx context.Context) (contract.Lenses, error) {
	if known := d.lenses.Load(); known != nil {
		return *known, nil
	}
	list := contract.Lenses{}
	if _, err := d.Preference(ctx, lensesKey, &list); err != nil {
		return nil, err
	}
	d.lenses.CompareAndSwap(nil, &list)
	return list, nil
}

// SetLenses replaces all lenses.
func (d *DB) SetLenses(ctx context.Context, list contract.Lenses) error {
	if err := d.SetPreference(ctx, lensesKey, list); err != nil {
		return err
	}
	d.lenses.Store(&list)
	return nil
}

// editPreference changes what is stored under a key in one transaction.
func editPreference[T any](ctx context.Context, d *DB, key string, change func(*T) error) error {
	return d.write(ctx, "change "+key, func(tx *sqlite.Tx) error {
		var value T
		stored, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT value FROM preferences WHERE key = ?`, key)
		if err == nil && len(stored) > 0 {
			err = json.Unmarshal([]byte(stored[0]), &value)
		}
		if err != nil {
			return err
		}
		if err := change(&value); err != nil {
			return err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode %s: %w", key, err)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(data))
		return err
	})
}
