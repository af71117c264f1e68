package answer

import (
	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Selection is what the answer may rest on.
type Selection struct {
	Ranked     []rank.Candidate                 // everything gathered, best first
	Pool       []rank.Candidate                 // of these, none that repeats another
	Chosen     []rank.Candidate                 // what the answer may rest on, best first
	Rows       []quote.FoundRow                 // rows of tables that answer, best first; their passages are chosen
	Neighbours map[evidence.PassageID]neighbour // what follows a chosen passage
	Overview   map[evidence.PassageID]int       // passages of the file that an overview is asked of, with their order; nil for other questions
	Proofs     map[int]evidence.Mention         // of counted files, by number of their source
	Quotation  *quote.Result                    // what the answer quotes; nil until it is chosen, or when a model writes
	Numbers    map[evidence.SourceID]int
	Cards      []contract.SourceCard
}

// Draft is the answer as it was composed.
type Draft struct {
	Text   string      // with its markers
	Beside []neighbour // of the neighbours, what a model read along and may cite

	read map[evidence.PassageID]*cite.Passage // as the checker reads them
}

// CheckedDraft is what checking an answer brought.
type CheckedDraft struct {
	Text          string
	Citations     []contract.Citation
	Report        contract.Report
	Cards         []contract.SourceCard   // of the selection, each at the place of its first citation
	Disagreements []contract.Disagreement // of its sources
}
