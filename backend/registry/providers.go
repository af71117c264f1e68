package registry

// Dialect is a wire protocol that model servers speak.
type Dialect string

// The dialects; each is a folder below llm.
const (
	OpenAI    Dialect = "openai"
	Ollama    Dialect = "ollama"
	Anthropic Dialect = "anthropic"
	Gemini    Dialect = "gemini"
)

// Provider is a server of models. Its address is a setting, and has its default
// there.
type Provider struct {
	ID, Name string
	Dialect  Dialect
	Local    bool   // on this computer: needs no key
	Variable string // in which other programs look for its key
}

// Providers are those that Footnote knows by name, in the order of lists.
func Providers() []Provider {
	return []Provider{
		{ID: "ollama", Name: "Ollama", Dialect: Ollama, Local: true},
		{ID: "lmstudio", Name: "LM Studio", Dialect: OpenAI, Local: true},
		{ID: "llamacpp", Name: "llama.cpp", Dialect: OpenAI, Local: true},
		{ID: "openai", Name: "OpenAI", Dialect: OpenAI, Variable: "OPENAI_API_KEY"},
		{ID: "anthropic", Name: "Anthropic", Dialect: Anthropic, Variable: "ANTHROPIC_API_KEY"},
		{ID: "gemini", Name: "Gemini", Dialect: Gemini, Variable: "GEMINI_API_KEY"},
		{ID: "groq", Name: "Groq", Dialect: OpenAI, Variable: "GROQ_API_KEY"},
		{ID: "deepseek", Name: "DeepSeek", Dialect: OpenAI, Variable: "DEEPSEEK_API_KEY"},
	}
}
