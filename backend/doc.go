// Package backend holds the rooms of Footnote. It has no code of its own; its
// test holds the rules of the house (see README.md).
package backend
