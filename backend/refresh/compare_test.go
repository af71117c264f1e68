package refresh

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func about(outcome contract.Outcome, sources ...contract.SourceCard) contract.Answer {
	return contract.Answer{Outcome: outcome, Sources: sources, Diff: &contract.Diff{}}
}

var (
	aPage = contract.SourceCard{ID: "src_page", Kind: evidence.Web, URL: "https://example.org/"}
	aFile = contract.SourceCard{ID: "src_file", Kind: evidence.File, Path: "/home/ann/a.txt"}
)

func TestOnlyAFairComparisonCounts(t *testing.T) {
	with := func(a contract.Answer, code string) contract.Answer {
		a.Notices = []contract.Notice{{Code: code, Message: "Said so."}}
		return a
	}
	bare := about(contract.Answered, aPage)
	bare.Diff = nil
	for what, c := range map[string]struct {
		before, after contract.Answer
		code          fault.Code // empty: it is fair
	}{
		"all is as it was":                    {about(contract.Answered, aPage), about(contract.Answered, aPage), ""},
		"consent is needed":                   {about(contract.Answered, aFile), with(about(contract.Extracted, aFile), "confirm-needed"), fault.ConfirmNeeded},
		"the model is away":                   {about(contract.Answered, aFile), about(contract.Extracted, aFile), fault.ModelMissing},
		"there never was a model":             {about(contract.Extracted, aFile), about(contract.Extracted, aFile), ""},
		"the net is away":                     {about(contract.Extracted, aPage), with(about(contract.NoEvidence), "offline"), fault.SearchFailed},
		"the net is away, but was not needed": {about(contract.Extracted, aFile), with(about(contract.Extracted, aFile), "offline"), ""},
		"every engine refused":                {about(contract.Extracted, aPage), with(about(contract.Extracted, aFile), "search-blocked"), fault.SearchFailed},
		"one engine refused":                  {about(contract.Extracted, aPage), with(about(contract.Extracted, aPage), "search-partial"), ""},
		"the files could not be searched":     {about(contract.Extracted, aFile), with(about(contract.NoEvidence), "search-partial"), fault.SearchFailed},
		"nothing is found any more":           {about(contract.Extracted, aPage), about(contract.NoEvidence), ""},
		"nothing to compare with":             {about(contract.Answered, aPage), bare, fault.Internal},
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
	claims := []contract.ClaimChange{{Change: contract.Changed, Before: "Before.", After: "After."}}
	for what, c := range map[string]struct {
		before, after contract.Answer
		diff          contract.Diff
		want          bool
	}{
		"nothing":                   {about(contract.Answered, aPage), about(contract.Answered, aPage), contract.Diff{}, false},
		"other words, same texts":   {about(contract.Answered, aPage, aFile), about(contract.Answered, aFile, aPage), contract.Diff{Claims: claims}, false},
		"other words, another text": {about(contract.Answered, aPage), about(contract.Answered, edited), contract.Diff{Claims: claims}, true},
		"another text, the same":    {about(contract.Answered, aPage), about(contract.Answered, edited), contract.Diff{}, false},
		"another sum":               {about(contract.Computed), about(contract.Computed), contract.Diff{Claims: claims}, true},
		"a dead link":               {about(contract.Answered, aPage), about(contract.Answered, aPage), contract.Diff{Links: []contract.DeadLink{{}}}, true},
		"a passage edited":          {about(contract.Answered, aPage), about(contract.Answered, aPage), contract.Diff{Passages: []contract.EditedPassage{{}}}, true},
		"a new source":              {about(contract.Answered, aPage), about(contract.Answered, aPage, aFile), contract.Diff{Sources: []contract.SourceChange{{}}}, true},
	} {
		c.after.Diff = &c.diff
		if got := differs(c.before, c.after); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
