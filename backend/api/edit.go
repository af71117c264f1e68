package api

import (
	"context"
	"errors"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/records"
)

// Edit is what is asked in the place of another question.
type Edit struct {
	Question string `json:"question"`
}

// EditRun names a run and what is asked in its place.
type EditRun struct {
	ID   string `path:"id"`
	Body Edit
}

// Edit asks another question in the place of a run's, in a new version of its
// conversation, which begins with the same turns; the old one stays. Of a private run it is fault
// invalid-request: nothing of that is kept.
func (s Runs) Edit(ctx context.Context, in EditRun) (Asked, error) {
	run, err := s.run(ctx, in.ID)
	if err != nil {
		return Asked{}, err
	}
	if run.Question.Private {
		return Asked{}, fault.New(fault.InvalidRequest, "A private conversation keeps one version of a question.", "Ask it anew.")
	}
	text := strings.TrimSpace(in.Body.Question)
	if text == "" {
		return Asked{}, fault.New(fault.QuestionEmpty, "The question is empty.", "Type a question.")
	}
	made, err := Threads(s).branch(ctx, records.Branch{From: run.Thread, Run: run.ID, Version: true, Title: answer.Title(text)})
	if err != nil {
		return Asked{}, err
	}
	q := run.Question
	q.Text, q.Thread, q.Replaces, q.Refreshes, q.Unattended = text, made, "", "", false
	asked, err := s.Ask(ctx, Question{Body: q})
	if err != nil {
		return Asked{}, errors.Join(err, s.DB.DropBranch(context.WithoutCancel(ctx), made))
	}
	return asked, nil
}
