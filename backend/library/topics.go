package library

import (
	"context"
	"strconv"

	"footnote/backend/library/topics"
)

// topicsNote is the note of how many texts the topics were last chosen for.
const topicsNote = "topics.texts"

// chooseAgain chooses the topics of all texts, when the library is another than
// the one they were chosen for.
func (l *Library) chooseAgain(ctx context.Context) error {
	note, err := l.Catalog.Note(ctx, topicsNote)
	if err != nil {
		return err
	}
	before, _ := strconv.Atoi(note) // an empty note is the first time
	now, err := l.Catalog.TopicTexts(ctx)
	if err != nil || now == before || max(now, before)-min(now, before) < before/5 {
		return err
	}
	words, err := l.Catalog.TopicWords(ctx)
	if err != nil {
		return err
	}
	texts := map[string]int{}
	for _, list := range words {
		for _, w := range list {
			texts[w.Word]++
		}
	}
	chosen := make(map[int64][]string, len(words))
	for n, list := range words {
		chosen[n] = topics.Choose(list, func(w string) int { return texts[w] }, len(words))
	}
	if err := l.Catalog.PutTopics(ctx, chosen); err != nil {
		return err
	}
	return l.Catalog.SetNote(ctx, topicsNote, strconv.Itoa(now))
}
