// Package quantize keeps vectors in few bytes, a byte or half a byte a component,
// and reads them back as they were kept.
package quantize
