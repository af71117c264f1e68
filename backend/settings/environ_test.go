package settings

import (
	"slices"
	"testing"
)

func TestAChildGetsNoKeys(t *testing.T) {
	env := []string{"PATH=/bin", "OPENAI_API_KEY=a", "FOOTNOTE_KEY_ANTHROPIC=b", "FOOTNOTE_TOKEN=c", "aws_secret_access_key=d", "DISPLAY=:0", "KEYMAP=us", "odd"}
	if got := WithoutKeys(env); !slices.Equal(got, []string{"PATH=/bin", "DISPLAY=:0", "KEYMAP=us", "odd"}) {
		t.Error(got)
	}
	if len(env) != 8 || env[1] != "OPENAI_API_KEY=a" {
		t.Error("the environment itself was changed")
	}
}
