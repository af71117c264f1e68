package store

import (
	"context"
	"slices"
)

const consentsKey = "consents"

// Consents lists the providers that may be sent file text.
func (d *DB) Consents(ctx context.Context) ([]string, error) {
	list := []string{}
	_, err := d.Preference(ctx, consentsKey, &list)
	return list, err
}

// MaySend reports whether a provider may be sent file text.
func (d *DB) MaySend(ctx context.Context, provider string) (bool, error) {
	list, err := d.Consents(ctx)
	return slices.Contains(list, provider), err
}

// Consent lets a provider be sent file text, or not any more.
func (d *DB) Consent(ctx context.Context, provider string, allowed bool) error {
	return editPreference(ctx, d, consentsKey, func(list *[]string) error {
		*list = slices.DeleteFunc(*list, func(p string) bool { return p == provider })
		if allowed {
			*list = append(*list, provider)
		}
		return nil
	})
}
