//go:build !unix

package library

// openFlags are empty: opening never waits on this system.
const openFlags = 0
