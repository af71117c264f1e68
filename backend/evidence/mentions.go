package evidence

import (
	"cmp"
	"slices"
	"time"
)

// Mentions is an exact count over all of the reader's files: nothing was ranked
// and nothing left out.
type Mentions struct {
	What     []string  // exact words or phrases; a counted file has every one
	Without  []string  // and none of these
	Files    int       // that have them
	Passages int       // of these files that have one of them
	Times    int       // places; where passages overlap, a place counts once
	Searched int       // files that were read and looked through
	Unread   int       // files of the library that were not: waiting or failed
	Pending  int       // passages that the index does not have yet: the count may grow
	In       []Mention // one a file, most places first
}

// Or is the count of the files that either of two counts has; how many passages
// have one of the words is not known, and 0.
func (m Mentions) Or(o Mentions) Mentions {
	if len(m.What) == 0 {
		return o
	}
	at := map[string]int{}
	all := Mentions{What: slices.Concat(m.What, o.What), Without: m.Without, Times: m.Times + o.Times, Searched: m.Searched, Unread: m.Unread, Pending: max(m.Pending, o.Pending)}
	for _, in := range slices.Concat(m.In, o.In) {
		i, known := at[in.File]
		if !known {
			at[in.File] = len(all.In)
			all.In = append(all.In, in)
			continue
		}
		all.In[i].Times += in.Times
		all.In[i].Passages += in.Passages
	}
	all.Files = len(all.In)
	slices.SortStableFunc(all.In, func(a, b Mention) int { return cmp.Compare(b.Times, a.Times) })
	return all
}

// Mention is a file with its share of the count. Found is its first passage with
// one of the words.
type Mention struct {
	Found
	File     string // id
	At       Span   // bytes of the passage's text: the first place
	Passages int
	Times    int
}

// Listing is what the catalogue says of files, in the order that was asked for.
type Listing struct {
	Files int   // that fit
	Bytes int64 // of all of them
	In    []Listed
}

// Listed is a file of a Listing, with its first passage; a file without any text
// that was read has an empty one, and Reason says why.
type Listed struct {
	Found
	Bytes    int64
	Passages int
	Changed  time.Time
	Reason   string
}

// Named is a question whose @names were looked up in the library.
type Named struct {
	Text    string    // the question without the names that were found
	Ticked  Scope     // the scope of the question with what it names; collections by id
	Scope   Scope     // the same with the files and folders of its collections
	Empty   []string  // names of collections that hold nothing
	Unknown []Unknown // names of nothing, as they were written
}

// Unknown is a name of nothing, with what was probably meant.
type Unknown struct {
	Name string
	Hint string
}
