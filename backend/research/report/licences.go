package report

import (
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/research/headings"
)

const (
	fewestOfLicence = 4   // findings of a source that are of licences
	ofLicence       = 0.2 // likelihood of that heading, from which they count
	shareOfLicence  = 0.4 // of all its findings, from which it has the text of a licence
)

// withoutLicences leaves out the terms of a licence itself: of a source that is mostly of
// licences only what names the subject says anything of it.
func (w *reporter) withoutLicences(all []*finding) []*finding {
	of, licensing := map[evidence.SourceID]int{}, map[evidence.SourceID]int{}
	for _, f := range all {
		of[f.source.ID]++
		if f.likely.Of(headings.Licence) >= ofLicence {
			licensing[f.source.ID]++
		}
	}
	names := w.Subject.In(nil)
	return slices.DeleteFunc(all, func(f *finding) bool {
		n := licensing[f.source.ID]
		return n >= fewestOfLicence && float64(n) >= shareOfLicence*float64(of[f.source.ID]) && !names.Named(f.Text)
	})
}
