// Package office reads the office formats of today and books: Word, PowerPoint, Excel, OpenDocument, RTF, EPUB.
package office
