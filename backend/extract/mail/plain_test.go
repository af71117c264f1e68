package mail

import "testing"

func TestQuotedLinesAreText(t *testing.T) {
	flowed, delsp := map[string]string{"format": "flowed"}, map[string]string{"format": "Flowed", "delsp": "yes"}
	for _, x := range []struct {
		text   string
		params map[string]string
		want   string
	}{
		{"Dear Mr Haddad,\r\n\r\nOn Monday you wrote:\r\n> The doors stay\r\n> half open.\r\n>> Which doors?\r\n> > These.\r\nYours\r\n", nil, "Dear Mr Haddad,\n\nOn Monday you wrote:\n\nThe doors stay\nhalf open.\n\nWhich doors?\nThese.\n\nYours"},
		{"a > b\n5 > 3\n", nil, "a > b\n5 > 3"},
		{"The doors stay \nhalf open.\n> since \n> Monday\n-- \nO. H.\n  indented\n", flowed, "The doors stay half open.\n\nsince Monday\n\n-- \nO. H.\n indented"},
		{"電梯從 \n星期六起停\n", delsp, "電梯從星期六起停"},
		{"ends in a blank \n> other\n", flowed, "ends in a blank \n\nother"},
		{"", nil, ""},
	} {
		if got := plainText(x.text, x.params); got != x.want {
			t.Errorf("%q\n got %q\nwant %q", x.text, got, x.want)
		}
	}
}

func FuzzPlainText(f *testing.F) {
	f.Add("> a \n>> b\n", true)
	f.Fuzz(func(t *testing.T, text string, flowed bool) {
		params := map[string]string{}
		if flowed {
			params["format"] = "flowed"
		}
		if got := plainText(text, params); len(got) > 2*len(text)+2 {
			t.Errorf("%d bytes of %d", len(got), len(text))
		}
	})
}
