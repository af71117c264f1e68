package answer

import (
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/rank"
	"footnote/backend/settings"
)

// Task is a question with what a run knows before it plans.
type Task struct {
	Question  contract.Question
	Taint     *privacy.Taint // what of the conversation may leave
	Settings  settings.Settings
	Started   time.Time
	Names     evidence.Named   // what the @names of the question stand for
	History   []contract.Turn  // as models are given it
	Recalled  []evidence.Found // what earlier answers cited, oldest first
	Compacted *contract.Compacted
	Lenses    Lenses
	Part      string // the subquestion of deep research that is looked into; else empty
	Fact      string // what was counted, for a model to say
	HasShelf  bool   // there are files of the reader that can be searched
	HasWeb    bool   // there are engines

	cacheKey digest // of what the answer depends on
}

// Evidence is what searching and reading brought.
type Evidence struct {
	Found      []evidence.Found
	Leads      []evidence.Lead
	Documents  []evidence.Document // pages that were read
	Failed     []contract.Unread   // pages that could not be read
	Facets     []string            // what else was looked for in modes that look several times
	Priorities map[string]priority // a model's opinions on web sources, by normalised address
	Engines    []string            // that were asked
	WebError   error               // why the web gave nothing
	ShelfError *fault.Fault        // why the reader's files were not searched
	Empty      bool                // the files that were to be searched have no text
}

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
