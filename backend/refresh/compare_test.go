package refresh

import (
	"testing"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func about(outcome answer.Outcome, sources ...answer.SourceCard) answer.Answer {
	return answer.Answer{Outcome: outcome, Sources: sources, Diff: &answer.Diff{}}
}

var (
	aPage = answer.SourceCard{ID: "src_page", Kind: evidence.Web, URL: "https://example.org/"}
	aFile = answer.SourceCard{ID: "src_file", Kind: evidence.File, Path: "/home/ann/a.txt"}
)

func TestOnlyAFairComparisonCounts(t *testing.T) {
	with := func(a answer.Answer, code string) answer.Answer {
		a.Notices = []answer.Notice{{Code: code, Message: "Said so."}}
		return a
	}
	bare := about(answer.Answered, aPage)
	bare.Diff = nil
	for what, c := range map[string]struct {
		before, after answer.Answer
		code          fault.Code // empty: it is fair
	}{
		"all is as it was":                    {about(answer.Answered, aPage), about(answer.Answered, aPage), ""},
		"consent is needed":                   {about(answer.Answered, aFile), with(about(answer.Extracted, aFile), "confirm-needed"), fault.ConfirmNeeded},
		"the model is away":                   {about(answer.Answered, aFile), about(answer.Extracted, aFile), fault.ModelMissing},
		"there never was a model":             {about(answer.Extracted, aFile), about(answer.Extracted, aFile), ""},
		"the net is away":                     {about(answer.Extracted, aPage), with(about(answer.NoEvidence), "offline"), fault.SearchFailed},
		"the net is away, but was not needed": {about(answer.Extracted, aFile), with(about(answer.Extracted, aFile), "offline"), ""},
		"every engine refused":                {about(answer.Extracted, aPage), with(about(answer.Extracted, aFile), "search-blocked"), fault.SearchFailed},
		"one engine refused":                  {about(answer.Extracted, aPage), with(about(answer.Extracted, aPage), "search-partial"), ""},
		"the files could not be searched":     {about(answer.Extracted, aFile), with(about(answer.NoEvidence), "search-partial"), fault.SearchFailed},
		"nothing is found any more":           {about(answer.Extracted, aPage), about(answer.NoEvidence), ""},
		"nothing to compare with":             {about(answer.Answered, aPage), bare, fault.Internal},
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
	claims := []answer.ClaimChange{{Change: answer.Changed, Before: "Before.", After: "After."}}
	for what, c := range map[string]struct {
		before, after answer.Answer
		diff          answer.Diff
		want          bool
	}{
		"nothing":                   {about(answer.Answered, aPage), about(answer.Answered, aPage), answer.Diff{}, false},
		"other words, same texts":   {about(answer.Answered, aPage, aFile), about(answer.Answered, aFile, aPage), answer.Diff{Claims: claims}, false},
		"other words, another text": {about(answer.Answered, aPage), about(answer.Answered, edited), answer.Diff{Claims: claims}, true},
		"another text, the same":    {about(answer.Answered, aPage), about(answer.Answered, edited), answer.Diff{}, false},
		"another sum":               {about(answer.Computed), about(answer.Computed), answer.Diff{Claims: claims}, true},
		"a dead link":               {about(answer.Answered, aPage), about(answer.Answered, aPage), answer.Diff{Links: []answer.DeadLink{{}}}, true},
		"a passage edited":          {about(answer.Answered, aPage), about(answer.Answered, aPage), answer.Diff{Passages: []answer.EditedPassage{{}}}, true},
		"a new source":              {about(answer.Answered, aPage), about(answer.Answered, aPage, aFile), answer.Diff{Sources: []answer.SourceChange{{}}}, true},
	} {
		c.after.Diff = &c.diff
		if got := differs(c.before, c.after); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
