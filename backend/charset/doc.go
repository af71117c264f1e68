// Package charset turns bytes into text: it tells in which character set they
// were written, by marks, by form, and by how well the letters that come of each
// set follow one another in the languages written in it (ADR 46).
package charset
