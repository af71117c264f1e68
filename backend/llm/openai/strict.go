package openai

import (
	"encoding/json"
	"maps"
	"slices"
)

// unheld are words of JSON schema with which a schema cannot be held strictly;
// dropped ones are limits that nobody holds, with or without being strict.
var (
	unheld  = []string{"allOf", "not", "if", "then", "else", "oneOf", "patternProperties", "dependentRequired", "dependentSchemas", "propertyNames", "prefixItems"}
	dropped = []string{"minLength", "maxLength", "default", "examples", "uniqueItems", "minProperties", "maxProperties"}
)

// strictly is a schema as OpenAI holds it to the letter: every property is
// required and nothing else is allowed. ok is false for a schema that would then
// have a model say what it need not: a number, a choice.
func strictly(schema json.RawMessage) (held json.RawMessage, ok bool) {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil || root["type"] != "object" || !tighten(root) {
		return nil, false
	}
	held, err := json.Marshal(root)
	return held, err == nil
}

// tighten changes a schema in place, and what stands in it.
func tighten(schema map[string]any) bool {
	for _, word := range unheld {
		if _, has := schema[word]; has {
			return false
		}
	}
	for _, word := range dropped {
		delete(schema, word)
	}
	if schema["type"] == "object" && !tightenObject(schema) {
		return false
	}
	inner := []any{schema["items"]}
	if any, ok := schema["anyOf"].([]any); ok {
		inner = append(inner, any...)
	}
	for _, named := range []string{"properties", "$defs", "definitions"} {
		parts, _ := schema[named].(map[string]any)
		for _, part := range parts {
			inner = append(inner, part)
		}
	}
	for _, part := range inner {
		if part, ok := part.(map[string]any); ok && !tighten(part) {
			return false
		}
	}
	return true
}

func tightenObject(schema map[string]any) bool {
	properties, _ := schema["properties"].(map[string]any)
	if more, has := schema["additionalProperties"]; has && more != false || len(properties) == 0 {
		return false // an object of any keys
	}
	required, _ := schema["required"].([]any)
	for name, property := range properties {
		if !slices.Contains(required, any(name)) && !canBeEmpty(property) {
			return false
		}
	}
	schema["required"], schema["additionalProperties"] = slices.Sorted(maps.Keys(properties)), false
	return true
}

// canBeEmpty reports whether a property that may be left out can as well be there
// and say nothing: a text or a list of any length.
func canBeEmpty(property any) bool {
	p, _ := property.(map[string]any)
	_, chosen := p["enum"]
	_, least := p["minItems"]
	_, shaped := p["pattern"]
	_, format := p["format"]
	shortest, _ := p["minLength"].(float64)
	return (p["type"] == "string" || p["type"] == "array") && !chosen && !least && !shaped && !format && shortest == 0
}
