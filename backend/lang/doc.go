// Package lang is languages as data: what small words of seventeen languages are,
// read from one table each.
package lang
