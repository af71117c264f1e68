// Package paper sets text on the pages of a PDF: real text in embedded fonts,
// tagged for whoever has it read aloud, in every script that this computer has a
// font for.
//
//	sheet.go   pages, paragraphs and boxes, from the top down
//	tags.go    what each part of a page is: paragraph, heading, list, cell, link
//	line.go    text → lines: fonts, right to left, where a line may end
//	joining.go letters that change with their neighbours
//	font.go    fonts that came with the program and those of the computer
//	folders.go where the computer has them
//	cff.go     the shapes that were used, as a font
//	object.go  the objects of a file
//
// It knows nothing of answers. Sizes of type are points, all else millimetres.
// The same text and fonts give the same bytes.
package paper
