package library

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/asked"
	"footnote/backend/rank"
)

const (
	recall    = 200              // passages asked of words and of vectors
	fedWait   = 10 * time.Second // for stored vectors to reach the index after a start
	queryWait = time.Second      // for the vector of a question
	via       = "library"

	refillWait = 10 * time.Second // for an index that is filled again: half of it finds other passages than the whole
	refillLook = 20 * time.Millisecond
)

// wholeScope keeps the texts of the listed library, for searches without a scope
// while there are texts that are not listed.
type wholeScope struct {
	mu      sync.Mutex
	version int
	at      int
	loaded  bool
	within  map[string]bool // nil: no text is unlisted, nothing to restrict
}

func (s *wholeScope) outdated() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
}

// within resolves a scope to texts; nil means all.
func (l *Library) within(ctx context.Context, scope evidence.Scope) (map[string]bool, error) {
	if scope.Empty() {
		return l.listed(ctx)
	}
	scope, err := l.expand(ctx, scope)
	if err != nil {
		return nil, err
	}
	folders, err := l.folders(ctx, scope)
	if err != nil {
		return nil, err
	}
	if len(scope.Files)+len(folders) == 0 {
		return map[string]bool{}, nil // only collections were ticked, and they are empty
	}
	return l.Catalog.Digests(ctx, scope.Files, folders)
}

// folders are the paths of a scope's folders, of which some are roots by id.
func (l *Library) folders(ctx context.Context, scope evidence.Scope) ([]string, error) {
	folders := slices.Clone(scope.Folders)
	if !slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(f, "rot_") }) {
		return folders, nil
	}
	roots, err := l.Catalog.Roots(ctx)
	for i, f := range folders {
		if at := slices.IndexFunc(roots, func(r Root) bool { return r.ID == f }); at >= 0 {
			folders[i] = roots[at].Path
		}
	}
	return folders, err
}

func (l *Library) listed(ctx context.Context) (map[string]bool, error) {
	s := &l.scope
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded && s.at == s.version {
		return s.within, nil
	}
	version := s.version
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil {
		return nil, err
	}
	var within map[string]bool
	if totals.Attached > 0 {
		if within, err = l.Catalog.Digests(ctx, nil, nil); err != nil {
			return nil, err
		}
	}
	s.loaded, s.at, s.within = true, version, within
	return within, nil
}

// Search finds passages for a question: words and vectors, joined by rank. When
// one of the two fails the other answers alone. An empty library gives nothing.
// Operators restrict as asked.Search says; quoted words that no passage has do not.
func (l *Library) Search(ctx context.Context, query string, scope evidence.Scope, n int) ([]evidence.Found, error) {
	if n <= 0 {
		return nil, nil
	}
	for left := refillWait; left > 0 && l.rebuilds.Load() && pause(ctx, refillLook); left -= refillLook {
	}
	_, r, err := l.asked(ctx, asked.Question(query), scope)
	if err != nil {
		return nil, err
	}
	return l.fetch(ctx, r.fused, r.shelf, scope, n)
}

// ordered are the passages that a question finds, by each method and joined.
type ordered struct {
	shelf          shelf
	words, vectors []Hit
	fused          []rank.Fused
}

// order searches by words and by vectors and joins them.
func (l *Library) order(ctx context.Context, a asked.Search, scope evidence.Scope) (r ordered, err error) {
	l.noteSearch()
	within, err := l.within(ctx, scope)
	if err == nil {
		within, err = l.narrow(ctx, a, within)
	}
	if err != nil || within != nil && len(within) == 0 {
		return r, err
	}
	query := a.Text()
	gates := l.gates(query)
	f := l.find(ctx, gates, query, a, within)
	if f.vectorsErr == nil {
		f.vectors, f.vectorsErr = l.exactly(ctx, a, f.vectors)
	}
	if f.vectorsErr == nil {
		f.meant, f.vectorsErr = l.exactly(ctx, a, f.meant)
	}
	if err := bothFailed(ctx, gates.Index, f.wordsErr, f.vectorsErr); err != nil {
		return r, err
	}
	if err := errors.Join(f.wordsErr, f.vectorsErr); err != nil {
		l.Log.Warn("search goes on with what works", "error", err)
	}
	if r.shelf, err = l.shelve(ctx, slices.Concat(f.words, f.vectors, f.meant), within); err != nil {
		return r, err
	}
	r.shelf = r.shelf.fitting(a)
	r.words, r.vectors = r.shelf.known(f.words), r.shelf.known(f.vectors)
	fusion := rank.Fusion{Reciprocal: l.Settings().Rank.Fusion == "rrf", K: l.Settings().Rank.RRFK, Encoded: f.encoded, Boost: r.shelf.boost(query)}
	if f.encoded {
		r.fused = rank.FuseHits(gates.Encoder, r.words, r.vectors, fusion)
		return r, nil
	}
	r.fused = l.reorder(ctx, query, rank.FuseHits(gates.Index, r.words, r.vectors, fusion), r.shelf.known(f.meant), r.shelf)
	return r, nil
}

func bothFailed(ctx context.Context, gate rank.Gate, words, vectors error) error {
	if words == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if gate == rank.WordsOnly || vectors != nil {
		return fault.Wrap(errors.Join(words, vectors), fault.IndexRebuilding, "Your files cannot be searched just now.", "The index is being mended; try again in a moment.")
	}
	return nil
}

// comparer is an index that can also tell how near given passages are: fusion
// asks it for what only words found.
type comparer interface {
	Cosines(vector []float32, ids []evidence.PassageID) (map[evidence.PassageID]float64, error)
}

// nearby are the passages nearest to a question by the vectors of the index; no
// vector where none takes part.
type nearby struct {
	hits   []Hit
	vector []float32
	err    error
}

func (l *Library) nearby(ctx context.Context, gate rank.Gate, query string, within map[string]bool) nearby {
	if gate == rank.WordsOnly {
		return nearby{}
	}
	late := time.NewTimer(fedWait)
	defer late.Stop()
	select {
	case <-l.fed:
	case <-late.C:
	case <-ctx.Done():
		return nearby{err: ctx.Err()}
	}
	limited, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	vectors, err := l.Embedder.Embed(limited, []string{query})
	if err != nil || len(vectors) != 1 || vectors[0] == nil {
		return nearby{err: err}
	}
	hits, err := l.Index.Vectors(ctx, vectors[0], within, recall)
	return nearby{hits, vectors[0], err}
}

// and adds how near those are that only words found.
func (n nearby) and(words []Hit, index Index) ([]Hit, error) {
	x, ok := index.(comparer)
	if n.err != nil || n.vector == nil || !ok {
		return n.hits, n.err
	}
	cosines, err := x.Cosines(n.vector, rank.Missing(words, n.hits))
	return rank.Complete(n.hits, cosines), err
}

// shelf is what is known of the hits of one search: the text each stands in, and
// the files that have it, the one that is shown first.
type shelf struct {
	digests map[evidence.PassageID]string
	files   map[string][]File
}

func (l *Library) shelve(ctx context.Context, hits []Hit, within map[string]bool) (shelf, error) {
	s := shelf{digests: map[evidence.PassageID]string{}, files: map[string][]File{}}
	var ids []evidence.PassageID
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	if len(ids) == 0 {
		return s, nil
	}
	digests, err := l.textsOf(ctx, ids)
	if err != nil {
		return s, err
	}
	texts := map[string]bool{}
	for id, digest := range digests {
		if within == nil || within[digest] {
			s.digests[id], texts[digest] = digest, true
		}
	}
	files, err := l.Catalog.Holders(ctx, slices.Collect(maps.Keys(texts)))
	if err != nil {
		return s, err
	}
	slices.SortFunc(files, preferred)
	for _, f := range files {
		s.files[f.Digest] = append(s.files[f.Digest], f)
	}
	return s, nil
}

// locator is an index that knows the texts of passages it has a vector of.
// Looking them up in the catalog takes longer than finding them.
type locator interface {
	Digests(ids []evidence.PassageID) map[evidence.PassageID]string
}

// textsOf tells in which text each passage stands: by the index, else by the
// catalog. Whether a file still has that text, the catalog alone tells.
func (l *Library) textsOf(ctx context.Context, ids []evidence.PassageID) (map[evidence.PassageID]string, error) {
	x, ok := l.Index.(locator)
	if !ok {
		return l.Catalog.Where(ctx, ids)
	}
	digests := x.Digests(ids)
	ids = slices.DeleteFunc(ids, func(id evidence.PassageID) bool { return digests[id] != "" })
	if len(ids) == 0 {
		return digests, nil
	}
	others, err := l.Catalog.Where(ctx, ids)
	maps.Copy(digests, others)
	return digests, err
}

// preferred puts listed files first, then goes by path.
func preferred(a, b File) int {
	switch {
	case a.Listed && !b.Listed:
		return -1
	case b.Listed && !a.Listed:
		return 1
	case a.Path < b.Path:
		return -1
	case a.Path > b.Path:
		return 1
	}
	return 0
}

// known leaves out hits that the catalog does not have: the index may be behind.
func (s shelf) known(hits []Hit) []Hit {
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		if digest, ok := s.digests[h.ID]; ok && len(s.files[digest]) > 0 {
			out = append(out, h)
		}
	}
	return out
}

// boost is the rule of file names, over the files of the hits.
func (s shelf) boost(query string) func(evidence.PassageID) float64 {
	digests := make([]string, 0, len(s.files))
	for d := range s.files {
		digests = append(digests, d)
	}
	slices.Sort(digests)
	names := make([]string, len(digests))
	dates := make([]time.Time, len(digests))
	for i, d := range digests {
		f := s.files[d][0]
		names[i], dates[i] = plainName(f.Path), time.Unix(0, f.Stamp.Modified)
	}
	match := map[string]float64{}
	for i, m := range rank.FileNameMatch(query, names, dates) {
		match[digests[i]] = m
	}
	return func(id evidence.PassageID) float64 { return rank.FileNameWeight * match[s.digests[id]] }
}

// fetch reads the texts of the best n; of files that say almost the same, one.
// Answers that Footnote saved are not among them, but where the scope names the file.
func (l *Library) fetch(ctx context.Context, all []rank.Fused, s shelf, scope evidence.Scope, n int) ([]evidence.Found, error) {
	fused := all[:min(n+n/spare, len(all))]
	if len(fused) == 0 {
		return nil, nil
	}
	ids := make([]evidence.PassageID, len(fused))
	for i, f := range fused {
		ids[i] = f.ID
	}
	placed, err := l.Catalog.Passages(ctx, ids)
	if err == nil {
		err = l.complete(ctx, s, placed)
	}
	if err != nil {
		return nil, err
	}
	byID, saved := make(map[evidence.PassageID]Placed, len(placed)), map[evidence.PassageID]bool{}
	for _, p := range placed {
		byID[p.Passage.ID], saved[p.Passage.ID] = p, s.isSavedAnswer(p.Digest, scope)
	}
	isSaved := func(f rank.Fused) bool { return saved[f.ID] }
	if slices.ContainsFunc(fused, isSaved) {
		return l.fetch(ctx, slices.DeleteFunc(slices.Clone(all), isSaved), s, scope, n)
	}
	found := make([]evidence.Found, 0, len(fused))
	for _, f := range fused {
		if p, ok := byID[f.ID]; ok {
			found = append(found, s.found(p, f))
		}
	}
	return collapse(found, n), nil
}

// isSavedAnswer reports a text that Footnote wrote as an answer, in no file that the
// scope names.
func (s shelf) isSavedAnswer(digest string, scope evidence.Scope) bool {
	files := s.files[digest]
	return len(files) > 0 && files[0].Media == evidence.SavedAnswer && !slices.ContainsFunc(files, func(f File) bool {
		return slices.Contains(scope.Files, f.ID) || slices.Contains(scope.Files, f.Path)
	})
}

// complete reads the rest of the files that are shown.
func (l *Library) complete(ctx context.Context, s shelf, placed []Placed) error {
	var ids []string
	for _, p := range placed {
		for _, f := range s.files[p.Digest] {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	files, _, err := l.Catalog.Files(ctx, FileQuery{IDs: ids, Unlisted: true})
	whole := map[string]File{}
	for _, f := range files {
		whole[f.ID] = f
	}
	for _, p := range placed {
		for i, f := range s.files[p.Digest] {
			if w, ok := whole[f.ID]; ok {
				s.files[p.Digest][i] = w
			}
		}
	}
	return err
}

func (s shelf) found(p Placed, f rank.Fused) evidence.Found {
	files := s.files[p.Digest]
	source := files[0].Source()
	p.Passage.Source = source.ID
	score := evidence.Score{BM25: f.BM25, Cosine: f.Cosine, Vector: f.Vector, Encoded: f.Encoded, Boost: f.Boost, Fused: f.Score, Partial: files[0].State == Partial, Changed: files[0].changed()}
	for _, other := range files[1:] {
		score.AlsoIn = append(score.AlsoIn, other.Path)
	}
	return evidence.Found{Passage: p.Passage, Source: source, Score: score, Via: via}
}
