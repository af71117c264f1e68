//go:build !unix

package walk

// openFlags are empty: opening never waits on this system.
const openFlags = 0
