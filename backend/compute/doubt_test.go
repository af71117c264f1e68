package compute

import (
	"strings"
	"testing"
)

// notSums look like sums and are questions for search.
const notSums = `
How many days of leave do I have?
What does 5G mean?
What was revenue in 2023?
Boeing 747
A4 size
ISO 27001
555-1234
+49 30 1234567
(555) 123-4567
030/1234567
1-800-555-0199
24/12/2026
24.12.2026
2026-11-24
v1.2.3
version 2.0
pages 12-15
12-15
2023-24
2023/24
24/7
What is 24/7 support?
What is 24/7?
9/11
50/50
What happened on 9/11?
What happened on 3 May 1932?
1984
Who built the 2 towers?
Windows 10 vs 11
Windows 10 to 11 upgrade
Formula 1
Area 51
Route 66
Catch 22
4K
4x4
1920x1080
7 wonders of the world
10 Downing Street
3 times a day
50 mg/ml
5 m/s
120 km/h
5 pm to 8 pm
5 pm - 3 pm
B-52
F-16
AK-47
C++ 11
C++
GPT-4
i7-12700
RTX 4090 vs 3090
CO2 in kg
H2O
192.168.0.1
16:9
10:30
2 in 1
3 in 5 people
3 of 5
1 of 10
top 10% of earners
9 to 5
5 to 10 km
3-4 weeks
5-10 km
round 2
floor 3
min 5
max 10
mean 5
half of 2023
What is pi?
speed of light
What is the speed of light?
How many people live in 5 countries?
How many grams in 2 cups?
How many calories in 100 g of rice?
How many employees are in 3 offices?
How many euros are in 100 dollars?
100 USD in EUR
section 3.2
Section 5 - 7
§ 5
room 101
Q3 2023
third quarter of 2023
second half of 2023
first quarter
covid-19
5 star hotel in Paris
2 hours in Paris
hotel for 2 in 5 days
3 days in May
30 days notice
What is 401(k)?
401k
Apollo 11
Article 6 (1)
Section 8(2)
M25
E5
e-5
7-Eleven
Seven of Nine
$5 million
20% discount
15% VAT
What is the VAT rate?
VAT in Germany
10% of employees
5 a day
100 years of solitude
who is number 1
Fahrenheit 451
451 in 1953
2001: A Space Odyssey
Beverly Hills 90210
90210
What is 10 in binary?
Sum of all fears
What is the mean?
average salary in 2023
total revenue 2022 and 2023
difference between 2022 and 2023
difference between 5G and 4G
difference between revenue and profit
product of 2023
What day is Black Friday?
When is Christmas?
how long is the notice period
how many days until the deadline?
how long until my contract ends
What is the deadline in May?
How many weeks of parental leave?
what changed between 2022 and 2023?
what changed between 3 May 2022 and 5 June 2023?
how many orders between 1 May 2026 and 3 June 2026?
How many days were lost between 1 May 2026 and 3 June 2026?
sales from January to March
days off in December
May 2024
December
3 May - 5 June
3 May 1932
today
tomorrow
Friday
yesterday's news
What is on today?
5 March meeting
10 + people
+1
-5
-5 °C
5 °C
100%
`

func TestWhatOnlyLooksLikeASumIsLeftToSearch(t *testing.T) {
	for question := range strings.Lines(strings.TrimSpace(notSums)) {
		if r, sum, err := Ask(strings.TrimSpace(question), today); sum {
			t.Errorf("%s is taken for a sum: %v %v", strings.TrimSpace(question), r, err)
		}
	}
}

func TestASumThatCannotBeWorkedOutIsStillOne(t *testing.T) {
	for question, sum := range map[string]bool{
		"1/0": true, "5 km in kg": true, "3 m + 4 s": true, "tan(90°)": true, "days between 2024-13-45 and 2024-01-01": true,
		"100 dollars in euros": false, "How many grams are in a cup?": false, "3-4 weeks": false,
	} {
		if _, got, err := Ask(question, today); got != sum || err == nil {
			t.Errorf("%s: %v %v", question, got, err)
		}
	}
}

func TestAnOrderIsDoneWhateverItLooksLike(t *testing.T) {
	for _, question := range []string{"calculate 24/7", "2023-24 =", "compute 12-15", "convert 5 kg"} {
		if _, sum, err := Ask(question, today); !sum || err != nil {
			t.Errorf("%s: %v %v", question, sum, err)
		}
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, s := range []string{"2+2", "5 ft 4 in to cm", "15% of 80", "2^100!", "days until 2027-01-01", "√(4)", "1e5", "(((", "zweihundert mal 3,5", "20 % off $5", "sin(30°)", "1.234,5 'x", "€/h * 8 h", "170 cm in feet and inches"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, _, err := Ask(s, today)
		if err == nil && r.Output == "" {
			t.Errorf("%q has no result and no error", s)
		}
	})
}
