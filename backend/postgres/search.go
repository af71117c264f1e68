package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// candidatesWanted is about how many passages are scored: of a query's words the
// rarest name them, and all of its words score them.
const candidatesWanted = 20_000

// Words gives the passages that have words of the query, best BM25 first. With
// Prefix the last word also stands for the words it begins. When nothing is
// found, words with one typing error are tried, unless some terms are a must.
func (x *Index) Words(ctx context.Context, q library.Query) (hits []library.Hit, err error) {
	if err := ctx.Err(); err != nil || q.N <= 0 || q.Within != nil && len(q.Within) == 0 {
		return nil, err
	}
	err = x.view.read(ctx, "search words", func(tx pgx.Tx, reads []int) error {
		s := &search{ctx: ctx, tx: tx, reads: reads, Query: q}
		if err := s.measure(); err != nil || s.total == 0 {
			return err
		}
		words, err := s.plan()
		if err != nil {
			return err
		}
		if hits, err = s.run(words); err != nil || len(hits) > 0 || len(q.Must) > 0 {
			return err
		}
		if words, err = s.corrected(words); err == nil && len(words) > 0 {
			hits, err = s.run(words)
		}
		return err
	})
	return hits, err
}

// search is one query in one transaction.
type search struct {
	ctx   context.Context
	tx    pgx.Tx
	reads []int
	library.Query
	total   int
	average float64
	speech  []rank.Language
}

// measure reads the number of passages, their mean length and their languages, of
// the collections that may be read.
func (s *search) measure() error {
	length := 0
	_, err := collect(s.ctx, s.tx, func(row pgx.CollectableRow) (struct{}, error) {
		var language rank.Language
		var passages, terms int
		err := row.Scan(&language, &passages, &terms)
		s.total, length, s.speech = s.total+passages, length+terms, append(s.speech, language)
		return struct{}{}, err
	}, `SELECT language, sum(passages)::bigint, sum(length)::bigint FROM measures WHERE collection = ANY ($1) AND passages > 0 GROUP BY language`, s.reads)
	if !slices.Contains(s.speech, "") {
		s.speech = append(s.speech, "")
	}
	s.average = float64(length) / float64(max(s.total, 1))
	return err
}

// word is one word of the query with the terms that may stand for it.
type word struct {
	term     string
	variants []string
	weight   float64 // times the query has it
}

// forms are the terms that a word has in the languages of the passages.
func (s *search) forms(w rank.Word) (terms []string) {
	for _, language := range s.speech {
		if term := plainText(w.TermIn(language)); !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	return terms
}

func (s *search) plan() ([]word, error) {
	var words []word
	at := map[string]int{}
	last := ""
	rank.Words(s.Text, func(w rank.Word) {
		last = w.Text
		if i, ok := at[w.Term()]; ok {
			words[i].weight++
			return
		}
		at[w.Term()] = len(words)
		words = append(words, word{w.Term(), s.forms(w), 1})
	})
	if !s.Prefix || last == "" || strings.ContainsAny(s.Text[len(s.Text)-1:], " \n\t") {
		return words, nil
	}
	begun, err := s.completions(last)
	growing := &words[len(words)-1]
	growing.variants = slices.Compact(slices.Sorted(slices.Values(append(begun, growing.variants...))))
	return words, err
}

const (
	mostCompletions = 32
	mostLookedAt    = 2000
	shortestPrefix  = 3 // letters that are left when others are taken off
)

// completions are the most frequent terms that begin with prefix. When there are
// none, because prefix is longer than the stem of its word, letters are taken off.
func (s *search) completions(prefix string) ([]string, error) {
	if len(prefix) < 2 {
		return nil, nil
	}
	for n := 0; ; n++ {
		terms, err := s.dictionary(`term >= $2 AND term < $3`, plainText(prefix), plainText(prefix)+string(utf8.MaxRune))
		runes := []rune(prefix)
		if err != nil || len(terms) > 0 || n == 3 || len(runes) <= shortestPrefix {
			return s.frequent(terms), err
		}
		prefix = string(runes[:len(runes)-1])
	}
}

// dictionary gives terms that passages have which may be read, in their order.
func (s *search) dictionary(where string, args ...any) (map[string]int, error) {
	found := map[string]int{}
	_, err := collect(s.ctx, s.tx, func(row pgx.CollectableRow) (struct{}, error) {
		var term string
		var n int
		err := row.Scan(&term, &n)
		found[term] = n
		return struct{}{}, err
	}, `SELECT term, sum(passages)::bigint FROM terms WHERE collection = ANY ($1) AND `+where+` GROUP BY term ORDER BY term LIMIT `+strconv.Itoa(mostLookedAt), append([]any{s.reads}, args...)...)
	return found, err
}

func (s *search) frequent(found map[string]int) []string {
	terms := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(a, b)) })
	return terms[:min(len(terms), mostCompletions)]
}

// corrected gives each word the terms that differ from it by one letter, but not
// by the first. Words of fewer than four letters are left alone.
func (s *search) corrected(words []word) (out []word, err error) {
	for _, w := range words {
		var near []string
		for _, form := range w.variants {
			if utf8.RuneCountInString(w.term) < 4 {
				continue
			}
			found, err := s.near(form)
			if err != nil {
				return nil, err
			}
			near = append(near, found...)
		}
		if len(near) > 0 {
			out = append(out, word{w.term, slices.Compact(slices.Sorted(slices.Values(near))), w.weight})
		}
	}
	return out, nil
}

// near gives the terms with one letter that is another, more or less. The pattern
// of each place of the error is a prefix of the term and its rest.
func (s *search) near(term string) ([]string, error) {
	runes := []rune(term)
	var patterns []string
	for i := 1; i <= len(runes); i++ {
		before := likeEscape.Replace(string(runes[:i]))
		patterns = append(patterns, before+"_"+likeEscape.Replace(string(runes[i:])))
		if i < len(runes) {
			rest := likeEscape.Replace(string(runes[i+1:]))
			patterns = append(patterns, before+"_"+rest, before+rest)
		}
	}
	first := string(runes[:1])
	found, err := s.dictionary(`term >= $2 AND term < $3 AND term LIKE ANY ($4)`, first, first+string(utf8.MaxRune), patterns)
	return s.frequent(found), err
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// run scores passages and gives the best in scope.
func (s *search) run(words []word) ([]library.Hit, error) {
	if len(words) == 0 && !s.All {
		return nil, nil
	}
	var must, not []string
	terms, worth, wanted, err := s.weigh(words)
	if err != nil || len(wanted) == 0 && !s.All {
		return nil, err
	}
	statement := statement{args: []any{s.reads, terms, worth, s.average, s.within()}}
	for _, w := range s.Must {
		must = append(must, `e.terms && `+statement.value(s.formsOf(w)))
	}
	for _, w := range s.Not {
		not = append(not, `NOT e.terms && `+statement.value(s.formsOf(w)))
	}
	from, least := `entries e`, `0`
	if s.All {
		least = `1e-9`
	} else {
		from = `candidates(` + statement.value(wanted) + `, $5::text[]) AS c (n) JOIN entries e ON e.n = c.n`
	}
	conditions := append([]string{`e.collection = ANY ($1)`, `($5::text[] IS NULL OR e.digest = ANY ($5))`}, append(must, not...)...)
	return collect(s.ctx, s.tx, scanHit, `SELECT id, max(score) AS best FROM (
			SELECT e.id, `+least+` + (SELECT coalesce(sum(w.worth * (1 - d.damping / (e.times[array_position(e.terms, w.term)] + d.damping))), 0) FROM unnest($2::text[], $3::float8[]) AS w (term, worth)) AS score
			FROM `+from+` CROSS JOIN LATERAL (SELECT `+damping+` AS damping) d WHERE `+strings.Join(conditions, " AND ")+`) scored
		WHERE score > 0 GROUP BY id ORDER BY best DESC, id LIMIT `+statement.value(min(s.N, math.MaxInt32)), statement.args...)
}

// damping is rank.Damping of an entry; $4 is the mean length.
var damping = fmt.Sprintf(`%g * (1 - %g + %g * e.length / $4::float8)`, rank.K1, rank.B, rank.B)

// statement gathers the values of a query.
type statement struct{ args []any }

func (s *statement) value(v any) string {
	s.args = append(s.args, v)
	return "$" + strconv.Itoa(len(s.args))
}

// within are the texts to keep to; nil stands for all.
func (s *search) within() []string {
	if s.Within == nil {
		return nil
	}
	digests := make([]string, 0, len(s.Within))
	for digest, in := range s.Within {
		if in {
			digests = append(digests, digest)
		}
	}
	return digests
}

// formsOf are the terms of a word that is needed or unwanted.
func (s *search) formsOf(text string) []string {
	forms := []string{}
	rank.Words(text, func(w rank.Word) { forms = append(forms, s.forms(w)...) })
	return forms
}

// weigh gives the terms of the query with what each is worth, and those that name
// the candidates: a needed word that is rare, or the rarest words of the query.
func (s *search) weigh(words []word) (terms []string, worth []float64, wanted []string, err error) {
	all := []string{}
	for _, w := range words {
		all = append(all, w.variants...)
	}
	needed := make([][]string, len(s.Must))
	for i, w := range s.Must {
		needed[i] = s.formsOf(w)
		all = append(all, needed[i]...)
	}
	df := map[string]int{}
	for part := range slices.Chunk(all, mostLookedAt) {
		found, err := s.dictionary(`term = ANY ($2)`, part)
		if err != nil {
			return nil, nil, nil, err
		}
		maps.Copy(df, found)
	}
	frequency := func(variants []string) (n int) {
		for _, v := range variants {
			n += df[v]
		}
		return n
	}
	for _, w := range words {
		idf := w.weight * rank.IDF(s.total, min(frequency(w.variants), s.total))
		for _, v := range w.variants {
			terms, worth = append(terms, v), append(worth, idf)
		}
	}
	if len(needed) > 0 {
		return terms, worth, slices.MinFunc(needed, func(a, b []string) int { return frequency(a) - frequency(b) }), nil
	}
	slices.SortStableFunc(words, func(a, b word) int { return frequency(a.variants) - frequency(b.variants) })
	some := 0
	for _, w := range words {
		if n := frequency(w.variants); n > 0 && (some == 0 || some+n <= candidatesWanted) {
			some, wanted = some+n, append(wanted, w.variants...)
		}
	}
	return terms, worth, wanted, nil
}

func scanHit(row pgx.CollectableRow) (h library.Hit, err error) {
	err = row.Scan(&h.ID, &h.Score)
	return h, err
}

// nearestLookedAt is how many passages whose vectors have most signs in common
// with the question's are compared exactly, at least.
const nearestLookedAt = 2000

// Vectors gives the passages nearest to vector, best cosine first. A vector of
// another dimension than the index has is an error.
func (x *Index) Vectors(ctx context.Context, vector []float32, within map[string]bool, n int) (hits []library.Hit, err error) {
	if err := ctx.Err(); err != nil || n <= 0 || vector == nil || within != nil && len(within) == 0 {
		return nil, err
	}
	var dims int
	near := map[evidence.PassageID]float64{}
	err = x.view.read(ctx, "search vectors", func(tx pgx.Tx, reads []int) error {
		s := &search{ctx: ctx, tx: tx, reads: reads, Query: library.Query{Within: within}}
		if err := tx.QueryRow(ctx, `SELECT coalesce((SELECT dims FROM vectors WHERE collection = ANY ($1) AND dims > 0 LIMIT 1), 0)`, reads).Scan(&dims); err != nil || dims != len(vector) {
			return err
		}
		return s.cosines(near, vector, `SELECT id, packed FROM vectors WHERE collection = ANY ($1) AND dims = $2 AND packed IS NOT NULL AND ($3::text[] IS NULL OR digest = ANY ($3))
			ORDER BY bit_count(signs # $4), id LIMIT $5`, dims, s.within(), signsOf(vector), max(nearestLookedAt, 4*n))
	})
	if err == nil && dims > 0 && dims != len(vector) {
		err = fmt.Errorf("search vectors: question has %d dimensions, the index %d", len(vector), dims)
	}
	for id, cosine := range near {
		hits = append(hits, library.Hit{ID: id, Score: cosine})
	}
	slices.SortFunc(hits, func(a, b library.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return hits[:min(n, len(hits))], err
}

// cosines compares what a query gives, ids and packed vectors, with a vector.
func (s *search) cosines(into map[evidence.PassageID]float64, vector []float32, query string, args ...any) error {
	length := math.Sqrt(dot(vector, vector))
	if !(length > 0) || math.IsInf(length, 0) {
		return fmt.Errorf("vector of %d dimensions has no direction", len(vector))
	}
	_, err := collect(s.ctx, s.tx, func(row pgx.CollectableRow) (struct{}, error) {
		var id evidence.PassageID
		var packed []byte
		if err := row.Scan(&id, &packed); err != nil {
			return struct{}{}, err
		}
		stored, err := unpack(packed)
		if v := stored.Vector(); err == nil && len(v) == len(vector) {
			into[id] = dot(v, vector) / length / math.Sqrt(dot(v, v))
		}
		return struct{}{}, err
	}, query, append([]any{s.reads}, args...)...)
	return err
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
