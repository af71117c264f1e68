package lang

import (
	"strings"
	"testing"
)

func TestAQuestionIsSearchedForItsMatter(t *testing.T) {
	for question, want := range map[string]string{
		"How do I insert a page break?":     "insert page break?",
		"What did the US pay for IT?":       "US pay IT?",
		"Wie viele Achsen hat die Fräse?":   "Achsen Fräse?",
		"How many valves leak?":             "valves leak?",
		"Wie schwer ist die Fräse?":         "schwer Fräse?",
		"Who is The Who?":                   "Who is The Who?",
		"F5キーを押すと何が表示されますか？":                "f5キー 押す 表示 ？",
		"行を非表示にするには？":                       "行を 非表示 ？",
		"ページ番号を挿入するにはどうすればよいですか？":           "ページ番号 挿入 ？",
		"うどんの作り方":                           "うどん 作り 方",
		"什么是虚拟内存？":                          "虚拟内存？",
		"谁是哥伦比亚大学的校长":                       "哥伦比亚大学 校长",
		"Где хранится журнал установки?":    "хранится журнал установки?",
		"Wo finde ich die Protokolldateien": "finde Protokolldateien",
		"Comment ajouter une note ?":        "ajouter note ?",
		"한국의 수도는 어디입니까":                     "한국 수도",
		"塔の高さは何メートルですか?":                    "塔の 高さ ?",
		"何ですか":                              "何ですか",
	} {
		if got := strings.Join(strings.Fields(BareMatter(question)), " "); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestTheMatterOfEnglishKeepsItsWords(t *testing.T) {
	const question = "How do I insert a page break?"
	if got := Matter(question); got != question {
		t.Errorf("%q", got)
	}
	if got := Matter("Comment ajouter une note ?"); got != "ajouter note ?" {
		t.Errorf("%q", got)
	}
}

func FuzzMatter(f *testing.F) {
	f.Add("F5キーを押すと何が表示されますか？")
	f.Add("什么是虚拟内存？")
	f.Fuzz(func(t *testing.T, question string) {
		if strings.TrimSpace(question) != "" && strings.TrimSpace(BareMatter(question)) == "" {
			t.Errorf("nothing is left of %q", question)
		}
	})
}
