package store

import (
	"testing"

	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

func TestCatalog(t *testing.T) {
	librarytest.Catalog(t, func(t *testing.T) library.Catalog { return open(t) })
}
