// Package minisign signs files, and checks signatures, in the format of the
// program of that name: Ed25519 over the whole file and over a comment.
package minisign
