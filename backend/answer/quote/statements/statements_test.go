package statements

import (
	"slices"
	"testing"
)

func TestAReplyStandsUnderItsQuestion(t *testing.T) {
	text := "Questions\n\nWho may open it? Only the wardens. Nobody else.\n\nThe key hangs there.\n\ndate\tfirst high water of the day\tcauseway closed from\tcauseway closed to\tsecond high water\n2026-05-02\t06:12\t05:10\t07:20\t18:34"
	var got []string
	for _, s := range Of(text) {
		got = append(got, text[s.Under.Start:s.Under.End]+"|"+text[s.Start:s.End])
	}
	if want := []string{"Questions|Who may open it?", "Who may open it?|Only the wardens.", "Who may open it?|Nobody else.", "Questions|The key hangs there."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestHeadingsAreNoSentences(t *testing.T) {
	text := "School workshop: how a lens works\n\nThe workshop takes 75 minutes.\n\n5. Reporting damage\n\nDamage must be reported.\n\nStop valve under the stairs."
	var got []string
	for _, s := range Of(text) {
		got = append(got, text[s.Under.Start:s.Under.End]+"|"+text[s.Start:s.End])
	}
	if want := []string{"School workshop: how a lens works|The workshop takes 75 minutes.", "Reporting damage|Damage must be reported.", "Reporting damage|Stop valve under the stairs."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, title := range []string{"KEEPER'S LOG, SKERRY POINT, 1931", "Item 1A. Risk Factors", "IV. The crew", "Survey of the tower 2025", "3. What is covered"} {
		if !isHeading(title+"\n\nText.", 0, len(title)) {
			t.Errorf("%q is a sentence", title)
		}
	}
	for _, fact := range []string{"Total before tax: 16,650 euro", "Opened on 3 May 1932", "It stands."} {
		if isHeading(fact+"\n\nText.", 0, len(fact)) {
			t.Errorf("%q is a heading", fact)
		}
	}
}

func TestAParagraphWithoutBlanksIsNoHeading(t *testing.T) {
	for text, want := range map[string][]string{
		"红酸汤\n\n坛口要灌水封住。夏天二十天，冬天四十天，闻着酸香就成了。\n\n白酸汤\n\n两天就酸。":             {"坛口要灌水封住。", "夏天二十天，冬天四十天，闻着酸香就成了。", "两天就酸。"},
		"保証\n\n既存の防水層は撤去せず、その上から新しい層を重ねます。\n\n以上":                         {"既存の防水層は撤去せず、その上から新しい層を重ねます。", "以上"},
		"रखरखाव\n\nपंप हर साल खोला जाता है।\n\nपता":                       {"पंप हर साल खोला जाता है।", "पता"},
		"الصيانة\n\nهل يفتح المتحف يوم الجمعة؟ لا، يغلق أبوابه.\n\nانتهى": {"هل يفتح المتحف يوم الجمعة؟", "لا، يغلق أبوابه.", "انتهى"},
	} {
		var got []string
		for _, s := range Of(text) {
			got = append(got, text[s.Start:s.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestARowOfWordsIsARow(t *testing.T) {
	text := "Fault\tCause\tWhat to do\nYellow lamp\tHeater is tilted\tLevel it\nHums, no air\tFan blocked\tPull the plug\n\nCall us."
	var got []string
	for _, s := range Of(text) {
		got = append(got, text[s.Start:s.End])
	}
	if want := []string{"Yellow lamp\tHeater is tilted\tLevel it", "Hums, no air\tFan blocked\tPull the plug", "Call us."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
