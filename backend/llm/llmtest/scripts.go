package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// scripts are the replies of the suite's server.
func scripts() map[string]func(*reply) {
	huge := inAllForms(strings.Repeat("word ", 1<<19))
	all := map[string]func(*reply){
		"plain":    func(r *reply) { say(r, sentence); r.finish("stop") },
		"bytes":    byteByByte,
		"crlf":     func(r *reply) { r.end = "\r\n"; say(r, sentence); r.finish("stop") },
		"huge":     func(r *reply) { r.raw(r.framed(huge)); r.finish("stop") },
		"thinks":   func(r *reply) { r.think("secret "); r.think("thought"); say(r, sentence); r.finish("stop") },
		"length":   func(r *reply) { r.text(halfway); r.finish("length") },
		"filtered": func(r *reply) { r.text(halfway); r.finish("content_filter") },
		"empty":    func(r *reply) { r.finish("stop") },
		"tools": func(r *reply) {
			r.tool(0, "web_search", "Velnor")
			r.tool(1, "file_search", "bridge")
			r.finish("stop")
		},
		"considers": func(r *reply) {
			r.think("secret ")
			r.think("thought")
			r.tool(0, "web_search", "Velnor")
			r.finish("stop")
		},
		"broken": func(r *reply) {
			r.text(halfway)
			r.raw(r.framed(`{"choices":[{"del`))
			r.text("opened.")
			r.finish("stop")
		},
		"whole":     wholeAnswer,
		"uncounted": func(r *reply) { r.text(sentence); r.finishUncounted("stop") },
		"after":     afterTheEnd,
		"mid-error": func(r *reply) { r.text(halfway); r.event(r.form.failure("overloaded", "overloaded_error")) },
		"ok-error":  func(r *reply) { r.event0(r.form.failure("upstream failed", "")) },
		"drop":      func(r *reply) { r.text(halfway); r.drop() },
		"cut": func(r *reply) {
			r.text(halfway)
			r.raw(strings.TrimRight(r.framed(`{"choices":[{"delta":{"con`), "\n"))
		},
		"silent":    func(r *reply) {},
		"html":      func(r *reply) { r.raw("<html><h1>502</h1>\n<script>alert(1)</script></html>") },
		"drip":      drip,
		"crawl":     func(r *reply) { dripping(r, "a ", 3600) },
		"slow":      func(r *reply) { dripping(r, slowWord, 300); r.finish("stop") },
		"stall":     func(r *reply) { r.wait(time.Minute) },
		"stall-mid": func(r *reply) { r.text(halfway); r.wait(time.Minute) },
		"keepalive": keepAlive,
		"lingers":   func(r *reply) { say(r, sentence); r.finishUncounted("stop"); r.wait(time.Minute) },
	}
	for _, c := range refusalCases {
		all[c.name] = func(r *reply) {
			for key, value := range c.header {
				r.w.Header().Set(key, value)
			}
			r.refuse(c.status, c.says, c.code)
		}
	}
	return all
}

// say sends a text in pieces of a few characters.
func say(r *reply, text string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(5, len(runes))
		r.text(string(runes[:n]))
		runes = runes[n:]
	}
}

// afterTheEnd goes on when all is said, where the form has an end mark.
func afterTheEnd(r *reply) {
	say(r, sentence)
	r.finish("stop")
	if !r.form.open {
		r.text("AFTER THE END")
		r.finish("stop")
	}
}

// byteByByte cuts characters in the middle of their bytes.
func byteByByte(r *reply) {
	for _, b := range []byte(r.framed(inAllForms(sentence))) {
		_, _ = r.w.Write([]byte{b})
		r.w.(http.Flusher).Flush()
	}
	r.finish("stop")
}

// wholeAnswer ignores the wish for a stream.
func wholeAnswer(r *reply) {
	r.w.Header().Set("Content-Type", "application/json")
	if r.form.lines {
		r.event0(r.form.whole(sentence))
		return
	}
	pretty, _ := json.MarshalIndent(r.form.whole(sentence), "", "  ") // strings and numbers only
	r.raw(string(pretty))
}

// drip is slower than the first-token limit in all, but never idle.
func drip(r *reply) {
	for _, piece := range strings.SplitAfter(sentence, " ") {
		r.text(piece)
		r.wait(Limits().Idle * 4 / 10)
	}
	r.finish("stop")
}

// slowWord is a token of a model that writes one a second.
const slowWord = " the"

// dripping says a word so often, one a second.
func dripping(r *reply, word string, times int) {
	for range times {
		if r.r.Context().Err() != nil {
			return
		}
		r.text(word)
		r.wait(time.Second)
	}
}

// keepAlive sends comments and empty lines for ever after some text.
func keepAlive(r *reply) {
	r.text(halfway)
	for range 1200 {
		r.raw(r.form.comment)
		r.wait(50 * time.Millisecond)
		if r.r.Context().Err() != nil {
			return
		}
	}
}
