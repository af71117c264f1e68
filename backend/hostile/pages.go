package hostile

import (
	"fmt"
	"strings"
)

// Pages are small to write and large to read.
func Pages(size int) map[string]string {
	filled := func(head, each string) string { return head + strings.Repeat(each, (size-len(head))/len(each)) }
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	styled := numbered("<b id=%d>", 300)
	return map[string]string{
		"paragraphs":             filled("", "<p>a"),
		"empty paragraphs":       filled("", "<p>"),
		"breaks":                 filled("", "<br>"),
		"inputs":                 filled("", "<hr>"),
		"comments":               filled("", "<!---->"),
		"rows":                   filled("<table>", "<tr>"),
		"cells":                  filled("<table>", "<td>"),
		"options":                filled("<select>", "<option>"),
		"items":                  filled("<ul>", "<li>"),
		"bold that never ends":   filled(styled, "<p>a"),
		"bold in paragraphs":     filled("<p>"+styled, "</p>a<p>"),
		"fonts in cells":         filled("<table><tr><td>"+numbered("<font size=%d>", 300), "<td>a"),
		"adopted":                filled("", "<b><p></b>"),
		"adopted links":          filled("", "<a><div></a>"),
		"nested lists":           filled("", "<ul><li>"),
		"depth":                  filled("", "<div>"),
		"attributes":             filled("<p ", "a b c "),
		"attributes of bold":     filled("<p><b "+numbered("a%d ", 4000)+"><i id=x>", "<p>a"),
		"one attribute":          filled("<p a=\"", "x"),
		"style in a drawing":     filled("<svg><style>", "<p>a"),
		"title in a drawing":     filled("<svg><title>"+styled, "<p>a"),
		"split drawings":         filled("<svg><style><p>"+styled+"</style>", "<p>a"),
		"script in a drawing":    filled("<svg><script><!--</script>", "<p>a"),
		"section in a drawing":   filled("<svg><![CDATA[><!--]]></svg>"+styled, "<p>a"),
		"attribute in a section": filled("<svg><![CDATA[><x y=\"]]></svg>"+styled, "<p>a"),
		"formula":                filled("<math>", "<mi>a"),
		"templates":              filled("", "<template>"),
		"frames":                 filled("<frameset>", "<frame>"),
		"no tags":                filled("", "< "),
		"entities":               filled("", "&amp;<i>"),
		"one word":               filled("<p>", "x"),
		"script":                 filled("<script>", "<p>a"),
		"bodies":                 numbered("<body a%d>", size/16),
		"roots":                  numbered("<p><html a%d>", size/20),
	}
}
