package api

import "footnote/backend/fault"

// Failure is an error as it stands on the wire.
type Failure struct {
	Code    fault.Code     `json:"code"`
	Message string         `json:"message"`
	Hint    string         `json:"hint"`
	Details map[string]any `json:"details"`
}

// FailureOf is what of an error may be told: never its cause.
func FailureOf(err error) Failure {
	f := fault.Of(err)
	details := f.Details
	if details == nil {
		details = map[string]any{}
	}
	return Failure{f.Code, f.Message, f.Hint, details}
}

// failureIn is an error inside an answer; nil without one.
func failureIn(err error) *Failure {
	if err == nil {
		return nil
	}
	f := FailureOf(err)
	return &f
}
