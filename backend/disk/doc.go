// Package disk tells how much may still be written.
package disk
