package llm

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
)

// shelf is a model server of a test: what it lists and how often it was asked.
type shelf struct {
	models []Ability
	err    error
	asked  int
	reply  string
}

func (s *shelf) List(context.Context) ([]Ability, error) { s.asked++; return s.models, s.err }

func (s *shelf) Stream(context.Context, Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) { yield(Delta{Text: s.reply}, nil) }
}

func registryOf(now *time.Time, providers ...Provider) *Registry {
	for i := range providers {
		providers[i].Server = providers[i].Model
	}
	return NewRegistry(func() []Provider { return providers }, func() time.Time { return *now })
}

func TestALocalModelIsFoundOnceAndRemembered(t *testing.T) {
	now := time.Unix(0, 0)
	down := &shelf{err: fault.New(fault.ModelUnreachable, "down", "")}
	up := &shelf{models: []Ability{{Name: "nomic-embed-text", Embeds: true}, {Name: "qwen3:8b", Window: 4096}}}
	cloud := &shelf{models: []Ability{{Name: "gpt"}}}
	r := registryOf(&now, Provider{ID: "ollama", Local: true, Model: down}, Provider{ID: "lmstudio", Local: true, Model: up}, Provider{ID: "openai", Model: cloud, NeedsKey: true, HasKey: true})
	for range 3 {
		m, err := r.Resolve(t.Context(), "auto")
		if err != nil || m.Name() != "lmstudio/qwen3:8b" || m.Ability.Window != 4096 {
			t.Fatalf("found %q, %v", m.Name(), err)
		}
	}
	if up.asked != 1 || cloud.asked != 0 {
		t.Errorf("local server asked %d times, cloud %d", up.asked, cloud.asked)
	}
	now = now.Add(2 * foundFor)
	r.Resolve(t.Context(), "")
	if up.asked != 2 {
		t.Error("an old finding is taken for ever")
	}
}

func TestNoneIsNeverAnError(t *testing.T) {
	now := time.Unix(0, 0)
	r := registryOf(&now)
	for _, want := range []string{"none", "auto", ""} {
		if m, err := r.Resolve(t.Context(), want); err != nil || m.Model != nil || m.Name() != "" {
			t.Errorf("%q gives %v, %v", want, m, err)
		}
	}
}

func TestAChosenModelThatIsNotThereIsNamed(t *testing.T) {
	now := time.Unix(0, 0)
	r := registryOf(&now, Provider{ID: "openai", Name: "OpenAI", Model: &shelf{}, NeedsKey: true})
	for want, code := range map[string]fault.Code{"openai/gpt-5": fault.ModelAuth, "nobody/x": fault.InvalidModel, "gpt": fault.InvalidModel, "openai/": fault.InvalidModel} {
		if _, err := r.Resolve(t.Context(), want); fault.CodeOf(err) != code {
			t.Errorf("%q gives %v, want %s", want, err, code)
		}
	}
}

func TestAModelIsTestedByAShortRoundTrip(t *testing.T) {
	now := time.Unix(0, 0)
	r := registryOf(&now, Provider{ID: "local", Model: &shelf{reply: "ready"}}, Provider{ID: "mute", Model: &shelf{}})
	if _, _, err := r.Test(t.Context(), "local/m"); err != nil {
		t.Error(err)
	}
	if _, _, err := r.Test(t.Context(), "mute/m"); fault.CodeOf(err) != fault.ModelRefused {
		t.Errorf("an empty reply passes: %v", err)
	}
}

// memory is a Memory of a test.
type memory struct{ kept map[string][]Ability }

func (m *memory) Load() map[string][]Ability { return m.kept }
func (m *memory) Save(all map[string][]Ability) {
	m.kept = map[string][]Ability{}
	for place, models := range all {
		m.kept[place] = models
	}
}

// prober is a shelf that tells more of one model, or fails to.
type prober struct {
	shelf
	tells Ability
	fails error
}

func (p *prober) Probe(context.Context, string) (Ability, error) { return p.tells, p.fails }

func TestWhatAModelCanIsRememberedAcrossStarts(t *testing.T) {
	now, kept := time.Unix(0, 0), &memory{}
	server := &prober{shelf: shelf{models: []Ability{{Name: "a"}, {Name: "b", Window: 9}}}, tells: Ability{Window: 5000, Tools: true}}
	start := func(origin string) *Registry {
		r := registryOf(&now, Provider{ID: "net", Origin: origin, Model: server, NeedsKey: true, HasKey: true})
		r.Remember(kept)
		return r
	}
	r := start("https://a")
	if models := r.States(t.Context())[0].Models; len(models) != 0 || server.asked != 0 {
		t.Errorf("looking asked the net: %v", models)
	}
	if models, err := r.List(t.Context(), "net"); err != nil || len(models) != 2 {
		t.Fatalf("%v, %v", models, err)
	}
	if m, err := r.Resolve(t.Context(), "net/a"); err != nil || m.Ability.Window != 5000 {
		t.Fatalf("%+v, %v", m, err)
	}
	server.fails = fault.New(fault.ModelTimeout, "slow", "")
	again := start("https://a")
	if models := again.States(t.Context())[0].Models; len(models) != 2 || models[0].Window != 5000 || models[1].Window != 9 || server.asked != 1 {
		t.Errorf("shown without traffic: %+v", models)
	}
	if m, err := again.Resolve(t.Context(), "net/a"); err != nil || !m.Ability.Tools || m.Ability.Window != 5000 {
		t.Errorf("a probe that fails falls back on what is known: %+v, %v", m, err)
	}
	if models := start("https://b").States(t.Context())[0].Models; len(models) != 0 {
		t.Errorf("another origin is another server: %v", models)
	}
	if _, err := again.List(t.Context(), "nobody"); fault.CodeOf(err) != fault.InvalidModel {
		t.Error(err)
	}
}

// puller is a shelf that fetches.
type puller struct{ shelf }

func (*puller) Pull(_ context.Context, model string) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		if yield(Progress{Status: "pulling " + model, Done: 1, Total: 2}, nil) {
			yield(Progress{Status: "success"}, nil)
		}
	}
}

func TestOnlySomeServersFetchModels(t *testing.T) {
	now := time.Unix(0, 0)
	r := registryOf(&now, Provider{ID: "ollama", Model: &puller{}}, Provider{ID: "other", Name: "Other", Model: &shelf{}})
	var got []string
	for p, err := range r.Pull(t.Context(), "ollama/tiny") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Status)
	}
	if len(got) != 2 || got[0] != "pulling tiny" {
		t.Error(got)
	}
	for _, want := range []string{"other/x", "nobody/x", "x"} {
		for _, err := range r.Pull(t.Context(), want) {
			if fault.CodeOf(err) != fault.InvalidModel {
				t.Errorf("%s: %v", want, err)
			}
		}
	}
}

func TestAKeyThatLiesReadyIsOfferedNotTaken(t *testing.T) {
	now := time.Unix(0, 0)
	r := registryOf(&now, Provider{ID: "openai", Name: "OpenAI", Model: &shelf{}, NeedsKey: true, Offer: "OPENAI_API_KEY"})
	_, err := r.Resolve(t.Context(), "openai/gpt")
	if f := fault.Of(err); f.Code != fault.ModelAuth || !strings.Contains(f.Hint, "OPENAI_API_KEY") || !strings.Contains(f.Hint, "use chat openai/gpt") {
		t.Errorf("%+v", f)
	}
}

func TestTheWindowOfAWellKnownModelIsKnownWithoutAsking(t *testing.T) {
	now := time.Unix(0, 0)
	silent := &shelf{reply: "ready"}
	r := registryOf(&now,
		Provider{ID: "openai", Origin: "https://api.openai.com/v1", Model: silent, NeedsKey: true, HasKey: true},
		Provider{ID: "mine", Origin: "http://127.0.0.1:9/v1", Model: silent, Local: true})
	for want, window := range map[string]int{"openai/gpt-4o": 128_000, "openai/unheard-of": 0, "mine/gpt-4o": 0} {
		if m, err := r.Resolve(t.Context(), want); err != nil || m.Ability.Window != window || m.Ability.Name == "" {
			t.Errorf("%s: %+v, %v", want, m.Ability, err)
		}
	}
	if silent.asked != 0 {
		t.Errorf("asked %d times", silent.asked)
	}
	silent.models = []Ability{{Name: "gpt-4.1"}, {Name: "gpt-4o", Window: 64_000}}
	if models, err := r.List(t.Context(), "openai"); err != nil || models[0].Window != 1_047_576 || models[1].Window != 64_000 {
		t.Errorf("%+v, %v", models, err)
	}
}
