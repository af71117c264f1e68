// Package format holds what all readers of files share: the builder they write with, limits, errors, archives,
// containers, charsets and XML.
package format
