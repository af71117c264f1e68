package api

import (
	"io/fs"
	"log/slog"
	"time"

	"footnote/backend/answer"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/refresh"
	"footnote/backend/settings"
	"footnote/backend/table"
	"footnote/backend/team/sharing"
	"footnote/backend/update"
	"footnote/backend/web"
)

// Rooms are what the services stand on.
type Rooms struct {
	Person   string // whose they are, where people sign in
	Engine   *answer.Engine
	DB       Store
	Shared   sharing.Store // nil: there is nobody to share with
	Library  *library.Library
	Settings *settings.Store
	Keys     *settings.Keys
	Models   *llm.Registry
	Outside
	Refresher *refresh.Refresher // nil: no answers are kept fresh
	Tables    *table.Tables      // nil: no evidence tables are kept
	Updates   *update.Checker    // nil: newer versions are not looked for
	Sample    fs.FS              // the sample library; nil: there is none
	Version   string
	Began     time.Time
	Log       *slog.Logger

	// OpenPath opens a file in the system's own program; nil where there is no desktop.
	OpenPath func(path string) error
	// FromWindow marks the transport that may set addresses of private endpoints.
	FromWindow bool

	jobs   jobs
	abouts abouts
}

// Outside is what of the rooms goes out.
type Outside struct {
	Engines  *web.EngineRegistry
	Warmer   *web.Warmer // nil: nothing is opened ahead
	Pictures *web.Pictures
	Pages    *web.Cache     // nil: no pages are kept between questions
	Aside    *privacy.Aside // nil: nothing goes out beside runs
}

// Services are what a reader can do, by noun. Ids are checked by the rooms;
// results are the wire's own shapes.
type Services struct {
	Runs          Runs
	Subscriptions Subscriptions
	Threads       Threads
	Exports       Exports
	Sources       Sources
	Library       Library
	Collections   Collections
	Notes         Notes
	Models        Models
	Jobs          Jobs
	Engines       Engines
	Settings      Settings
	Keys          Keys
	Personas      Personas
	Lenses        Lenses
	Consents      Consents
	Discovery     Discovery
	Tables        Tables
	Updates       Updates
	Sharing       Sharing
}

// New makes the services over the rooms.
func New(r *Rooms) *Services {
	return &Services{
		Runs: Runs{r}, Subscriptions: Subscriptions{r}, Threads: Threads{r}, Exports: Exports{r}, Sources: Sources{r}, Library: Library{r}, Collections: Collections{r}, Notes: Notes{r},
		Models: Models{r}, Jobs: Jobs{r}, Engines: Engines{r}, Settings: Settings{r}, Keys: Keys{r}, Personas: Personas{r}, Lenses: Lenses{r}, Consents: Consents{r}, Discovery: Discovery{r}, Tables: Tables{r}, Updates: Updates{r}, Sharing: Sharing{r},
	}
}
