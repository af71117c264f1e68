// Package pdf reads PDFs: an interpreter of its own first, PDFium or the system's poppler where it reads badly,
// recognition for scans.
package pdf
