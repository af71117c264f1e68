package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// drawing is what the logo's file holds, by the ids of its groups. It is the
// part of SVG that the logo is written in: rectangles, circles, paths of lines
// and quadratic curves, plain fills and hairlines.
type drawing map[string][]shape

type shape struct {
	path    []segment
	fill    color.NRGBA
	outline []segment // of a hairline's inner edge, taken out of path; nil for a fill
}

// segment is a step of a path; a quadratic curve has a control point.
type segment struct {
	verb   byte // M, L, Q or Z
	cx, cy float32
	x, y   float32
}

type svgElement struct {
	ID      string  `xml:"id,attr"`
	X       float32 `xml:"x,attr"`
	Y       float32 `xml:"y,attr"`
	Width   float32 `xml:"width,attr"`
	Height  float32 `xml:"height,attr"`
	RX      float32 `xml:"rx,attr"`
	CX      float32 `xml:"cx,attr"`
	CY      float32 `xml:"cy,attr"`
	R       float32 `xml:"r,attr"`
	D       string  `xml:"d,attr"`
	Fill    string  `xml:"fill,attr"`
	Class   string  `xml:"class,attr"`
	Stroke  string  `xml:"stroke,attr"`
	Opacity string  `xml:"stroke-opacity,attr"`
}

// readDrawing reads the groups of an SVG file.
func readDrawing(file string) (drawing, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, group, classes := drawing{}, "", map[string]string{}
	for dec := xml.NewDecoder(f); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return d, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "svg":
		case "style":
			var css string
			if err := dec.DecodeElement(&css, &start); err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			classes = fillsOf(css)
		case "g":
			group = idOf(start)
		default:
			var e svgElement
			if err := dec.DecodeElement(&e, &start); err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			s, ok, err := e.shape(start.Name.Local, classes)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			if ok {
				d[group] = append(d[group], s)
			}
		}
	}
}

func idOf(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" {
			return a.Value
		}
	}
	return ""
}

var classFill = regexp.MustCompile(`\.(\w+)\s*\{\s*fill:\s*(#[0-9a-f]{6})`)

// fillsOf gives the fill of each class; the first one of a class is that of the
// light theme.
func fillsOf(css string) map[string]string {
	fills := map[string]string{}
	for _, m := range classFill.FindAllStringSubmatch(css, -1) {
		if _, ok := fills[m[1]]; !ok {
			fills[m[1]] = m[2]
		}
	}
	return fills
}

func (e svgElement) shape(name string, classes map[string]string) (s shape, ok bool, err error) {
	switch name {
	case "rect":
		s.path = roundedRect(e.X, e.Y, e.Width, e.Height, e.RX)
	case "circle":
		s.path = roundedRect(e.CX-e.R, e.CY-e.R, 2*e.R, 2*e.R, e.R)
	case "path":
		if s.path, err = pathOf(e.D); err != nil {
			return s, false, err
		}
	default:
		return s, false, nil
	}
	paint, opacity := e.Fill, 1.0
	switch {
	case e.Class != "":
		paint = classes[e.Class]
	case e.Stroke != "":
		paint = e.Stroke
		if opacity, err = strconv.ParseFloat(e.Opacity, 64); err != nil {
			return s, false, fmt.Errorf("opacity of a hairline: %w", err)
		}
		s.path = roundedRect(e.X-.5, e.Y-.5, e.Width+1, e.Height+1, e.RX+.5)
		s.outline = roundedRect(e.X+.5, e.Y+.5, e.Width-1, e.Height-1, e.RX-.5)
	}
	s.fill, err = colourOf(paint, opacity)
	return s, err == nil, err
}

func colourOf(hex string, opacity float64) (color.NRGBA, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	if err != nil || len(hex) != 7 {
		return color.NRGBA{}, fmt.Errorf("%q is not a colour like #17191d", hex)
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: uint8(math.Round(255 * opacity))}, nil
}

// roundedRect is a rectangle whose corners are quarter circles, each drawn as
// two quadratic curves: 0.03 % of the radius off at most.
func roundedRect(x, y, w, h, r float32) []segment {
	r = min(r, w/2, h/2)
	path := []segment{{verb: 'M', x: x + r, y: y}}
	corner := func(cx, cy float32, from float64) {
		const steps = 4
		for i := range steps {
			a, b := from+float64(i)*math.Pi/2/steps, from+float64(i+1)*math.Pi/2/steps
			mid, reach := (a+b)/2, float64(r)/math.Cos((b-a)/2)
			path = append(path, segment{'Q', cx + float32(reach*math.Cos(mid)), cy + float32(reach*math.Sin(mid)), cx + r*float32(math.Cos(b)), cy + r*float32(math.Sin(b))})
		}
	}
	line := func(x, y float32) { path = append(path, segment{verb: 'L', x: x, y: y}) }
	line(x+w-r, y)
	corner(x+w-r, y+r, -math.Pi/2)
	line(x+w, y+h-r)
	corner(x+w-r, y+h-r, 0)
	line(x+r, y+h)
	corner(x+r, y+h-r, math.Pi/2)
	line(x, y+r)
	corner(x+r, y+r, math.Pi)
	return append(path, segment{verb: 'Z'})
}

var pathToken = regexp.MustCompile(`[A-Za-z]|-?[0-9.]+`)

// pathOf reads path data of absolute M, L, H, V, Q and Z commands.
func pathOf(data string) ([]segment, error) {
	var path []segment
	tokens := pathToken.FindAllString(data, -1)
	number := func() float32 {
		if len(tokens) == 0 {
			return float32(math.NaN())
		}
		f, err := strconv.ParseFloat(tokens[0], 32)
		if err != nil {
			f = math.NaN()
		}
		tokens = tokens[1:]
		return float32(f)
	}
	var verb byte
	var at segment
	for len(tokens) > 0 {
		if c := tokens[0][0]; c >= 'A' {
			verb, tokens = c, tokens[1:]
		}
		next := segment{verb: verb, x: at.x, y: at.y}
		switch verb {
		case 'M', 'L':
			next.x, next.y = number(), number()
		case 'H':
			next.verb, next.x = 'L', number()
		case 'V':
			next.verb, next.y = 'L', number()
		case 'Q':
			next.cx, next.cy, next.x, next.y = number(), number(), number(), number()
		case 'Z':
		default:
			return nil, fmt.Errorf("path data has the command %q, which is not drawn here", verb)
		}
		if sum := next.x + next.y + next.cx + next.cy; math.IsNaN(float64(sum)) {
			return nil, fmt.Errorf("path data has too few numbers after %q", verb)
		}
		path, at = append(path, next), next
	}
	return path, nil
}

// onto draws shapes: a point (x, y) of the drawing falls on ((x-left)·scale,
// (y-top)·scale) of the picture.
func onto(dst draw.Image, shapes []shape, left, top, scale float32) {
	b := dst.Bounds()
	for _, s := range shapes {
		z := vector.NewRasterizer(b.Dx(), b.Dy())
		trace(z, s.path, left, top, scale)
		trace(z, reversed(s.outline), left, top, scale)
		z.Draw(dst, b, image.NewUniform(s.fill), image.Point{})
	}
}

func trace(z *vector.Rasterizer, path []segment, left, top, scale float32) {
	for _, s := range path {
		x, y := (s.x-left)*scale, (s.y-top)*scale
		switch s.verb {
		case 'M':
			z.MoveTo(x, y)
		case 'L':
			z.LineTo(x, y)
		case 'Q':
			z.QuadTo((s.cx-left)*scale, (s.cy-top)*scale, x, y)
		case 'Z':
			z.ClosePath()
		}
	}
}

// reversed is a closed path of one part, walked the other way round: what it
// encloses is taken out of what encloses it.
func reversed(path []segment) []segment {
	if len(path) == 0 {
		return nil
	}
	steps := path[:len(path)-1] // without Z
	last := steps[len(steps)-1]
	out := []segment{{verb: 'M', x: last.x, y: last.y}}
	for i := len(steps) - 1; i > 0; i-- {
		out = append(out, segment{steps[i].verb, steps[i].cx, steps[i].cy, steps[i-1].x, steps[i-1].y})
	}
	return append(out, segment{verb: 'Z'})
}
