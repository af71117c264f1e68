package settings

import (
	_ "embed"

	"github.com/pelletier/go-toml/v2"
)

//go:embed defaults.toml
var defaults []byte

// Default is the configuration of a program that nobody has configured. Each
// call makes a fresh one. It panics when the embedded file does not fit the
// struct, which a test rules out.
func Default() Settings {
	var s Settings
	if err := toml.Unmarshal(defaults, &s); err != nil {
		panic("read built-in defaults: " + err.Error())
	}
	s.Providers.Custom = map[string]Provider{}
	s.Providers.Ollama.Windows = map[string]int{}
	s.Models.PromptPrices, s.Models.ReplyPrices = map[string]float64{}, map[string]float64{}
	return s
}
