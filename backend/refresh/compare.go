package refresh

import (
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// differs reports whether an answer tells other than the one it refreshes. A model
// words the same texts differently each time: that alone is no change.
func differs(before, after contract.Answer) bool {
	d := after.Diff
	if len(d.Links)+len(d.Passages)+len(d.Sources) > 0 {
		return true
	}
	return len(d.Claims) > 0 && (after.Outcome == contract.Computed || !slices.Equal(sourceIDs(before), sourceIDs(after)))
}

// sourceIDs name the texts that an answer rests on, with what they said.
func sourceIDs(a contract.Answer) []evidence.SourceID {
	var ids []evidence.SourceID
	for _, s := range a.Sources {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return ids
}

// unfair is why an answer cannot be compared with the one before: it had to do
// without something that one had. Nil where it can.
func unfair(before, after contract.Answer) *contract.Failure {
	files, web := hasFiles(before), hasWeb(before)
	for _, n := range after.Notices {
		switch {
		case n.Code == string(fault.ConfirmNeeded):
			return &contract.Failure{Code: fault.ConfirmNeeded, Message: n.Message, Hint: "Ask the question yourself and allow it, or choose a model on this computer."}
		case web && (n.Code == "offline" || n.Code == "search-blocked" || n.Code == "search-skipped"):
			return &contract.Failure{Code: fault.SearchFailed, Message: n.Message, Hint: "It is tried again by itself."}
		case n.Code == "search-partial" && (files && !hasFiles(after) || web && !hasWeb(after)):
			return &contract.Failure{Code: fault.SearchFailed, Message: n.Message, Hint: "It is tried again by itself."}
		}
	}
	if before.Outcome == contract.Answered && after.Outcome == contract.Extracted {
		return &contract.Failure{Code: fault.ModelMissing, Message: "The model that wrote the answer is not there now.", Hint: "Start it, or choose another."}
	}
	if after.Diff == nil {
		return &contract.Failure{Code: fault.Internal, Message: "The answer could not be compared with the one before.", Hint: "Check it by hand."}
	}
	return nil
}

func hasFiles(a contract.Answer) bool {
	return slices.ContainsFunc(a.Sources, func(s contract.SourceCard) bool { return s.Kind == evidence.File })
}

func hasWeb(a contract.Answer) bool {
	return slices.ContainsFunc(a.Sources, func(s contract.SourceCard) bool {
		return s.Kind != evidence.File && s.Kind != evidence.Computed && s.Kind != evidence.Pasted
	})
}
