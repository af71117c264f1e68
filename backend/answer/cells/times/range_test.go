package times

import (
	"slices"
	"testing"

	"footnote/backend/lang"
)

// monthsOf are the months that a question names, those of a range with them.
func monthsOf(question string) (months []int) {
	code := lang.Spoken(question)
	p, _ := In(question, MonthIn(code, question))
	framed, _ := Framed(code, question, MonthIn(code, question))
	p.Months |= framed
	for m := 1; m <= 12; m++ {
		if p.Months&(1<<m) != 0 {
			months = append(months, m)
		}
	}
	return months
}

func TestARangeOfMonthsIsAllBetweenThem(t *testing.T) {
	for question, want := range map[string][]int{
		"day boat income april to june 2024":                    {4, 5, 6},
		"income from march to may 2024":                         {3, 4, 5},
		"What did we take between June and August 2024?":        {6, 7, 8},
		"What did we take in June and August 2024?":             {6, 8},
		"may we march to the house in 2024":                     nil,
		"Saalmiete Juni bis August 2024 zusammen":               {6, 7, 8},
		"Was kam zwischen Juni und September 2024 herein?":      {6, 7, 8, 9},
		"chirurgie de janvier à mars 2023, ça fait combien":     {1, 2, 3},
		"Recettes de janvier et mars 2023":                      {1, 3},
		"¿Cuántas pernoctas hubo de enero a marzo de 2023?":     {1, 2, 3},
		"¿Cuánto gastamos entre octubre y diciembre de 2024?":   {10, 11, 12},
		"Quanto abbiamo speso da aprile a giugno 2024?":         {4, 5, 6},
		"Quanto gastámos de abril a junho de 2024?":             {4, 5, 6},
		"Hoeveel huur kwam er binnen van juni tot augustus?":    {6, 7, 8},
		"Ile wydaliśmy od kwietnia do czerwca 2024?":            {4, 5, 6},
		"Ile wydaliśmy w kwietniu a ile w czerwcu 2024?":        {4, 6},
		"Hur mycket hyra fick vi från juni till augusti 2024?":  {6, 7, 8},
		"Сколько мы потратили с апреля по июнь 2024 года?":      {4, 5, 6},
		"Скільки ми витратили з квітня до червня 2024 року?":    {4, 5, 6},
		"2024年4月から6月までの家賃はいくらですか":                               {4, 5, 6},
		"2024年10月至12月的支出一共多少":                                   {10, 11, 12},
		"2024년 4월부터 6월까지 지출은 얼마인가요?":                            {4, 5, 6},
		"كم أنفقنا من أبريل إلى يونيو 2024؟":                    {4, 5, 6},
		"अप्रैल से जून 2024 तक कितना खर्च हुआ?":                 {4, 5, 6},
		"Nisan ile Haziran 2024 arasında ne kadar harcadık?":    {4, 5, 6},
		"Haziran-Ağustos 2024 kira geliri toplam ne kadardı?":   {6, 7, 8},
		"Wie hoch war die Miete im Juni und im August 2024?":    {6, 8},
		"How much rent came in from January - March 2024?":      {1, 2, 3},
		"How long may a boat stay, and who pays in march 2024?": {3},
	} {
		if got := monthsOf(question); !slices.Equal(got, want) {
			t.Errorf("%s: %v, wanted %v", question, got, want)
		}
	}
}

func TestTwoMonthsOfARangeAreNoTwoThings(t *testing.T) {
	for question, want := range map[string]bool{
		"Saalmiete Juni bis August 2024 zusammen": true, "Gastos de octubre a diciembre de 2024": true,
		"Recettes de juin et août 2024 ensemble": false, "income in June and August together": false,
	} {
		if Spans(question) != want {
			t.Errorf("%s: %v", question, !want)
		}
	}
}
