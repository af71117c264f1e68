package library

import (
	"context"

	"footnote/backend/evidence"
)

// Stock counts the texts that a search of a scope looks through; an empty scope
// is the whole library.
func (l *Library) Stock(ctx context.Context, scope evidence.Scope) (int, error) {
	if scope.Empty() {
		totals, err := l.Catalog.Totals(ctx, l.embedderID())
		return totals.Ready + totals.Partial, err
	}
	within, err := l.within(ctx, scope)
	return len(within), err
}
