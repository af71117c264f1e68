package web

import (
	"errors"
	"strings"
	"testing"

	"footnote/backend/bounded"
)

func TestAListOfResultsIsReadFromItsPath(t *testing.T) {
	read := ListIn(func(place int, r Fields) Hit { return Hit{Title: r.Text("t"), Score: float64(place)} }, "message", "items")
	for body, want := range map[string]int{
		`{"message":{"items":[{"t":"a"},7,null,{"t":"b"}]}}`: 2,
		`{"message":{"items":[]}}`:                           0,
		`{"message":{"items":null}}`:                         -1,
		`{"message":[]}`:                                     -1,
		`{"items":[{"t":"a"}]}`:                              -1,
		`null`:                                               -1,
		`<html>`:                                             -1,
	} {
		hits, err := read([]byte(body))
		if (err != nil) != (want < 0) || err == nil && len(hits) != want {
			t.Errorf("%s: %d hits, %v", body, len(hits), err)
		}
		for i, h := range hits {
			if h.Title == "" || h.Score != float64(i) {
				t.Errorf("%s: hit %d is %+v", body, i, h)
			}
		}
	}
}

// TestAnswersOfTooManyThingsAreRefused has answers of a megabyte or two that were
// hundreds.
func TestAnswersOfTooManyThingsAreRefused(t *testing.T) {
	read := ListIn(func(int, Fields) Hit { return Hit{} }, "results")
	for name, body := range map[string]string{
		"things": `{"results":[` + strings.Repeat("{},", 1_000_000) + "{}]}", "lists": `{"results":[` + strings.Repeat("[],", 1_000_000) + "{}]}",
		"beside them": `{"results":[],"other":[` + strings.Repeat("{},", 1_000_000) + "{}]}", "members": `{"results":[],` + strings.Repeat(`"a":1,`, 800_000) + `"b":1}`,
	} {
		if _, err := read([]byte(body)); !errors.Is(err, bounded.ErrMany) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
