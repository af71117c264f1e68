package layout

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// furniture is looked for among this many lines at the top and bottom of pages.
const furnitureLines = 2

// dropFurniture removes running heads and feet: lines at the ends of many pages
// that are equal but for a page number ("3 / 18", "Page 3 of 18"). The first of each is
// kept.
func dropFurniture(pages [][]Line) [][]Line {
	if len(pages) < 3 {
		return pages
	}
	count := map[string]int{}
	for n, lines := range pages {
		for _, i := range edgeLines(lines) {
			for _, key := range edgeKeys(lines[i].Text, n) {
				count[key]++
			}
		}
	}
	kept := map[string]bool{}
	out := make([][]Line, len(pages))
	for n, lines := range pages {
		drop := map[int]bool{}
		for _, i := range edgeLines(lines) {
			for _, key := range edgeKeys(lines[i].Text, n) {
				if count[key] >= 3 && count[key]*5 >= len(pages)*2 {
					drop[i] = drop[i] || kept[key]
					kept[key] = true
				}
			}
		}
		for i, l := range lines {
			if !drop[i] {
				out[n] = append(out[n], l)
			}
		}
	}
	return out
}

// edgeLines are the places of the highest and lowest lines of a page.
func edgeLines(lines []Line) []int {
	if len(lines) <= 2*furnitureLines {
		return nil
	}
	var top, bottom []int
	for i := range lines {
		top = keepExtreme(top, i, func(a, b int) bool { return lines[a].y > lines[b].y })
		bottom = keepExtreme(bottom, i, func(a, b int) bool { return lines[a].y < lines[b].y })
	}
	return append(top, bottom...)
}

// keepExtreme puts i into best, which holds the furnitureLines first by before.
func keepExtreme(best []int, i int, before func(a, b int) bool) []int {
	at := len(best)
	for at > 0 && before(i, best[at-1]) {
		at--
	}
	if at >= furnitureLines {
		return best
	}
	best = append(best[:at], append([]int{i}, best[at:]...)...)
	return best[:min(len(best), furnitureLines)]
}

// edgeNumber is what may number a page, mostNumbers how many of a line are tried.
var edgeNumber = regexp.MustCompile(`\b\d{1,4}\b`)

const mostNumbers = 6

// edgeKeys are a line of page n as it stands, with each of its numbers written as its
// distance from n, so that page numbers are equal and totals are not, and such a number
// alone where it begins or ends the line: beside it stands the section of the page.
func edgeKeys(text string, n int) []string {
	keys := []string{text}
	for _, at := range edgeNumber.FindAllStringIndex(text, mostNumbers) {
		number, _ := strconv.Atoi(text[at[0]:at[1]]) // never fails on four digits
		keys = append(keys, fmt.Sprintf("%spage%+d%s", text[:at[0]], number-n, text[at[1]:]))
		before, behind := strings.TrimSpace(text[:at[0]]), strings.TrimSpace(text[at[1]:])
		if (before == "") != (behind == "") {
			keys = append(keys, fmt.Sprintf("\x00%+d", number-n))
		}
	}
	return keys
}

var hyphenWord = regexp.MustCompile(`[\pL\d]+(-[\pL\d]+)+`)

// hyphenated gathers the words that are written with a hyphen inside a line, so
// that they keep it when a line ends there.
func hyphenated(pages [][]Line) map[string]bool {
	words := map[string]bool{}
	for _, lines := range pages {
		for _, l := range lines {
			if !strings.Contains(l.Text, "-") {
				continue
			}
			for _, word := range hyphenWord.FindAllString(l.Text, -1) {
				words[strings.ToLower(word)] = true
			}
		}
	}
	return words
}
