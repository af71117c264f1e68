// Package hostile makes what strangers may send to do harm: pages, pictures and
// replies that are small to send and dear to read. Tests alone use it.
package hostile
