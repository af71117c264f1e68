package lang

var names = map[Code]string{
	English: "English", German: "German", French: "French", Spanish: "Spanish", Italian: "Italian", Portuguese: "Portuguese", Dutch: "Dutch", Polish: "Polish",
	Swedish: "Swedish", Russian: "Russian", Ukrainian: "Ukrainian", Turkish: "Turkish", Arabic: "Arabic", Hindi: "Hindi", Chinese: "Chinese", Japanese: "Japanese", Korean: "Korean",
}

// Name is the language's English name; empty for Unknown.
func (c Code) Name() string { return names[c] }
