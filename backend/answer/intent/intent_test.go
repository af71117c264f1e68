package intent

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"footnote/backend/embed"
	"footnote/backend/lang"
)

// reads gives the vectors of messages.
func reads(t *testing.T) func(text string) []float32 {
	t.Helper()
	encoder, err := embed.NewMultilingual()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("this processor cannot run the encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) []float32 {
		v, err := encoder.Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
}

func TestEveryLanguageIsAnsweredInItsOwnWords(t *testing.T) {
	own, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	n := map[lang.Code]map[Intent]int{}
	for _, s := range own {
		if !s.Code.Known() {
			t.Errorf("%q is of %q", s.Text, s.Code)
		}
		if n[s.Code] == nil {
			n[s.Code] = map[Intent]int{}
		}
		n[s.Code][s.Is]++
	}
	for _, code := range lang.Codes() {
		seen := Reply(code, Search)
		for _, is := range []Intent{Greeting, Goodbye, Thanks, About} {
			reply := Reply(code, is)
			if n[code][is] < 10 || reply == "" || reply == seen || code != lang.English && reply == Reply(lang.English, is) {
				t.Errorf("%s: %d of %s, reply %q", code, n[code][is], is, reply)
			}
			seen = reply
		}
		if n[code][Search] < 40 || Reply(code, Search) != "" {
			t.Errorf("%s: %d searches", code, n[code][Search])
		}
	}
	if Reply("xx", Thanks) != Reply(lang.English, Thanks) {
		t.Error("an unknown language is not answered in English")
	}
}

// What is known by heart is told in every spelling; questions are searched for.
func TestSetPhrases(t *testing.T) {
	own, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range own {
		known := byHeart()[plain(s.Text)]
		want := known.Is
		if got, _ := Of("  "+strings.ToUpper(s.Text)+"!", known.Spoken, false, nil); got != want && strings.ToLower(strings.ToUpper(s.Text)) == s.Text {
			t.Errorf("%q is %s, want %s", s.Text, got, want)
		}
		if got, _ := Of(s.Text, true, true, nil); s.Is == Search && got != Search {
			t.Errorf("%q is %s", s.Text, got)
		}
	}
}

func TestOf(t *testing.T) {
	read := reads(t)
	for text, want := range map[string]Intent{
		"Hello!": Greeting, "Guten Morgen": Greeting, "Hola, ¿qué tal?": Greeting, "Thanks a lot": Thanks, "ありがとうございます。": Thanks, "Tschüss!": Goodbye, "再见": Goodbye,
		"What can you do?": About, "Who are you?": About, "Was kannst du?": About, "Qui es-tu ?": About, "Кто ты?": About, "너는 누구야?": About, "Help": About,
		"Hello, could you tell me who you are?": About,

		"": Search, "?": Search, "42": Search, "Hello Kitty": Search, "Good morning Vietnam": Search, "Who wrote Faust?": Search, "Hello, who wrote Faust?": Search,
		"What can you tell me about my lease?": Search, "What does my lease say?": Search, "Who made the bridge?": Search, "Help me find the invoice": Search,
		"Thanks, and when does the lease end?": Search, "Who are the trustees?": Search, "What is the name of my landlord?": Search, "Which files mention bees?": Search,
		"Hallo, wann endet der Mietvertrag?": Search, "Merci, et combien coûte le loyer ?": Search, "你好，租约什么时候到期？": Search, "How old is the bridge?": Search,
		"Hallo, wie lege ich einen neuen Benutzer an?": Search, "useradd は何をしますか？": Search, "Ciao, che cosa fa gpasswd?": Search, "warum?": Search, "なぜ？": Search,
		"What can you do in Lisbon?": Search, "hello\nworld": Search, "Is it you, @ann?": Search,
	} {
		if got, _ := Of(text, false, false, read); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// "What is this?" is about the file that was just spoken of.
func TestInAConversationMoreIsSearchedFor(t *testing.T) {
	read := reads(t)
	for text, want := range map[string]Intent{
		"What is this?": Search, "Help me": Search, "Where do I start?": Search, "What do the numbers mean?": Search, "can you tell me more about who you work for": Search,
		"Who are you?": About, "What can you do?": About, "Thank you!": Thanks, "Bye": Goodbye,
		"warum?": Search, "почему?": Search, "なぜ？": Search, "왜?": Search, "¿por qué?": Search, "tell me more": Search, "mehr Details": Search, "and -d?": Search,
	} {
		if got, _ := Of(text, true, false, read); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestAModelIsReadAsItWasWritten(t *testing.T) {
	m := Train([]Sample{{Text: "hello you", Is: Greeting, Vector: unit(1)}, {Is: About, Vector: unit(2)}, {Is: Search, Vector: unit(3)}})
	if got := m.Classify("hello you", unit(1)); got != Greeting {
		t.Errorf("what was learned is %s", got)
	}
	if m.Classify("hello you", nil) != Search || m.Classify(strings.Repeat("hello ", 40), unit(1)) != Search {
		t.Error("what cannot be told is not searched")
	}
	again, err := Read(m.Bytes())
	if err != nil || !bytes.Equal(again.Bytes(), m.Bytes()) {
		t.Errorf("not the same: %v", err)
	}
	for _, bad := range [][]byte{nil, []byte("FNI2"), trained[1:]} {
		if _, err := Read(bad); err == nil {
			t.Errorf("%d bytes were read", len(bad))
		}
	}
}

// unit is the vector that points along component i.
func unit(i int) []float32 {
	v := make([]float32, Width)
	v[i] = 1
	return v
}
