package cite

import "strings"

// irregular are words whose forms do not share a stem, one word a line, its base
// first.
const irregular = `child children
man men
woman women
foot feet
tooth teeth
mouse mice
goose geese
person people
wife wives
knife knives
shelf shelves
begin began begun
bear bore born
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forbid forbade forbidden
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
shake shook shaken
shine shone
shoot shot
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
spread spread
stand stood
steal stole stolen
stick stuck
strike struck stricken
swear swore sworn
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
win won
write wrote written
die died dead death
weigh weight weighed
high height
long length
wide width
deep depth
strong strength
warm warmth
old age aged`

// baseForms gives the stem of the base of each irregular stem.
var baseForms = func() map[string]string {
	base := map[string]string{}
	for line := range strings.Lines(irregular) {
		words := strings.Fields(line)
		for _, w := range words {
			if _, known := base[stem(w)]; !known {
				base[stem(w)] = stem(words[0])
			}
		}
	}
	return base
}()

// IsForm reports whether two terms are forms of one word: the same stem, or
// irregular forms such as child and children, begin and began.
func (t Term) IsForm(other Term) bool {
	if t.Stem == other.Stem {
		return true
	}
	a, b := baseForms[t.Stem], baseForms[other.Stem]
	return a != "" && a == b
}
