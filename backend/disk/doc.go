// Package disk tells how much may still be written, and reads regular files alone.
package disk
