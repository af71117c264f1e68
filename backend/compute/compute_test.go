package compute

import (
	"errors"
	"strings"
	"testing"
	"time"
)

var today = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)

func evaluate(question string, now time.Time) (Result, error) {
	r, _, err := Ask(question, now)
	return r, err
}

func TestQuestionsAreComputed(t *testing.T) {
	for question, want := range map[string]string{
		"Wie viel Prozent sind 20 von 80?": "25 %", "Wie viel Prozent von 80 sind 20?": "25 %", "quel pourcentage de 80 est 20 ?": "25 %", "qué porcentaje es 20 de 80": "25 %", "che percentuale è 20 di 80": "25 %",
		"Quanto fa 7 per 8?": "56", "il 22 % di 500": "110", "radice quadrata di 81": "9", "Quanto fa duecento più trenta?": "230", "2 alla 10": "1024", "100 meno 20": "80", "Quanti giorni mancano a Natale?": "34 days",
		"increase from 50 to 65 in percent": "30 %", "net of 119 euros at 19 % VAT": "€100", "Wie viel sind 3 Meilen in Kilometern?": "4.828032 km", "what is the date 100 days from today": "Monday, 1 March 2027",
		"x + 3 = 7": "refused", "solve x^2 = 4": "refused", "integral of x^2": "refused",
		"2+2": "4", "What is 12 * (3 + 4)?": "84", "7/3": "2.33333333333", "0.1 + 0.2": "0.3", "1,234.5 + 0.5": "1235", "2^10": "1024", "2^100": "1,267,650,600,228,229,401,496,703,205,376",
		"10 mod 3": "1", "-7 mod 3": "2", "2**3**2": "512", "(1+2": "refused", "5!": "120", "what's 15% of 80?": "12", "200 + 10%": "220", "80 - 25%": "60",
		"20 is what percent of 80": "25 %", "What percentage of 80 is 20?": "25 %", "square root of 16": "4", "What is the square root of 2?": "1.41421356237", "cube root of 27": "3",
		"sqrt(2)^2": "2", "12 squared": "144", "3 cubed": "27", "two plus three": "5", "half of 9": "4.5", "a quarter of 10": "2.5", "3 million / 4": "750,000",
		"5 miles in km": "8.04672 km", "convert 5 miles to kilometres": "8.04672 km", "How many feet are in a mile?": "5280 ft", "how many inches in 2 metres": "78.74016 in",
		"5 ft 4 in to cm": "162.56 cm", "5 in in cm": "12.7 cm", "100 F in C": "37.77778 °C", "100 °F to celsius": "37.77778 °C", "37 degrees celsius in fahrenheit": "98.6 °F", "0 °C in K": "273.15 K",
		"-40 celsius to fahrenheit": "−40 °F", "100 km / 2 h in km/h": "50 km/h", "60 mph in km/h": "96.56064 km/h", "speed of light in km/s": "299,792.458 km/s", "1 GiB in MB": "1073.741824 MB",
		"500 GB in GiB": "465.6613 GiB", "1 kWh in J": "3,600,000 J", "3 acres in square metres": "12,140.5692672 m²", "10 square feet in m^2": "0.9290304 m²", "1 cubic metre in litres": "1000 l",
		"2 cups in ml": "473.176473 ml", "90 minutes in hours": "1.5 h", "1 day in seconds": "86,400 s", "10 kg + 500 g": "10.5 kg", "2 m * 3 m": "6 m²", "180 lb in kg": "81.6466266 kg",
		"average of 3, 4 and 8": "5", "max(3, 9, 4)": "9", "gcd(12, 18)": "6", "pi": "3.14159265359", "sin(0)": "0", "ln e": "1", "1e-3": "0.001", "6 × 7": "42", "8 ÷ 2": "4", "√81": "9",
		"100!": "9.33262154439 × 10^157", "2^0.5": "1.41421356237", "8^(1/3)": "2", "1/3 + 1/6": "0.5", "10 % of 50 % of 200": "10",
	} {
		r, err := evaluate(question, today)
		if want == "refused" {
			if err == nil {
				t.Errorf("%s: %s", question, r)
			}
			continue
		}
		got := strings.Replace(r.Output, "−", "-", 1)
		if err != nil || !strings.HasPrefix(got, strings.TrimSpace(strings.Replace(want, "−", "-", 1))) {
			t.Errorf("%s: %q %v, want %q", question, r.Output, err, want)
		}
	}
}

func TestRoundedResultsSaySo(t *testing.T) {
	for question, about := range map[string]bool{"1/4": false, "1/3": true, "sqrt 2": true, "sqrt 4": false, "2*pi": true, "5 miles in km": false} {
		if r, err := evaluate(question, today); err != nil || r.About != about {
			t.Errorf("%s: %+v %v", question, r, err)
		}
	}
	if r, _ := evaluate("1/3", today); r.String() != "1/3 ≈ 0.333333333333" {
		t.Error(r)
	}
}

func TestDatesAreComputed(t *testing.T) {
	for question, want := range map[string]string{
		"How many days between 2024-01-01 and 2024-03-01?": "60 days", "days from 1 March 2023 to March 1, 2024": "366 days", "2024-03-01 - 2024-02-01": "29 days",
		"how many weeks until Christmas": "4 weeks, 6 days", "How many days until 2027-01-01?": "41 days", "how long since 21 November 2000": "26 years (9496 days)",
		"90 days after 2024-01-01": "Sunday, 31 March 2024", "What date is 100 days from today?": "Monday, 1 March 2027", "3 weeks ago": "Saturday, 31 October 2026", "1 month after 31 January 2024": "Thursday, 29 February 2024",
		"What day of the week was 20 July 1969?": "Sunday", "is 2024 a leap year?": "2024 is a leap year", "is 1900 a leap year": "1900 is not a leap year",
		"working days between 2026-11-16 and 2026-11-30": "10 working days", "5 business days after 2026-11-20": "Friday, 27 November 2026", "days between Christmas and 3 January": "9 days", "how many days until Friday": "6 days", "how many days in February 2024": "29 days", "how many days in 2024": "366 days", "what date is it in 90 days": "Friday, 19 February 2027",
		"how many months between 15 January 2020 and 14 March 2020": "1 month, 28 days",
		"2020-02-28 plus 2 days":                                    "Sunday, 1 March 2020",
	} {
		r, err := evaluate(question, today)
		if err != nil || !strings.HasPrefix(r.Output, want) {
			t.Errorf("%s: %q %v, want %q", question, r.Output, err, want)
		}
	}
}

func TestTheWorkingIsShown(t *testing.T) {
	for question, want := range map[string]string{
		"2^3^2": "2^3^2 = 2^9 = 512", "12 * (3 + 4)": "12 × (3 + 4) = 12 × 7 = 84", "20 % off 310": "20 % off 310 = 248 (62 less)",
		"15 % VAT on 89 euros": "15 % on €89 = €13.35 (total €102.35)", "what is the VAT on 89 euros at 15%": "15 % on €89 = €13.35 (total €102.35)", "20% tip on $45": "20 % on $45 = $9 (total $54)",
		"89 euros plus 15% VAT": "€89 + 15 % = €102.35", "$20 + $5.50": "$20 + $5.50 = $25.50", "20 €/h * 8 h": "20 €/h × 8 h = €160", "what is 15% of 240": "15 % of 240 = 36",
		"3,5 * 2": "3.5 × 2 = 7", "1,234.5 + 1": "1234.5 + 1 = 1235.5", "1.234,5 + 1": "1234.5 + 1 = 1235.5", "1 000 + 5": "1000 + 5 = 1005",
		"sin(30°)": "sin(30 °) = 0.5", "cos 60 degrees": "cos(60 °) = 0.5", "log(1000)": "log(1000) = 3", "log base 2 of 8": "logbase(2, 8) = 3",
		"5 miles in km": "5 mi = 8.04672 km (1 mi = 1.609344 km)", "72 °F in °C": "72 °F ≈ 22.22222 °C (subtract 32, multiply by 5/9)", "2.5 GB in MB": "2.5 GB = 2500 MB (1 GB = 1000 MB)",
		"100 km / 2 h": "100 km / 2 h = 50 km/h", "60 mph * 2 h": "60 mph × 2 h = 120 mi", "2 kW * 3 h": "2 kW × 3 h = 6 kWh", "5 N * 2 m": "5 N × 2 m = 10 J", "10 kg * 9.81 m/s^2": "10 kg × 9.81 m/s² = 98.1 N",
		"sqrt(16 m^2)": "sqrt(16 m²) = 4 m", "170 cm in feet and inches": "170 cm ≈ 5 ft 6.929134 in", "100 minutes in hours and minutes": "100 min = 1 h 40 min", "20 °C + 5 °C": "20 °C + 5 °C = 25 °C",
		"percentage change from 50 to 75": "(75 − 50)/50 = 50 %", "increase 50 by 10%": "50 + 10 % = 55", "remainder of 17 divided by 5": "17 mod 5 = 2", "average of 3,4,5": "average(3, 4, 5) = 4",
		"days until 24 December": "from 21 November 2026 to 24 December 2026 = 33 days", "how many days between 3 May and 1 July 2026": "from 3 May 2026 to 1 July 2026 = 59 days",
	} {
		if r, sum, err := Ask(question, today); err != nil || !sum || r.String() != want {
			t.Errorf("%s: %q %v %v, want %q", question, r, sum, err, want)
		}
	}
}

func TestSumsAreAskedInWordsOfFourLanguages(t *testing.T) {
	for question, want := range map[string]string{
		"two hundred and five plus seven": "212", "one million minus one": "999,999", "twenty-one times two": "42", "three point five times two": "7", "two and a half times 4": "10", "nineteen hundred plus one": "1901",
		"zweihundertfünf plus sieben": "212", "Was ist 15 Prozent von 240?": "36", "Wie viel ist 3 mal einundzwanzig?": "63", "Wurzel aus 16": "4", "Quadratwurzel von 16": "4", "wie viele Meter sind 3 Kilometer?": "3000 m",
		"hundertzwanzigtausenddreihundert minus 1": "120,299", "5 Meilen in Kilometer": "8.04672 km", "19 % MwSt auf 89 Euro": "€16.91",
		"quelle est la racine carrée de 81 ?": "9", "Combien font 7 fois 8 ?": "56", "quinze pour cent de 240": "36", "quatre-vingt-dix-sept plus trois": "100", "vingt et un plus deux": "23", "combien de mètres dans un kilomètre": "1000 m",
		"¿Cuánto es 15 por ciento de 240?": "36", "doscientos cinco más siete": "212", "5 millas a km": "8.04672 km", "treinta y uno por dos": "62",
		"Wie viele Tage bis zum 24. Dezember?": "33 days", "combien de jours jusqu'au 24 décembre": "33 days", "¿Cuántos días faltan para el 24 de diciembre?": "33 days",
		"what day is it": "Saturday, 21 November 2026", "today's date": "Saturday, 21 November 2026", "Quel jour sommes-nous ?": "Saturday, 21 November 2026", "Welcher Tag ist heute?": "Saturday, 21 November 2026", "¿Qué día es hoy?": "Saturday, 21 November 2026",
	} {
		r, sum, err := Ask(question, today)
		if err != nil || !sum || r.Output != want {
			t.Errorf("%s: %q %v %v, want %q", question, r.Output, sum, err, want)
		}
	}
}

func TestWhatCannotBeComputedIsNamed(t *testing.T) {
	for question, names := range map[string]string{
		"Who built the tower?": "“Who”", "5 apples": "“apples”", "1/0": "zero", "5 km in kg": "“kg”", "3 m + 4 s": "different kinds", "100 dollars in euros": "rates", "sqrt(-1)": "not a number",
		"": "nothing", "9^9^9^9": "too large", "2^": "missing", "(2": "bracket", "5000!": "3000", strings.Repeat("(", 400): "", "1e999999999": "too large", "days between 2024-13-45 and 2024-01-01": "no date",
	} {
		_, err := evaluate(question, today)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.What, names) {
			t.Errorf("%q: %v, want %s", question, err, names)
		}
	}
}
