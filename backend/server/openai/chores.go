package openai

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// Chore is what chat programs ask beside the conversation, in the user's name: no
// question to answer, and nothing to search for.
type Chore string

// Chores by what they want. Other is any that could not be told.
const (
	TitleChore    Chore = "title"
	TagsChore     Chore = "tags"
	FollowUpChore Chore = "follow_ups"
	QueriesChore  Chore = "queries"
	OtherChore    Chore = "text"
)

// A chore names a task in its first lines and speaks of the conversation itself.
var (
	taskHead   = regexp.MustCompile(`(?i)^\s*#{2,4} *task\b`)
	asksChore  = regexp.MustCompile(`(?i)\b(generate|create|write|provide|give|suggest|summari[sz]e|come up with|respond with|reply with|detect)\b`)
	ofTheChat  = regexp.MustCompile(`(?i)<chat_history>|\b(the|this|our|above|following|preceding|user'?s) (chat|conversation|dialogue)\b|\bchat history\b|\|\|>`)
	wantsTitle = regexp.MustCompile(`(?i)\b(title|name|headline|topic)\b`)
	wantsTags  = regexp.MustCompile(`(?i)\btags?\b|\bcategor`)
	wantsNext  = regexp.MustCompile(`(?i)follow[- _]?ups?|\bsuggest\w* (relevant )?(questions|prompts|replies)`)
	wantsQuery = regexp.MustCompile(`(?i)\bsearch quer|"queries"`)
	titlesChat = regexp.MustCompile(`(?is)\b(summari[sz]e|generate|create|write|give)\b.{0,80}\b(conversation|chat)\b.{0,60}\b(title|name)\b|\btitles? (for|of) (a|the|this) (conversation|chat)`)
	asJSON     = regexp.MustCompile(`(?i)\bjson\b`)
	chatIn     = regexp.MustCompile(`(?is)<chat_history>(.*?)</chat_history>`)
	speaker    = regexp.MustCompile(`(?im)^\s*(?:\|\|>)?\s*(user|human|assistant|ai|system)\s*:\s*`)
)

const choreHead = 900 // characters in which a chore says what it is

// choreOf tells whether the last message, under these instructions, is a chore.
func choreOf(message, system string) Chore {
	head := plain.Cut(message, choreHead)
	switch {
	case !taskHead.MatchString(head) && !speaksOfChat(head):
		if utf8.RuneCountInString(system) < choreHead && titlesChat.MatchString(system) {
			return TitleChore
		}
		return ""
	case wantsNext.MatchString(head):
		return FollowUpChore
	case wantsQuery.MatchString(head):
		return QueriesChore
	case wantsTags.MatchString(head):
		return TagsChore
	case wantsTitle.MatchString(head):
		return TitleChore
	}
	return OtherChore
}

// speaksOfChat reports whether a text asks for something about the conversation it
// stands in, as programs do.
func speaksOfChat(head string) bool {
	return asksChore.MatchString(head) && ofTheChat.MatchString(head) && (wantsTitle.MatchString(head) || wantsTags.MatchString(head) || wantsNext.MatchString(head))
}

// Ask is the request as a model gets it: as it came.
func (r Request) Ask() (all []llm.Message) {
	for _, m := range r.Messages {
		author := llm.Author(m.Role)
		switch m.Role {
		case "developer":
			author = llm.System
		case "tool", "function":
			continue
		}
		all = append(all, llm.Message{Author: author, Text: string(m.Content)})
	}
	return all
}

// Extract does a chore without a model: a title is the beginning of the first
// question, tags are its rare words; what only a model could make is left empty.
func (r Request) Extract() string {
	first := r.firstQuestion()
	form := r.Thread.Asked + r.Question.Instructions
	inJSON := asJSON.MatchString(form)
	switch r.Chore {
	case TitleChore:
		if !inJSON {
			return titleOf(first)
		}
		return asObject("title", titleOf(first))
	case TagsChore:
		if !inJSON {
			return strings.Join(tagsOf(first), ", ")
		}
		return asObject("tags", tagsOf(first))
	case FollowUpChore, QueriesChore:
		return asObject(string(r.Chore), []string{})
	}
	if inJSON {
		return asObject("text", "")
	}
	return "There is no model here to do this."
}

func asObject(key string, value any) string {
	body, err := json.Marshal(map[string]any{key: value})
	if err != nil {
		return "{}"
	}
	return string(body)
}

// firstQuestion is the first thing that a person said: in the chat that the
// message holds, else in the messages before it.
func (r Request) firstQuestion() string {
	text := r.Thread.Asked
	if in := chatIn.FindStringSubmatch(text); in != nil {
		text = in[1]
	} else if len(r.Thread.Before) > 0 {
		return r.Thread.Before[0].Question
	}
	for _, at := range speaker.FindAllStringSubmatchIndex(text, -1) {
		who := strings.ToLower(text[at[2]:at[3]])
		if who != "user" && who != "human" {
			continue
		}
		rest := text[at[1]:]
		if next := speaker.FindStringIndex(rest); next != nil {
			rest = rest[:next[0]]
		}
		return strings.TrimSpace(rest)
	}
	_, last, _ := cutLast(text, "\n\n")
	return strings.TrimSpace(cmp.Or(last, text))
}

func cutLast(text, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(text, sep); at >= 0 {
		return text[:at], text[at+len(sep):], true
	}
	return text, "", false
}

const (
	titleWords = 6
	titleRunes = 60
	mostTags   = 3
)

// titleOf is the beginning of a question, without its mark.
func titleOf(question string) string {
	words := strings.Fields(question)
	title := strings.Join(words[:min(titleWords, len(words))], " ")
	if utf8.RuneCountInString(title) > titleRunes {
		title = plain.Cut(title, titleRunes)
	}
	title = strings.TrimRightFunc(title, func(r rune) bool { return unicode.IsPunct(r) && r != ')' && r != '…' })
	return cmp.Or(title, "New conversation")
}

// tagsOf are the longest words of a question that are no function words.
func tagsOf(question string) []string {
	code := lang.Detect(question)
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '-' })
	words = plain.Distinct(slices.DeleteFunc(words, func(word string) bool {
		return utf8.RuneCountInString(word) < 3 || lang.IsFunctionWord(code, word) || lang.IsFunctionWord("en", word)
	}))
	slices.SortStableFunc(words, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	return words[:min(mostTags, len(words))]
}
