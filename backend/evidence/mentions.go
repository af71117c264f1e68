package evidence

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

// Mention is a file with its share of the count. Found is its first passage with
// one of the words.
type Mention struct {
	Found
	File     string // id
	At       Span   // bytes of the passage's text: the first place
	Passages int
	Times    int
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
