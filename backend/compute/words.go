package compute

import (
	"regexp"
	"strings"
)

// rewrites turn the ways people put a computation into an expression, in order.
var rewrites = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`[\x{2018}\x{2019}]`), "'"}, {regexp.MustCompile(`[−–]`), "-"}, {regexp.MustCompile(`[×·]`), "*"}, {regexp.MustCompile(`÷`), "/"},
	{regexp.MustCompile(`²`), "^2"}, {regexp.MustCompile(`³`), "^3"}, {regexp.MustCompile(`\*\*`), "^"},
	{regexp.MustCompile(`(?i)^\s*(?:hey|hi|ok|so|and|please|can you|could you|tell me|i want to know|do you know)\b[\s,]*`), ""},
	{regexp.MustCompile(`(?i)^\s*(?:what's|what is|what are|whats|what does|what do|how much is|how much are|calculate|compute|evaluate|work out|solve|find|give me)\s+`), ""},
	{regexp.MustCompile(`(?i)\s*(?:equal|equals|make|=)?\s*[?=.]*\s*$`), ""},
	{regexp.MustCompile(`(?i)^(?:what )?(?:percent|percentage|%) of (.+?) is (.+)$`), "($2)/($1) in percent"},
	{regexp.MustCompile(`(?i)^what (?:percent|percentage) is (.+?) of (.+)$`), "($1)/($2) in percent"},
	{regexp.MustCompile(`(?i)^(.+?) is what (?:percent|percentage|%) of (.+)$`), "($1)/($2) in percent"},
	{regexp.MustCompile(`(?i)^(.+?) as a (?:percent|percentage) of (.+)$`), "($1)/($2) in percent"},
	{regexp.MustCompile(`(?i)^how (?:many|much) (.+?) (?:are there in|are in|is in|is|are|in) (.+)$`), "$2 in $1"},
	{regexp.MustCompile(`(?i)^convert (.+)$`), "$1"},
	{regexp.MustCompile(`(?i)^(.+?)\s*=\s*\?+\s*([\p{L}°/^0-9]+)$`), "$1 in $2"},
	{regexp.MustCompile(`(?i)\bto the power of\b|\braised to\b`), "^"}, {regexp.MustCompile(`(?i)\bmultiplied by\b|\btimes\b`), "*"},
	{regexp.MustCompile(`(?i)\bdivided by\b|\bper\b|\bover\b`), "/"}, {regexp.MustCompile(`(?i)\bplus\b`), "+"}, {regexp.MustCompile(`(?i)\bminus\b`), "-"},
	{regexp.MustCompile(`(?i)\b(?:the )?(?:square root|sqrt) (?:of )?`), "sqrt "}, {regexp.MustCompile(`(?i)\b(?:the )?cube root (?:of )?`), "cbrt "},
	{regexp.MustCompile(`(?i)\b(?:the )?factorial of\b`), "factorial "}, {regexp.MustCompile(`(?i)\b(?:the )?natural log(?:arithm)? (?:of )?`), "ln "},
	{regexp.MustCompile(`(?i)\b(?:the )?(sine|cosine|tangent) of\b`), "$1 "}, {regexp.MustCompile(`(?i)\b(?:the )?(log(?:arithm)?) of\b`), "log "},
	{regexp.MustCompile(`(?i)\bspeed of light\b`), "speed_of_light"}, {regexp.MustCompile(`(?i)\bgolden ratio\b`), "golden_ratio"},
	{regexp.MustCompile(`(?i)\bstandard gravity\b`), "standard_gravity"}, {regexp.MustCompile(`(?i)\belementary charge\b`), "elementary_charge"},
	{regexp.MustCompile(`(?i)\bgravitational constant\b`), "gravitational_constant"},
	{regexp.MustCompile(`(?i)\b(avogadro|planck|boltzmann)(?:'s)? (?:constant|number)\b`), "$1"},
	{regexp.MustCompile(`(?i)\b(light|nautical|fluid|imperial|astronomical|us) (years?|miles?|ounces?|gallons?|units?)\b`), "${1}_$2"}, {regexp.MustCompile(`(?i)\bfl\.? oz\b`), "fl_oz"},
	{regexp.MustCompile(`(?i)\b(?:degrees?|deg|°)\s*(celsius|centigrade|fahrenheit)\b`), "$1"}, {regexp.MustCompile(`(?i)(?:\bdegrees?\s*|\bdeg\s*|°\s*)([cf])\b`), " °$1"},
	{regexp.MustCompile(`(?i)(\d)\s*([cf]) (in|to|into|as) (°?[cf]|celsius|fahrenheit|centigrade|kelvin|k)$`), "$1 °$2 $3 $4"}, {regexp.MustCompile(`(?i)(in|to) ([cf])$`), "$1 °$2"},
	{regexp.MustCompile(`(?i)\b(?:square|sq\.?)\s+(\pL+)`), "$1^2"}, {regexp.MustCompile(`(?i)\bcubic\s+(\pL+)`), "$1^3"},
	{regexp.MustCompile(`(?i)\bsquared\b`), "^2"}, {regexp.MustCompile(`(?i)\bcubed\b`), "^3"},
	{regexp.MustCompile(`(?i)\bhalf (?:of )?(?:a |an )?`), "(1/2)*"}, {regexp.MustCompile(`(?i)\ba (?:third|3rd) of\b`), "(1/3)*"}, {regexp.MustCompile(`(?i)\ba quarter of\b`), "(1/4)*"},
	{regexp.MustCompile(`(?i)\b(?:twice|double)\b`), "2*"}, {regexp.MustCompile(`(?i)\bpercent(?:age)?\b`), "%"},
	{regexp.MustCompile(`(?i)(^|[\s(])(?:an?|one|the) (\pL)`), "$1 $2"}, {regexp.MustCompile(`(?i)\b(?:the )?sum of ([^,]+) and ([^,]+)$`), "$1 + $2"},
}

var numerals = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "twenty": "20", "fifty": "50",
}

// expression writes a question as an expression.
func expression(question string) string {
	s := strings.Join(strings.Fields(question), " ")
	for _, r := range rewrites {
		s = r.from.ReplaceAllString(s, r.to)
	}
	return strings.Join(strings.Fields(s), " ")
}
