// Package markup reads text and what marks it up: plain text, Markdown, HTML, tables, subtitles, notebooks, code.
package markup
