// Package ocr reads the text in pictures with the system's tesseract.
package ocr
