package answer

import (
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func about(outcome Outcome, sources ...SourceCard) Answer {
	return Answer{Outcome: outcome, Sources: sources, Diff: &Diff{}}
}

var (
	aPage = SourceCard{ID: "src_page", Kind: evidence.Web, URL: "https://example.org/"}
	aFile = SourceCard{ID: "src_file", Kind: evidence.File, Path: "/home/ann/a.txt"}
)

func TestOnlyAFairComparisonCounts(t *testing.T) {
	with := func(a Answer, code string) Answer { a.Notices = []Notice{{Code: code, Message: "Said so."}}; return a }
	bare := about(Answered, aPage)
	bare.Diff = nil
	for what, c := range map[string]struct {
		before, after Answer
		code          fault.Code // empty: it is fair
	}{
		"all is as it was":                    {about(Answered, aPage), about(Answered, aPage), ""},
		"consent is needed":                   {about(Answered, aFile), with(about(Extracted, aFile), "confirm-needed"), fault.ConfirmNeeded},
		"the model is away":                   {about(Answered, aFile), about(Extracted, aFile), fault.ModelMissing},
		"there never was a model":             {about(Extracted, aFile), about(Extracted, aFile), ""},
		"the net is away":                     {about(Extracted, aPage), with(about(NoEvidence), "offline"), fault.SearchFailed},
		"the net is away, but was not needed": {about(Extracted, aFile), with(about(Extracted, aFile), "offline"), ""},
		"every engine refused":                {about(Extracted, aPage), with(about(Extracted, aFile), "search-blocked"), fault.SearchFailed},
		"one engine refused":                  {about(Extracted, aPage), with(about(Extracted, aPage), "search-partial"), ""},
		"the files could not be searched":     {about(Extracted, aFile), with(about(NoEvidence), "search-partial"), fault.SearchFailed},
		"nothing is found any more":           {about(Extracted, aPage), about(NoEvidence), ""},
		"nothing to compare with":             {about(Answered, aPage), bare, fault.Internal},
	} {
		why := unfair(c.before, c.after)
		if (why == nil) != (c.code == "") || why != nil && (why.Code != c.code || why.Message == "" || why.Hint == "") {
			t.Errorf("%s: %+v", what, why)
		}
	}
}

func TestOtherWordsAreAChangeOnlyWhereTheTextsAreOthers(t *testing.T) {
	edited := aPage
	edited.ID = "src_edited"
	claims := []ClaimChange{{Change: Changed, Before: "Before.", After: "After."}}
	for what, c := range map[string]struct {
		before, after Answer
		diff          Diff
		want          bool
	}{
		"nothing":                   {about(Answered, aPage), about(Answered, aPage), Diff{}, false},
		"other words, same texts":   {about(Answered, aPage, aFile), about(Answered, aFile, aPage), Diff{Claims: claims}, false},
		"other words, another text": {about(Answered, aPage), about(Answered, edited), Diff{Claims: claims}, true},
		"another text, the same":    {about(Answered, aPage), about(Answered, edited), Diff{}, false},
		"another sum":               {about(Computed), about(Computed), Diff{Claims: claims}, true},
		"a dead link":               {about(Answered, aPage), about(Answered, aPage), Diff{Links: []DeadLink{{}}}, true},
		"a passage edited":          {about(Answered, aPage), about(Answered, aPage), Diff{Passages: []EditedPassage{{}}}, true},
		"a new source":              {about(Answered, aPage), about(Answered, aPage, aFile), Diff{Sources: []SourceChange{{}}}, true},
	} {
		c.after.Diff = &c.diff
		if got := differs(c.before, c.after); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
