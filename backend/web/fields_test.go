package web

import "testing"

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
