package compute

import (
	"math/big"
	"strings"
)

// unit is a measure: so many base units of a dimension. offset is added after
// scaling, for temperatures.
type unit struct {
	name   string // as it is shown
	dim    dimension
	scale  *big.Rat
	offset *big.Rat
	prefix bool // may stand behind kilo, milli …
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("bad constant " + s)
	}
	return r
}

func times(d ...dimension) dimension {
	var out dimension
	for _, x := range d {
		out = out.plus(x, 1)
	}
	return out
}

func per(a, b dimension) dimension { return a.plus(b, -1) }

var (
	speed    = per(length, seconds)
	force    = per(times(mass, length), times(seconds, seconds))
	energy   = times(force, length)
	powerDim = per(energy, seconds)
	press    = per(force, times(length, length))
	volume   = times(length, length, length)
	charge   = times(current, seconds)
	volt     = per(powerDim, current)
)

// units by name; names in the table are separated by blanks, the first is shown.
var units = table([]struct {
	names  string
	dim    dimension
	scale  string
	prefix bool
}{
	{"m metre metres meter meters", length, "1", true},
	{"in inch inches", length, "0.0254", false}, {"ft foot feet", length, "0.3048", false}, {"yd yard yards", length, "0.9144", false},
	{"mi mile miles", length, "1609.344", false}, {"nmi nautical_mile nautical_miles", length, "1852", false}, {"Å angstrom angstroms", length, "1e-10", false},
	{"au astronomical_unit astronomical_units", length, "149597870700", false}, {"ly light_year light_years lightyear lightyears", length, "9460730472580800", false},
	{"g gram grams gramme grammes", mass, "1/1000", true}, {"t tonne tonnes ton tons", mass, "1000", false}, {"lb lbs pound pounds", mass, "0.45359237", false},
	{"oz ounce ounces", mass, "0.028349523125", false}, {"st stone", mass, "6.35029318", false},
	{"s sec secs second seconds", seconds, "1", true}, {"min mins minute minutes", seconds, "60", false}, {"h hr hrs hour hours", seconds, "3600", false},
	{"days day d", seconds, "86400", false}, {"weeks week", seconds, "604800", false}, {"years year yr yrs", seconds, "31556952", false}, {"months month", seconds, "2629746", false},
	{"A amp amps ampere amperes", current, "1", true}, {"K kelvin kelvins", heat, "1", true},
	{"m² sqm", times(length, length), "1", false}, {"ha hectare hectares", times(length, length), "10000", false},
	{"acres acre", times(length, length), "4046.8564224", false}, {"ft² sqft", times(length, length), "0.09290304", false},
	{"km²", times(length, length), "1000000", false},
	{"l litre litres liter liters", volume, "1/1000", true}, {"m³", volume, "1", false},
	{"gal gallon gallons us_gallon us_gallons", volume, "0.003785411784", false}, {"imp_gal imperial_gallon imperial_gallons", volume, "0.00454609", false},
	{"qt quart quarts", volume, "0.000946352946", false}, {"pt pint pints", volume, "0.000473176473", false}, {"cups cup", volume, "0.0002365882365", false},
	{"fl_oz fluid_ounce fluid_ounces", volume, "0.0000295735295625", false}, {"tbsp tablespoon tablespoons", volume, "0.00001478676478125", false},
	{"tsp teaspoon teaspoons", volume, "0.00000492892159375", false}, {"barrels barrel bbl", volume, "0.158987294928", false},
	{"km/h kph kmh", speed, "5/18", false}, {"mph", speed, "0.44704", false}, {"kn knot knots", speed, "463/900", false},
	{"N newton newtons", force, "1", true}, {"J joule joules", energy, "1", true}, {"cal calorie calories", energy, "4.184", true}, {"Wh watt_hour watt_hours", energy, "3600", true},
	{"eV electronvolt electronvolts", energy, "1.602176634e-19", true}, {"BTU btus", energy, "1055.05585262", false},
	{"W watt watts", powerDim, "1", true}, {"hp horsepower", powerDim, "745.69987158227022", false},
	{"Pa pascal pascals", press, "1", true}, {"bar bars", press, "100000", true}, {"atm atmosphere atmospheres", press, "101325", false},
	{"psi", press, "6894.757293168361", false}, {"mmHg", press, "133.322387415", false},
	{"Hz hertz", per(number, seconds), "1", true}, {"C coulomb coulombs", charge, "1", true}, {"V volt volts", volt, "1", true}, {"Ω ohm ohms", per(volt, current), "1", true},
	{"bit bits", bits, "1", true}, {"B byte bytes", bits, "8", true}, {"KiB kibibyte kibibytes", bits, "8192", false}, {"MiB mebibyte mebibytes", bits, "8388608", false},
	{"GiB gibibyte gibibytes", bits, "8589934592", false}, {"TiB tebibyte tebibytes", bits, "8796093022208", false},
	{"rad radian radians", number, "1", false}, {"° degree degrees", number, "0.01745329251994329576923690768488612713", false},
})

var prefixes = []struct {
	short, long, factor string
}{
	{"da", "deca", "10"}, {"h", "hecto", "100"}, {"k", "kilo", "1000"}, {"M", "mega", "1e6"}, {"G", "giga", "1e9"}, {"T", "tera", "1e12"}, {"P", "peta", "1e15"},
	{"d", "deci", "1/10"}, {"c", "centi", "1/100"}, {"m", "milli", "1/1000"}, {"µ", "micro", "1e-6"}, {"u", "micro", "1e-6"}, {"n", "nano", "1e-9"}, {"p", "pico", "1e-12"},
}

// temperatures have a zero of their own.
var temperatures = map[string]unit{
	"°c": {name: "°C", dim: heat, scale: rat("1"), offset: rat("273.15")},
	"°f": {name: "°F", dim: heat, scale: rat("5/9"), offset: rat("45967/180")},
}

var temperatureNames = map[string]string{
	"°c": "°c", "celsius": "°c", "centigrade": "°c", "degc": "°c", "°f": "°f", "fahrenheit": "°f", "degf": "°f",
}

// constants of nature (2019 SI, CODATA 2018) and of mathematics.
var constants = map[string]struct {
	value   string
	dim     dimension
	inexact bool
}{
	"pi": {"3.14159265358979323846264338327950288", number, true}, "π": {"3.14159265358979323846264338327950288", number, true},
	"e": {"2.71828182845904523536028747135266250", number, true}, "tau": {"6.28318530717958647692528676655900577", number, true},
	"golden_ratio":   {"1.61803398874989484820458683436563812", number, true},
	"speed_of_light": {"299792458", speed, false}, "c0": {"299792458", speed, false},
	"standard_gravity": {"9.80665", per(speed, seconds), false}, "gravity": {"9.80665", per(speed, seconds), false},
	"avogadro": {"6.02214076e23", number, false}, "boltzmann": {"1.380649e-23", per(energy, heat), false},
	"planck": {"6.62607015e-34", times(energy, seconds), false}, "elementary_charge": {"1.602176634e-19", charge, false},
	"gravitational_constant": {"6.67430e-11", per(times(volume), times(mass, seconds, seconds)), true},
}

type unitTable struct{ byName map[string]unit }

func table(rows []struct {
	names  string
	dim    dimension
	scale  string
	prefix bool
}) unitTable {
	t := unitTable{map[string]unit{}}
	for _, row := range rows {
		names := strings.Fields(row.names)
		u := unit{name: strings.ReplaceAll(names[0], "_", " "), dim: row.dim, scale: rat(row.scale), prefix: row.prefix}
		for _, n := range names {
			t.byName[n] = u
		}
	}
	for i, c := range currencies {
		for n := range strings.FieldsSeq(c.words) {
			t.byName[n] = currencyUnit(i)
		}
	}
	return t
}

// find knows a unit by its symbol, its name in any case, and behind a prefix.
func (t unitTable) find(word string) (unit, bool) {
	if u, ok := temperatures[temperatureNames[strings.ToLower(word)]]; ok {
		return u, true
	}
	if u, ok := t.byName[word]; ok {
		return u, true
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(word, p.short); ok {
			if u, known := t.byName[rest]; known && u.prefix && len(rest) <= 3 {
				return u.prefixed(p.short+rest, p.factor), true
			}
		}
	}
	lower := strings.ToLower(word)
	if u, ok := t.byName[lower]; ok {
		return u, true
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(lower, p.long); ok {
			if u, known := t.byName[rest]; known && u.prefix {
				return u.prefixed(p.short+u.name, p.factor), true
			}
		}
	}
	if symbol, ok := careless[lower]; ok && symbol != word {
		return t.find(symbol)
	}
	if name, ok := foreign[lower]; ok && name != word {
		return t.find(name)
	}
	return unit{}, false
}

// foreign are the names of units in other languages than English.
var foreign = readForeign()

func readForeign() map[string]string {
	out := map[string]string{}
	for name, words := range rows("units") {
		for w := range strings.FieldsSeq(words) {
			out[w] = name
		}
	}
	return out
}

// value is one of the unit.
func (u unit) value() value {
	if u.offset != nil {
		return value{r: u.scale, dim: heat, zero: temperatureZeros[u.name]}
	}
	return value{r: u.scale, dim: u.dim, show: u.measure()}
}

func (u unit) measure() measure { return measure{{name: u.name, scale: u.scale, dim: u.dim, power: 1}} }

// at is the temperature at a reading of a scale with a zero of its own.
func (u *unit) at(reading *big.Rat, inexact bool) value {
	return value{r: new(big.Rat).Add(new(big.Rat).Mul(reading, u.scale), u.offset), dim: heat, inexact: inexact, zero: temperatureZeros[u.name]}
}

// reading is what a thermometer shows.
func (v value) reading() *big.Rat {
	return new(big.Rat).Quo(new(big.Rat).Sub(v.r, v.zero.offset), v.zero.scale)
}

func (v value) zeroName() string {
	if v.zero != nil {
		return v.zero.name
	}
	return v.show.name()
}

var temperatureZeros = func() map[string]*unit {
	out := map[string]*unit{}
	for _, u := range temperatures {
		out[u.name] = &u
	}
	return out
}()

var percentUnit = value{r: big.NewRat(1, 100), show: measure{{name: "%", scale: big.NewRat(1, 100), power: 1}}}

// careless are symbols as people write them without minding the case.
var careless = map[string]string{
	"kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB", "pb": "PB", "kbit": "kbit", "mbit": "Mbit", "gbit": "Gbit", "kib": "KiB", "mib": "MiB", "gib": "GiB",
	"kwh": "kWh", "mwh": "MWh", "gwh": "GWh", "kw": "kW", "gw": "GW", "hz": "Hz", "khz": "kHz", "mhz": "MHz", "ghz": "GHz", "kpa": "kPa", "hpa": "hPa", "mpa": "MPa",
	"kj": "kJ", "mj": "MJ", "ev": "eV", "kev": "keV", "k": "K", "w": "W", "v": "V", "n": "N", "j": "J", "kg": "kg", "km": "km", "cm": "cm", "mm": "mm", "mmhg": "mmHg",
}

func (u unit) prefixed(name, factor string) unit {
	u.name, u.scale = name, new(big.Rat).Mul(u.scale, rat(factor))
	return u
}
