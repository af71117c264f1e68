package regression

// FeatureNames name what the scorer sees of a candidate. Shares are of the
// question's weight, 0 to 1.
var FeatureNames = []string{
	"english",  // log-odds of the cross-encoder, 0 without and for other questions than English ones
	"own",      // share in the sentence itself
	"titled",   // and with its title and heading
	"passage",  // in its whole passage
	"missing",  // the heaviest word that sentence, heading and title lack
	"absent",   // and that the passage lacks
	"bm25",     // of its passage, by the best one's
	"cosine",   // of its passage
	"behind",   // how far its score by rules is behind the best one's
	"place",    // 1 for the first by rules, 1/2 for the second
	"fits",     // 1 when it has the kind of thing that is asked for, -1 when not, 0 when any will do
	"row",      // of a table
	"aside",    // a row that is about another thing
	"words",    // logarithm of its content words
	"names",    // share of the question's names that its passage lacks
	"numbers",  // and of its numbers
	"asks",     // a question stands right before it
	"rare",     // share in the sentence itself, words weighed by how few candidates have them
	"beside",   // what title and heading add to that
	"near",     // what the sentences around it add
	"lacks",    // the heaviest word, so weighed, that sentence, heading and title lack
	"first",    // 1 for the first by rare words, 1/2 for the second
	"offers",   // 1 when it has what the question words of its language ask for, -1 when not
	"listed",   // a row that its label found
	"read",     // the probability that log-odds of the cross-encoder give, 0 without
	"foremost", // 1 for the first by it, 1/2 for the second
	"defines",  // 1 when it says what the term is whose meaning is asked for
	"unnamed",  // share of the question's names that sentence, heading and title lack
	"undated",  // and of its numbers; a year within a period of the sentence is had
	"another",  // 1 when it has another year or version in the place of one
	"whole",    // 1 when it ends as a sentence does
	"foreign",  // 1 when it is in another language than the question
	"doubtful", // the probability of "read" by the share of the words that it lacks
	"opens",    // share of the question that its heading has, the less the further it stands behind; of a meaning, by the share of the heading as well
	"sought",   // the probability of "read" by that
	"meant",    // how near in meaning it is with title and heading
}

// Features that are known by their place.
const (
	English  = 0
	Cosine   = 7
	Read     = 24
	Foremost = 25
	Around   = 19
	Lacks    = 20
	Offers   = 22
	Undated  = 28
	Another  = 29
	Whole    = 30
	Foreign  = 31
	Doubtful = 32
	Opens    = 33
	Sought   = 34
	Meant    = 35
)

// QuestionNames name what is seen besides of a question with its best candidate.
var QuestionNames = []string{
	"gap",     // log-odds ahead of the next best
	"likely",  // of the best candidate, as log-odds
	"rivals",  // share of the candidates nearly as likely
	"content", // logarithm of the content words of the question
	"rules",   // evidence by rules
}
