package settings

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	durationType = reflect.TypeFor[Duration]()
	entryName    = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
)

// written is a value that came as text, from a variable or a flag: numbers,
// switches and lists are read out of it.
type written string

// Values lists every setting under its dotted key. Durations are text.
func (s Settings) Values() map[string]any {
	flat := map[string]any{}
	flatten("", reflect.ValueOf(s), flat)
	return flat
}

func flatten(prefix string, v reflect.Value, flat map[string]any) {
	switch {
	case v.Type() == durationType:
		flat[prefix] = v.Interface().(Duration).String()
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			flatten(join(prefix, v.Type().Field(i).Tag.Get("toml")), v.Field(i), flat)
		}
	case v.Kind() == reflect.Map:
		for _, name := range v.MapKeys() {
			flatten(join(prefix, name.String()), v.MapIndex(name), flat)
		}
	default:
		flat[prefix] = v.Interface()
	}
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// pathOf divides a dotted key into the steps that lead to a leaf. A name in a
// map of plain values may hold dots itself, as names of models do.
func pathOf(key string) ([]string, bool) {
	var path []string
	t, rest := reflect.TypeFor[Settings](), key
	for isTree(t) {
		var step string
		switch {
		case t.Kind() == reflect.Map && !isTree(t.Elem()):
			step, rest = rest, ""
			t = t.Elem()
		case t.Kind() == reflect.Map:
			step, rest, _ = strings.Cut(rest, ".")
			t = t.Elem()
			if !entryName.MatchString(step) {
				return nil, false
			}
		default:
			step, rest, _ = strings.Cut(rest, ".")
			field, ok := fieldOf(t, step)
			if !ok {
				return nil, false
			}
			t = field.Type
		}
		if step == "" {
			return nil, false
		}
		path = append(path, step)
	}
	return path, rest == ""
}

func isTree(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Struct && t != durationType
}

func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("toml") == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// assign sets the leaf at key and checks it against its allow tag. Nothing is
// set when the value is refused.
func assign(s *Settings, key string, value any) *refusal {
	path, ok := pathOf(key)
	if !ok {
		return &refusal{key: key, reason: "is not a setting"}
	}
	r := assignAt(reflect.ValueOf(s).Elem(), path, "", value)
	if r != nil {
		r.key = key
	}
	return r
}

func assignAt(v reflect.Value, path []string, allow string, value any) *refusal {
	switch {
	case len(path) == 0:
		return setLeaf(v, allow, value)
	case v.Kind() == reflect.Map:
		entry := reflect.New(v.Type().Elem()).Elem()
		if old := v.MapIndex(reflect.ValueOf(path[0])); old.IsValid() {
			entry.Set(old)
		}
		if r := assignAt(entry, path[1:], allow, value); r != nil {
			return r
		}
		v.SetMapIndex(reflect.ValueOf(path[0]), entry)
		return nil
	}
	field, _ := fieldOf(v.Type(), path[0])
	return assignAt(v.FieldByIndex(field.Index), path[1:], field.Tag.Get("allow"), value)
}

func setLeaf(v reflect.Value, allow string, value any) *refusal {
	next := reflect.New(v.Type()).Elem()
	if err := convert(next, value); err != nil {
		return &refusal{reason: err.Error(), allowed: allow}
	}
	if r := check(allow, next); r != nil {
		return r
	}
	v.Set(next)
	return nil
}

// convert turns what TOML, JSON, a variable or a flag gave into the type of v.
func convert(v reflect.Value, value any) error {
	text, isText := value.(written)
	switch {
	case v.Type() == durationType:
		if s, ok := value.(string); ok {
			text, isText = written(s), true
		}
		if !isText {
			return fmt.Errorf("must be a time span such as 90s, 10m or 6h")
		}
		return v.Addr().Interface().(*Duration).UnmarshalText([]byte(text))
	case isText:
		return convertText(v, strings.TrimSpace(string(text)))
	case v.Kind() == reflect.Slice:
		return convertList(v, value)
	}
	return convertScalar(v, value)
}

func convertScalar(v reflect.Value, value any) error {
	raw := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Float64 && raw.CanFloat():
		v.SetFloat(raw.Float())
	case v.Kind() == reflect.Float64 && raw.CanInt():
		v.SetFloat(float64(raw.Int()))
	case v.Kind() == reflect.Int && raw.CanInt():
		v.SetInt(raw.Int())
	case v.Kind() == reflect.Int && raw.CanFloat() && raw.Float() == math.Trunc(raw.Float()) && math.Abs(raw.Float()) < 1<<53:
		v.SetInt(int64(raw.Float()))
	case raw.IsValid() && raw.Kind() == v.Kind() && (v.Kind() == reflect.String || v.Kind() == reflect.Bool):
		v.Set(raw.Convert(v.Type()))
	default:
		return fmt.Errorf("must be %s", kindName(v))
	}
	return nil
}

func convertList(v reflect.Value, value any) error {
	raw := reflect.ValueOf(value)
	if raw.Kind() != reflect.Slice {
		return fmt.Errorf("must be a list of texts")
	}
	list := make([]string, raw.Len())
	for i := range list {
		item, ok := raw.Index(i).Interface().(string)
		if !ok {
			return fmt.Errorf("must be a list of texts")
		}
		list[i] = item
	}
	v.Set(reflect.ValueOf(list))
	return nil
}

func convertText(v reflect.Value, text string) error {
	var err error
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.ValueOf(commaList(text)))
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case reflect.Int:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v.SetFloat(f)
	}
	if err != nil {
		return fmt.Errorf("must be %s", kindName(v))
	}
	return nil
}

func commaList(text string) []string {
	list := []string{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

func kindName(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "a text"
}

// number is the value of a leaf that a range can bound; durations count
// seconds.
func number(v reflect.Value) (float64, bool) {
	switch {
	case v.Type() == durationType:
		return v.Interface().(Duration).Seconds(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// bound reads one end of a range: a number, or a duration in seconds.
func bound(text string) (float64, error) {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f, nil
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), err
}
