package main

import (
	"slices"
	"strings"
)

// spdx tells licences by words that only they have.
var spdx = []struct{ name, has, not string }{
	{"Apache-2.0", "apache license", ""},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy", ""},
	{"MPL-2.0", "mozilla public license", ""},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose", ""},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose", ""},
	{"BSD-3-Clause", "endorse or promote products derived", ""},
	{"BSD-2-Clause", "redistribution and use in source and binary forms", "endorse or promote products derived"},
	{"Unlicense", "this is free and unencumbered software released into the public domain", ""},
	{"CC0-1.0", "cc0 1.0 universal", ""},
	{"OFL-1.1", "sil open font license", ""},
}

// licenceNames names the licences whose texts lie in a text.
func licenceNames(text string) string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	var names []string
	for _, l := range spdx {
		if strings.Contains(words, l.has) && (l.not == "" || !strings.Contains(words, l.not)) && !slices.Contains(names, l.name) {
			names = append(names, l.name)
		}
	}
	return strings.Join(names, " AND ")
}
