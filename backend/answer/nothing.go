package answer

import (
	"context"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// NothingFound says plainly that there is nothing to answer from.
func (p *Pipeline) NothingFound(ctx context.Context) contract.Answer {
	if p.Task.Question.Mode != contract.ModeDeep { // a report has begun its stage
		p.Tell.Begin(contract.StageCompose)
	}
	var looked []string
	if p.Plan.Shelf && p.Evidence.ShelfError == nil {
		looked = append(looked, "your files")
	}
	if p.Plan.Search {
		looked = append(looked, "the web for “"+p.Plan.Queries[0]+"”")
	}
	text, foreign := "Nothing found that answers this.", ""
	if p.Plan.Shelf {
		foreign = p.filesInOtherLanguages(ctx)
	}
	if len(looked) > 0 {
		text += " Searched " + strings.Join(looked, " and ") + "."
	}
	switch {
	case len(p.Plan.Pages) > 0 && len(p.Evidence.Failed) > 0 && !p.Plan.Search:
		text = "The page could not be read. " + p.Evidence.Failed[0].Reason
	case p.Evidence.ShelfError != nil:
		text += " Your files were not searched. " + strings.TrimSpace(p.Evidence.ShelfError.Message+" "+p.Evidence.ShelfError.Hint)
	case p.Evidence.WebError != nil:
		f := fault.Of(p.Evidence.WebError)
		text += " " + strings.TrimSpace(f.Message+" "+f.Hint)
	case p.Plan.Shelf && !p.Plan.Search && p.Evidence.Empty:
		text = "There is nothing to read yet: no file has been added. Add a file or folder, then ask again."
		if !p.Task.Question.Scope.Empty() {
			text = "There is nothing to read here: none of the files and folders asked about has text that could be read. Choose others, or add files to them."
		}
	case foreign != "":
		text += " " + foreign
	case p.Plan.Shelf && !p.Plan.Search:
		text += " Add a file or folder that has the answer, or let the web be searched."
	default:
		text += " Try other words, or add a file that has the answer."
	}
	p.composing().Publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(0, 0)
	return p.Conclude(text, contract.NoEvidence, nil, contract.Report{Verdicts: contract.NoVerdicts(), AllCitationsValid: true, Unanswered: []string{p.Task.Question.Text}, Warnings: []string{}}, nil)
}
