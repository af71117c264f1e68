// Command opener is the icon that people click on Windows: it starts the console
// program beside it without a console, so that both share one payload.
package main
