// Package settings holds what the user may change: typed, defaulted, validated,
// and the keys of providers, which never print themselves.
//
//	settings.go   the tree: one struct a section; the allow tag says what a value may be
//	load.go       defaults < config.toml < environment < flags, and where each value came from
//	put.go        changing values: all or nothing, written atomically
//	owner.go      a data folder of another user is refused
//	keys.go       secrets: environment, keychain, or a 0600 file after an explicit choice
package settings

import "footnote/backend/evidence"

// Settings is the whole configuration. A value handed out is shared and must
// not be changed: its lists and maps belong to the Store.
//
// The toml tag names the key; the allow tag lists, divided by |, what the value
// may be: a word, a range a..b, or one of the patterns url, host:port, origin,
// provider/model, keys. Lists are checked element by element.
type Settings struct {
	Ask       AskSettings       `toml:"ask"`
	Limits    LimitsSettings    `toml:"limits"`
	Agent     AgentSettings     `toml:"agent"`
	Deep      DeepSettings      `toml:"deep"`
	Models    ModelsSettings    `toml:"models"`
	Providers ProvidersSettings `toml:"providers"`
	Web       WebSettings       `toml:"web"`
	Rank      RankSettings      `toml:"rank"`
	Cite      CiteSettings      `toml:"cite"`
	Library   LibrarySettings   `toml:"library"`
	Privacy   PrivacySettings   `toml:"privacy"`
	Server    ServerSettings    `toml:"server"`
	Store     StoreSettings     `toml:"store"`
	Debug     DebugSettings     `toml:"debug"`
	UI        UISettings        `toml:"ui"`
	Notes     NotesSettings     `toml:"notes"`
	Team      TeamSettings      `toml:"team"`
}

// AskSettings are the defaults of a question.
type AskSettings struct {
	Focus               string   `toml:"focus" allow:"web|local|all|academic|video|community|compute|writing"`
	Mode                string   `toml:"mode" allow:"speed|balanced|agent|deep"`
	Web                 bool     `toml:"web"`
	OnTimeout           string   `toml:"on_timeout" allow:"rules|skip"`
	RewriteTimeoutMs    int      `toml:"rewrite_timeout_ms" allow:"100..60000"`
	CacheMinutes        int      `toml:"cache_minutes" allow:"0..10080"`
	RewriteCacheMinutes int      `toml:"rewrite_cache_minutes" allow:"0..10080"`
	Clarify             bool     `toml:"clarify"`
	ClarifyWait         Duration `toml:"clarify_wait" allow:"1s..24h"`
	FollowUps           int      `toml:"follow_ups" allow:"0..10"`
	HistoryTurns        int      `toml:"history_turns" allow:"0..50"`
	Language            string   `toml:"language"`
}

// LimitsSettings bound one turn and the program as a whole.
type LimitsSettings struct {
	QuestionChars  int     `toml:"question_chars" allow:"1..100000"`
	ContextChars   int     `toml:"context_chars" allow:"0..1000000"`
	DeepQueryChars int     `toml:"deep_query_chars" allow:"1..100000"`
	RunsAtOnce     int     `toml:"runs_at_once" allow:"1..64"`
	ModelCalls     int     `toml:"model_calls" allow:"1..1000"`
	ToolCalls      int     `toml:"tool_calls" allow:"1..1000"`
	Tokens         int     `toml:"tokens" allow:"0..100000000"`
	Cost           float64 `toml:"cost" allow:"0..100000"`
	FetchesAtOnce  int     `toml:"fetches_at_once" allow:"1..64"`
}

// AgentSettings steer agent mode.
type AgentSettings struct {
	MaxSteps            int     `toml:"max_steps" allow:"1..25"`
	Planner             bool    `toml:"planner"`
	Parallel            bool    `toml:"parallel"`
	Clarification       bool    `toml:"clarification"`
	LoopDetection       bool    `toml:"loop_detection"`
	Reflection          bool    `toml:"reflection"`
	FileSearchMax       int     `toml:"file_search_max" allow:"1..100"`
	FileSearchThreshold float64 `toml:"file_search_threshold" allow:"0..1"`
}

// DeepSettings steer deep research.
type DeepSettings struct {
	Minutes             int     `toml:"minutes" allow:"1..240"`
	Turns               int     `toml:"turns" allow:"1..1000"`
	Tokens              int     `toml:"tokens" allow:"0..100000000"` // of all models; 0 for no limit
	Soft                float64 `toml:"soft" allow:"0.1..1"`
	DimensionsMin       int     `toml:"dimensions_min" allow:"1..20"`
	DimensionsMax       int     `toml:"dimensions_max" allow:"1..20"`
	Passes              int     `toml:"passes" allow:"1..20"`
	ResultsPerDimension int     `toml:"results_per_dimension" allow:"1..50"`
	WarmupResults       int     `toml:"warmup_results" allow:"1..50"`
	WarmupSnippetChars  int     `toml:"warmup_snippet_chars" allow:"0..2000"`
	Review              string  `toml:"review" allow:"auto|ask"`
	ReviewMs            int     `toml:"review_ms" allow:"0..600000"`
	Facts               int     `toml:"facts" allow:"1..100"`
	Quotes              int     `toml:"quotes" allow:"0..100"`
	Pages               int     `toml:"pages" allow:"1..50"`
	ExtractionsAtOnce   int     `toml:"extractions_at_once" allow:"1..16"`
	PageChars           int     `toml:"page_chars" allow:"1000..1000000"`
	CallTimeoutS        int     `toml:"call_timeout_s" allow:"1..3600"`
	CompressChars       int     `toml:"compress_chars" allow:"500..1000000"`
	ExcerptChars        int     `toml:"excerpt_chars" allow:"100..100000"`
	Gaps                int     `toml:"gaps" allow:"0..20"`
	WordsMin            int     `toml:"words_min" allow:"100..100000"`
	WordsMax            int     `toml:"words_max" allow:"100..100000"`
}

// ModelsSettings choose models by role and bound their streams.
type ModelsSettings struct {
	Chat               string  `toml:"chat" allow:"auto|none|provider/model"`
	System             string  `toml:"system" allow:"|none|provider/model"`
	Rewrite            string  `toml:"rewrite" allow:"|none|provider/model"`
	Embedding          string  `toml:"embedding" allow:"auto|builtin|none|provider/model"`
	Rerank             string  `toml:"rerank" allow:"none|provider/model"`
	Temperature        float64 `toml:"temperature" allow:"0..0.3"`
	WindowDefault      int     `toml:"window_default" allow:"1024..10000000"`
	AnswerReserve      int     `toml:"answer_reserve" allow:"128..100000"`
	ConnectTimeoutS    int     `toml:"connect_timeout_s" allow:"1..300"`
	FirstTokenTimeoutS int     `toml:"first_token_timeout_s" allow:"1..3600"`
	IdleTimeoutS       int     `toml:"idle_timeout_s" allow:"1..3600"`
	Retries            int     `toml:"retries" allow:"1..10"`
	RetryAfterMaxS     int     `toml:"retry_after_max_s" allow:"0..600"`

	// Prices in units of limits.cost a million tokens, by provider/model, where
	// the provider does not tell them itself.
	PromptPrices map[string]float64 `toml:"prompt_prices" allow:"0..100000"`
	ReplyPrices  map[string]float64 `toml:"reply_prices" allow:"0..100000"`
}

// Provider is where a model server is reached.
type Provider struct {
	URL string `toml:"url" allow:"url"`
}

// OllamaProvider also knows the window, in tokens, that each model shall get.
type OllamaProvider struct {
	URL     string         `toml:"url" allow:"url"`
	NumCtx  int            `toml:"num_ctx" allow:"0|512..10000000"`
	Windows map[string]int `toml:"windows" allow:"512..10000000"`
}

// ProvidersSettings are the endpoints of model providers. Custom ones speak the
// OpenAI dialect.
type ProvidersSettings struct {
	Ollama    OllamaProvider      `toml:"ollama"`
	LMStudio  Provider            `toml:"lmstudio"`
	LlamaCpp  Provider            `toml:"llamacpp"`
	OpenAI    Provider            `toml:"openai"`
	Anthropic Provider            `toml:"anthropic"`
	Gemini    Provider            `toml:"gemini"`
	Groq      Provider            `toml:"groq"`
	DeepSeek  Provider            `toml:"deepseek"`
	Custom    map[string]Provider `toml:"custom"`
}

// WebSettings steer web search and page reading.
type WebSettings struct {
	Enabled        bool              `toml:"enabled"`
	Engines        []string          `toml:"engines"`
	Keyless        string            `toml:"keyless" allow:"fallback|always|never"`
	Parallel       int               `toml:"parallel" allow:"1..10"`
	Consent        []string          `toml:"consent"`
	CloseMs        int               `toml:"close_ms" allow:"100..60000"`
	TimeoutMs      int               `toml:"timeout_ms" allow:"100..120000"`
	Results        int               `toml:"results" allow:"1..50"`
	Candidates     int               `toml:"candidates" allow:"1..200"`
	QueryChars     int               `toml:"query_chars" allow:"10..10000"`
	Retries        int               `toml:"retries" allow:"0..5"`
	RetryMs        int               `toml:"retry_ms" allow:"0..60000"`
	ReadPages      int               `toml:"read_pages" allow:"0..20"`
	ReadCloseMs    int               `toml:"read_close_ms" allow:"100..60000"`
	FetchTimeoutS  int               `toml:"fetch_timeout_s" allow:"1..300"`
	Robots         bool              `toml:"robots"`
	UserAgent      string            `toml:"user_agent"`
	Browser        bool              `toml:"browser"`
	CacheEntries   int               `toml:"cache_entries" allow:"0..100000"`
	CacheHours     int               `toml:"cache_hours" allow:"0..8760"`
	ImageTimeoutMs int               `toml:"image_timeout_ms" allow:"100..60000"`
	Images         bool              `toml:"images"`
	Breaker        BreakerSettings   `toml:"breaker"`
	Searxng        SearxngSettings   `toml:"searxng"`
	Serper         SerperSettings    `toml:"serper"`
	Academic       AcademicSettings  `toml:"academic"`
	Community      CommunitySettings `toml:"community"`
	Video          VideoSettings     `toml:"video"`
	Compute        ComputeSettings   `toml:"compute"`
}

// BreakerSettings say how long an engine rests after it refused.
type BreakerSettings struct {
	Blocks    int      `toml:"blocks" allow:"1..100"`
	Forbidden Duration `toml:"forbidden" allow:"0s..24h"`
	TooMany   Duration `toml:"too_many" allow:"0s..24h"`
	Max       Duration `toml:"max" allow:"0s..24h"`
}

// SearxngSettings name the user's own metasearch server; empty means none.
type SearxngSettings struct {
	URL string `toml:"url" allow:"|url"`
}

// SerperSettings name the Serper endpoint or a proxy of it.
type SerperSettings struct {
	URL string `toml:"url" allow:"url"`
}

// AcademicSettings choose the engines of the academic focus.
type AcademicSettings struct {
	Engines []string `toml:"engines"`
	Mailto  string   `toml:"mailto"`
}

// CommunitySettings choose the engines of the community focus.
type CommunitySettings struct {
	Engines []string `toml:"engines"`
}

// VideoSettings choose the engines of the video focus.
type VideoSettings struct {
	Engines   []string `toml:"engines"`
	Invidious string   `toml:"invidious" allow:"|url"`
}

// ComputeSettings choose who computes.
type ComputeSettings struct {
	Wolfram string `toml:"wolfram" allow:"llm-api|result|query|none"`
}

// RankSettings steer the order of evidence.
type RankSettings struct {
	Measure             string            `toml:"measure" allow:"cosine|dot|euclidean"`
	Jaccard             float64           `toml:"jaccard" allow:"0..1"`
	HalfLifeDays        float64           `toml:"half_life_days" allow:"0.1..100000"`
	UnknownFreshness    float64           `toml:"unknown_freshness" allow:"0..1"`
	Floor               float64           `toml:"floor" allow:"0..1"`
	MaxPassages         int               `toml:"max_passages" allow:"1..8"`
	MaxPerDomain        int               `toml:"max_per_domain" allow:"0..100"`
	Fusion              string            `toml:"fusion" allow:"weighted|rrf"`
	RRFK                int               `toml:"rrf_k" allow:"1..1000"`
	Encoder             string            `toml:"encoder" allow:"auto|on|off"`
	EncoderTop          int               `toml:"encoder_top" allow:"5..100"`
	EncoderWaitMs       int               `toml:"encoder_wait_ms" allow:"0..60000"`
	Prioritise          string            `toml:"prioritise" allow:"auto|on|off"`
	PrioritiseTimeoutMs int               `toml:"prioritise_timeout_ms" allow:"100..60000"`
	Preset              string            `toml:"preset" allow:"auto|general|news|technical|academic|opinion|video|community|writing"`
	Presets             map[string]Preset `toml:"presets"`
	Authority           AuthoritySettings `toml:"authority"`
}

// Preset weighs the four scores, which sum to 1, and says how many passages the
// model gets.
type Preset struct {
	Semantic  float64 `toml:"semantic" allow:"0..1"`
	Keyword   float64 `toml:"keyword" allow:"0..1"`
	Freshness float64 `toml:"freshness" allow:"0..1"`
	Authority float64 `toml:"authority" allow:"0..1"`
	K         int     `toml:"k" allow:"1..8"`
}

// AuthoritySettings are the parts of the authority score and the trusted
// domains.
type AuthoritySettings struct {
	Base      float64  `toml:"base" allow:"0..1"`
	Trusted   float64  `toml:"trusted" allow:"0..1"`
	Edu       float64  `toml:"edu" allow:"0..1"`
	Gov       float64  `toml:"gov" allow:"0..1"`
	HTTPS     float64  `toml:"https" allow:"0..1"`
	Words500  float64  `toml:"words_500" allow:"0..1"`
	Words1500 float64  `toml:"words_1500" allow:"0..1"`
	Domains   []string `toml:"domains"`
}

// CiteSettings steer citations and their check.
type CiteSettings struct {
	Style       string `toml:"style" allow:"[1]|[^1]"`
	Unsupported string `toml:"unsupported" allow:"mark|withdraw"`
	ModelCheck  bool   `toml:"model_check"`
}

// LibrarySettings steer the reader's own files.
type LibrarySettings struct {
	SearchAll     bool     `toml:"search_all"`
	ChunkChars    int      `toml:"chunk_chars" allow:"100..10000"`
	ChunkOverlap  int      `toml:"chunk_overlap" allow:"0..5000"`
	WholeChars    int      `toml:"whole_chars" allow:"0..20000"`
	Watch         bool     `toml:"watch"`
	Paused        bool     `toml:"paused"` // files that wait are not read
	Rescan        Duration `toml:"rescan" allow:"0s|1m..720h"`
	Exclude       []string `toml:"exclude"`
	OCR           string   `toml:"ocr" allow:"auto|off"`
	ParseTimeoutS int      `toml:"parse_timeout_s" allow:"1..600"`
	Workers       int      `toml:"workers" allow:"0..256"`
}

// Split is how texts are cut into passages, files and pages alike.
func (s LibrarySettings) Split() evidence.SplitOptions {
	return evidence.SplitOptions{Max: s.ChunkChars, Overlap: s.ChunkOverlap, Whole: s.WholeChars}
}

// PrivacySettings say what may leave the machine and where keys lie.
type PrivacySettings struct {
	Scope                 string   `toml:"scope" allow:"all|no-cloud-models|local-only"`
	AllowedPrivateOrigins []string `toml:"allowed_private_origins" allow:"origin"`
	PreviewBeforeCloud    bool     `toml:"preview_before_cloud"`
	Redact                bool     `toml:"redact"`
	Keychain              bool     `toml:"keychain"`
	UpdateCheck           bool     `toml:"update_check"`
}

// ServerSettings steer the HTTP mouth.
type ServerSettings struct {
	Enabled       bool     `toml:"enabled"`
	Addr          string   `toml:"addr" allow:"host:port"`
	Hosts         []string `toml:"hosts"`
	RatePerMinute int      `toml:"rate_per_minute" allow:"0..100000"`
}

// StoreSettings steer the database.
type StoreSettings struct {
	BackupDays     int  `toml:"backup_days" allow:"0..3650"`
	SecureDelete   bool `toml:"secure_delete"`
	PrivateDefault bool `toml:"private_default"`
}

// DebugSettings switch on more words in the log.
type DebugSettings struct {
	Web   bool   `toml:"web"`
	LLM   bool   `toml:"llm"`
	Level string `toml:"level" allow:"debug|info|warn|error"`
}

// UISettings are the looks of the window, and how it is reached from elsewhere.
type UISettings struct {
	Theme       string `toml:"theme" allow:"system|light|dark"`
	TextSize    string `toml:"text_size" allow:"normal|large|larger|largest"`
	HotKey      string `toml:"hotkey" allow:"|keys"` // keys that open the box from any program; empty takes none
	Tray        bool   `toml:"tray"`                 // an icon in the system's tray, where the program stays when its window is closed
	Autostart   bool   `toml:"autostart"`            // the program starts with the person's session
	UpdateAsked bool   `toml:"update_asked"`         // whether privacy.update_check may be on was asked
}

// TeamSettings say where the library of several people is.
type TeamSettings struct {
	Database string `toml:"database"` // postgres:// address, with name and password
}

// NotesSettings say where answers are saved as notes.
type NotesSettings struct {
	Folder string `toml:"folder"` // absolute path, such as that of a vault of Obsidian; empty saves none
}
