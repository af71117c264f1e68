package registry

// Keyed are the names of what can have a key, in the order of lists: providers,
// engines and the service that computes.
func Keyed() []string {
	var names []string
	for _, p := range Providers() {
		if p.Dialect != Ollama { // its server takes none
			names = append(names, p.ID)
		}
	}
	for _, e := range append(Engines(), Computer()) {
		if e.Key != Keyless {
			names = append(names, e.Name)
		}
	}
	return names
}

// Wanted are those of which the settings show whether they have their key: they do
// not serve without one, or only who agreed to them.
func Wanted() []string {
	var names []string
	for _, p := range Providers() {
		if !p.Local {
			names = append(names, p.ID)
		}
	}
	for _, e := range append(Engines(), Computer()) {
		if e.Key == Needed || e.Consent {
			names = append(names, e.Name)
		}
	}
	return names
}

// Variables are those in which other programs look for a key, by the name here.
func Variables() map[string]string {
	all := map[string]string{}
	for _, p := range Providers() {
		if p.Variable != "" {
			all[p.ID] = p.Variable
		}
	}
	for _, e := range Engines() {
		if e.Variable != "" {
			all[e.Name] = e.Variable
		}
	}
	return all
}
