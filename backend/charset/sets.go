package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// set is a character set that a text may be in.
type set struct {
	name  string
	enc   encoding.Encoding
	rare  float64  // how much less often it is met than Windows-1252, in nats
	langs []string // samples of the languages written in it
}

var (
	western  = []string{"en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "is"}
	central  = []string{"en", "de", "pl", "cs", "sk", "hu", "ro", "hr", "sl"}
	baltic   = []string{"en", "lv", "lt", "et", "pl", "de", "sv", "fi"}
	turkish  = []string{"en", "tr", "de", "fr"}
	cyrillic = []string{"ru", "uk", "bg", "sr", "en"}
	russian  = []string{"ru", "bg", "en"}
	greek    = []string{"el", "en"}
	hebrew   = []string{"he", "en"}
	arabic   = []string{"ar", "fa", "en", "fr"}
)

// sets are tried in this order: of two that give the same text, the first is it.
var sets = []set{
	{"windows-1252", charmap.Windows1252, 0, western},
	{"iso-8859-1", charmap.ISO8859_1, 1, western},
	{"iso-8859-15", charmap.ISO8859_15, 1, western},
	{"macintosh", charmap.Macintosh, 3, western},
	{"cp850", charmap.CodePage850, 3, western},
	{"cp437", charmap.CodePage437, 3.2, western},
	{"windows-1250", charmap.Windows1250, 1, central},
	{"iso-8859-2", charmap.ISO8859_2, 1.2, central},
	{"cp852", charmap.CodePage852, 3.5, central},
	{"iso-8859-16", charmap.ISO8859_16, 5, []string{"en", "ro", "pl", "hu", "fr"}},
	{"windows-1254", charmap.Windows1254, 1.5, turkish},
	{"iso-8859-9", charmap.ISO8859_9, 1.7, turkish},
	{"windows-1257", charmap.Windows1257, 2, baltic},
	{"iso-8859-13", charmap.ISO8859_13, 3, baltic},
	{"iso-8859-4", charmap.ISO8859_4, 4, baltic},
	{"iso-8859-10", charmap.ISO8859_10, 6, []string{"sv", "fi", "is", "da", "et"}},
	{"windows-1251", charmap.Windows1251, 1, cyrillic},
	{"koi8-r", charmap.KOI8R, 1.5, russian},
	{"koi8-u", charmap.KOI8U, 1.7, cyrillic},
	{"iso-8859-5", charmap.ISO8859_5, 2, cyrillic},
	{"cp866", charmap.CodePage866, 2, cyrillic},
	{"cp855", charmap.CodePage855, 4, cyrillic},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic, 3, cyrillic},
	{"windows-1253", charmap.Windows1253, 1, greek},
	{"iso-8859-7", charmap.ISO8859_7, 1.2, greek},
	{"windows-1255", charmap.Windows1255, 1, hebrew},
	{"iso-8859-8", charmap.ISO8859_8, 1.2, hebrew},
	{"cp862", charmap.CodePage862, 3, hebrew},
	{"windows-1256", charmap.Windows1256, 1, arabic},
	{"iso-8859-6", charmap.ISO8859_6, 1.2, arabic},
	{"windows-874", charmap.Windows874, 1, []string{"th", "en"}},
	{"windows-1258", charmap.Windows1258, 2, []string{"vi", "en"}},
	{"shift_jis", japanese.ShiftJIS, 0.5, []string{"ja", "en"}},
	{"euc-jp", japanese.EUCJP, 0.5, []string{"ja", "en"}},
	{"gb18030", simplifiedchinese.GB18030, 0.5, []string{"zh", "en"}},
	{"big5", traditionalchinese.Big5, 0.7, []string{"zht", "en"}},
	{"euc-kr", korean.EUCKR, 0.7, []string{"ko", "en"}},
}
