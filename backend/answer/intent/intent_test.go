package intent

import (
	"bytes"
	"strings"
	"testing"

	"footnote/backend/lang"
)

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
		want := byHeart()[plain(s.Text)].Is
		if got, _ := Of("  "+strings.ToUpper(s.Text)+"!", false, false); got != want && strings.ToLower(strings.ToUpper(s.Text)) == s.Text {
			t.Errorf("%q is %s, want %s", s.Text, got, want)
		}
		if got, _ := Of(s.Text, true, true); s.Is == Search && got != Search {
			t.Errorf("%q is %s", s.Text, got)
		}
	}
}

func TestOf(t *testing.T) {
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
		if got, _ := Of(text, false, false); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// "What is this?" is about the file that was just spoken of.
func TestInAConversationMoreIsSearchedFor(t *testing.T) {
	for text, want := range map[string]Intent{
		"What is this?": Search, "Help me": Search, "Where do I start?": Search, "What do the numbers mean?": Search, "can you tell me more about who you work for": Search,
		"Who are you?": About, "What can you do?": About, "Thank you!": Thanks, "Bye": Goodbye,
		"warum?": Search, "почему?": Search, "なぜ？": Search, "왜?": Search, "¿por qué?": Search, "tell me more": Search, "mehr Details": Search, "and -d?": Search,
	} {
		if got, _ := Of(text, true, false); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestAModelIsReadAsItWasWritten(t *testing.T) {
	m := Train([]Sample{{Text: "hello you", Is: Greeting}, {Text: "who are you", Is: About}, {Text: "who built the bridge", Is: Search}})
	again, err := Read(m.Bytes())
	if err != nil || !bytes.Equal(again.Bytes(), m.Bytes()) {
		t.Errorf("not the same: %v", err)
	}
	if len(trained) > 300<<10 {
		t.Errorf("%d bytes", len(trained))
	}
	for _, bad := range [][]byte{nil, []byte("FNI1"), trained[1:]} {
		if _, err := Read(bad); err == nil {
			t.Errorf("%d bytes were read", len(bad))
		}
	}
}
