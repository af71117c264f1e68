package web

import (
	"strings"
	"testing"
)

func TestFormulasAreReadAsTheirSource(t *testing.T) {
	for name, c := range map[string]struct{ markup, want string }{
		"KaTeX":             {`<span class="katex"><span class="katex-mathml"><math><semantics><mi>k</mi><annotation encoding="application/x-tex">k_{n+1}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>k</span><span>n+1</span></span></span>`, "is k_{n+1} here"},
		"KaTeX by its data": {`<span class="math-inline" data-math="\forall x"><span class="katex-html">∀x</span></span>`, `is \forall x here`},
		"a script":          {`<span class="MathJax_Preview">E?</span><script type="math/tex">E_u</script>`, "is E_u here"},
		"a container":       {`<mjx-container><mjx-math>x</mjx-math><math alttext="x^2"><mi>x</mi></math></mjx-container>`, "is x^2 here"},
		"MathML alone":      {`<math><msup><mn>10</mn><mn>5</mn></msup><mo>/</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><msqrt><mn>2</mn></msqrt></math>`, "is 10^5/(a+b)/2√2 here"},
		"a picture":         {`<img src="https://latex.codecogs.com/png.latex?%5Csum_%7Bi%3D1%7D">`, `is \sum_{i=1} here`},
		"a picture's text":  {`<img class="latex" alt="\alpha" src="/x.png">`, `is \alpha here`},
		"no formula":        {`<img alt="A cat" src="/cat.png">`, "is here"},
		"an exponent":       {`10<sup>5</sup> or 10<sup>−3</sup>`, "is 10⁵ or 10⁻³ here"},
		"an ordinal":        {`the 1<sup>st</sup>`, "is the 1st here"},
		"a note's number":   {`so<sup><a href="#fn3">3</a></sup>`, "is so here"},
		"a long one":        {`<math alttext="` + strings.Repeat("x", 3000) + `"></math>`, "is here"},
	} {
		p := read(t, article("<p>What the tower weighs is "+c.markup+" here, as the keeper wrote.</p>"))
		text := strings.Join(strings.Fields(p.text), " ")
		if !strings.Contains(text, "weighs "+c.want+",") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
