package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/notebook"
	"footnote/backend/records"
	"footnote/backend/table"
)

// Store is what the services keep for one reader, and look up. What does not exist,
// or is not this reader's, is fault not-found.
type Store interface {
	records.Threads
	records.Changes
	records.Branches
	records.Sessions
	records.Runs
	records.Sources
	records.Passages
	bundleStore
	notebook.Store
	tableStore
	personaStore
	lensStore
	consentStore
	shelfStore
	Ranking(ctx context.Context, run contract.RunID) (trace.Ranking, error)
	Refused() *fault.Fault // why nothing can be stored just now; nil while that works
}

// bundleStore takes whole conversations away, and brings them back.
type bundleStore interface {
	Kept(ctx context.Context, id contract.ThreadID) (trace.KeptThread, error)
	Bring(ctx context.Context, k trace.KeptThread) error
}

type tableStore interface {
	Tables(ctx context.Context) ([]table.Kept, error)
	Table(ctx context.Context, id string, after int) (table.Kept, error)
}

type personaStore interface {
	Personas(ctx context.Context) ([]records.Persona, error)
	AddPersona(ctx context.Context, p records.Persona) (records.Persona, error)
	ChangePersona(ctx context.Context, p records.Persona) (records.Persona, error)
	DropPersona(ctx context.Context, id string) error
}

type lensStore interface {
	Lenses(ctx context.Context) (contract.Lenses, error)
	SetLenses(ctx context.Context, list contract.Lenses) error
}

type consentStore interface {
	Consents(ctx context.Context) ([]string, error)
	Consent(ctx context.Context, provider string, allowed bool) error
}

// shelfStore tells what of the library lists of it need beside its rooms.
type shelfStore interface {
	Roots(ctx context.Context) ([]library.Root, error)
	RootCounts(ctx context.Context, root string) (records.Counts, error)
	Digests(ctx context.Context, files, folders []string) (map[string]bool, error)
	CollectionCounts(ctx context.Context, id string) (threads, notes int, err error)
}
