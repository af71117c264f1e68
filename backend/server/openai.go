package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/server/openai"
)

// openAIForm is how an answer is told to clients of OpenAI's: whole, or in the
// frames of a stream.
type openAIForm interface {
	Whole(openai.Told) any
	Begin() []any
	Piece(delta string) any
	End(openai.Told) []any
	Failed(status int, f api.Failure) any
	Frame(chunk any) (string, error)
	Done() string
}

// chat answers a conversation, at once or in chunks.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in openai.ChatRequest
	err := readJSON(r, &in)
	var request openai.Request
	if err == nil {
		request, err = in.Request(s.rooms.Engine.Defaults(), s.room())
	}
	s.fulfil(w, r, request, err, in.Stream, func(id string) openAIForm { return in.Form(id, s.opt.Now(), addressOf) })
}

// respond answers as the Responses API does. A response that is gone on from names
// the conversation.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) {
	var in openai.ResponseRequest
	err := readJSON(r, &in)
	var request openai.Request
	if err == nil {
		request, err = in.Request(s.rooms.Engine.Defaults(), s.room())
	}
	if err == nil && in.Previous != "" {
		request.Question.Thread, err = s.threadOf(r.Context(), in.Previous)
	}
	s.fulfil(w, r, request, err, in.Stream, func(id string) openAIForm { return in.Form(id, s.opt.Now(), addressOf) })
}

func (s *Server) threadOf(ctx context.Context, response string) (contract.ThreadID, error) {
	run, err := s.responded(ctx, response)
	if err != nil {
		return "", openai.About("previous_response_id", err)
	}
	return run.Thread, nil
}

// responded is the run behind a response.
func (s *Server) responded(ctx context.Context, response string) (api.RunView, error) {
	id, ok := openai.RunOf(response)
	var run api.RunView
	err := fault.New(fault.NotFound, "There is no such response.", "Private ones are not kept.")
	if ok && api.CheckID(string(id)) == nil {
		if found, missing := s.api.Runs.Get(ctx, api.ID{ID: string(id)}); missing == nil {
			return found, nil
		}
	}
	return run, err
}

// response gives an answer again, as it was made.
func (s *Server) response(w http.ResponseWriter, r *http.Request) {
	run, err := s.responded(r.Context(), r.PathValue("response"))
	if err == nil && run.Answer == nil {
		err = fault.New(fault.NotFound, "This response has no answer yet.", "Ask again later.")
	}
	if err != nil {
		writeError(w, err)
		return
	}
	var in openai.ResponseRequest
	in.Model = openai.Models[0].ID
	writeJSON(w, http.StatusOK, in.Form(string(run.ID), run.Started, addressOf).Whole(openai.Request{}.Told(*run.Answer)))
}

func (s *Server) room() openai.Room {
	limits := s.rooms.Settings.Now().Limits
	return openai.Room{Question: limits.QuestionChars, Deep: limits.DeepQueryChars}
}

// fulfil answers a request: a chore at once, a question by a run.
func (s *Server) fulfil(w http.ResponseWriter, r *http.Request, request openai.Request, err error, streamed bool, form func(id string) openAIForm) {
	var model llm.ResolvedModel
	if err == nil {
		model, err = s.modelFor(r.Context(), request)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	request.Question.Private = request.Question.Private || truthy(r.Header.Get(privateHeader))
	for _, name := range openai.Headers {
		if value := r.Header.Get(name); request.Thread.Named == "" {
			request.Thread.Named = value
		}
	}
	if request.Chore != "" {
		s.chore(w, r, request, model, streamed, form(newReplyID()))
		return
	}
	run, err := s.askInThread(r.Context(), &request)
	if err != nil {
		writeError(w, err)
		return
	}
	of := &openAIAnswer{server: s, request: request, model: model, form: form(string(run.ID)), run: run}
	if streamed {
		of.stream(w, r)
		return
	}
	of.whole(w, r)
}

// privateHeader keeps a question out of the database, as a private conversation is.
const privateHeader = "X-Footnote-Private"

func truthy(value string) bool {
	return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(value)))
}

// modelFor is the model that a request is answered with, nil when there is none. One
// that is named and not there is 404, as these clients expect it.
func (s *Server) modelFor(ctx context.Context, request openai.Request) (llm.ResolvedModel, error) {
	want := request.Question.Models.Chat
	if want == "" {
		want = s.rooms.Settings.Now().Models.Chat
	}
	if request.Named {
		if _, _, err := s.rooms.Models.Find(request.Model); err != nil {
			return llm.ResolvedModel{}, openai.About("model", err)
		}
	}
	model, err := s.rooms.Engine.Models.Resolve(ctx, want)
	if err != nil && request.Named {
		if f := fault.Of(err); f.Code == fault.ModelMissing {
			err = fault.New(fault.InvalidModel, f.Message, f.Hint)
		}
		return model, openai.About("model", err)
	}
	if request.Shape != nil && model.Model == nil {
		return model, openai.NoModel(*request.Shape)
	}
	return model, nil // a run says itself that the model of the settings is away
}

// askInThread asks in the conversation that a request goes on in. The turns of one
// that is known here are not taken from the client again.
func (s *Server) askInThread(ctx context.Context, request *openai.Request) (contract.Run, error) {
	q := request.Question
	if q.Private || q.Thread != "" {
		return s.asked(ctx, q)
	}
	s.await.mu.Lock()
	defer s.await.mu.Unlock()
	if key := request.Thread.Key(); key != "" {
		thread, err := s.rooms.DB.Session(ctx, key)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return contract.Run{}, err
		}
		if thread != "" {
			q.Thread, q.Earlier = thread, nil
		}
	}
	run, err := s.asked(ctx, q)
	if err == nil && request.Thread.Named != "" {
		s.remember(ctx, request.Thread.Key(), run.Thread)
	}
	return run, err
}

func (s *Server) asked(ctx context.Context, q contract.Question) (contract.Run, error) {
	asked, err := s.api.Runs.Ask(ctx, api.Question{Body: q})
	return contract.Run{ID: asked.Run, Thread: asked.Thread, Question: q}, err
}

// openAIAnswer is one answer on its way to a client.
type openAIAnswer struct {
	server  *Server
	request openai.Request
	model   llm.ResolvedModel
	form    openAIForm
	run     contract.Run
}

func (o *openAIAnswer) whole(w http.ResponseWriter, r *http.Request) {
	last, err := o.server.wait(w, r, o.run.ID)
	var a contract.Answer
	if err == nil {
		a, err = answerOf(last)
	}
	var told openai.Told
	if err == nil {
		told, err = o.told(r.Context(), a)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, o.form.Whole(told))
}

// told is what of an answer the client gets; the conversation will be known by it.
func (o *openAIAnswer) told(ctx context.Context, a contract.Answer) (openai.Told, error) {
	told := o.request.Told(a)
	if o.request.Shape != nil {
		value, err := o.shaped(ctx, a)
		if err != nil {
			return told, err
		}
		told = o.request.Shaped(a, value)
	}
	if !o.request.Question.Private {
		o.server.remember(ctx, o.request.Thread.Next(told.Text), o.run.Thread)
	}
	return told, nil
}

// remember keeps under which name a conversation goes on. An answer is not lost
// where that cannot be kept, or the conversation was deleted meanwhile.
func (s *Server) remember(ctx context.Context, name string, thread contract.ThreadID) {
	if err := s.rooms.DB.BindSession(ctx, name, thread); err != nil && fault.CodeOf(err) != fault.NotFound {
		s.opt.Log.Warn("keep the name of a conversation", "err", err)
	}
}

const shapeTime = 2 * time.Minute

// shaped has the model put an answer into the form that the client wants. A model
// of the net gets only what it wrote itself.
func (o *openAIAnswer) shaped(ctx context.Context, a contract.Answer) (string, error) {
	if o.model.Cloud && a.Usage.Chat.Model != o.model.Name {
		return "", fault.New(fault.ConfirmNeeded, "The answer was not written by the model of the net, and is not sent to it.", "Use a model on this computer for answers of this form.")
	}
	for _, c := range a.Citations { // the request holds the answer, and so what it cites
		ctx = privacy.Carrying(ctx, c.Passage)
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "structured"), shapeTime)
	defer cancel()
	var value json.RawMessage
	call := llm.Call{Model: o.model.ID, Window: o.model.Ability.Window, Purpose: "structured", Messages: o.request.Shape.Fill(o.request.Question.Text, a.Answer)}
	err := llm.Structured(ctx, o.model.Model, call, o.request.Shape.Schema, &value)
	if errors.Is(err, llm.ErrNotStructured) || err == nil && !fits(value, o.request.Shape.Schema) {
		return "", openai.Unfit()
	}
	return string(value), err
}

// fits holds a value against its schema; what is no schema holds nothing.
func fits(value, schema json.RawMessage) bool {
	var s jsonschema.Schema
	var v any
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal(value, &v) != nil {
		return json.Valid(value)
	}
	resolved, err := s.Resolve(nil)
	return err != nil || resolved.Validate(v) == nil
}

// chore does what a client asks beside the conversation: by the model where it is
// on this computer, since the chat may hold text of files; else by rules.
func (s *Server) chore(w http.ResponseWriter, r *http.Request, request openai.Request, model llm.ResolvedModel, streamed bool, form openAIForm) {
	told := openai.Told{Text: request.Extract(), Finish: openai.Stopped}
	told.Outcome, told.Report = contract.Chatted, contract.Report{Verdicts: map[contract.Verdict]int{}, Unanswered: []string{}, Warnings: []string{}}
	if model.Model != nil && !model.Cloud {
		ctx, cancel := context.WithTimeout(privacy.WithPurpose(r.Context(), "chore"), shapeTime)
		defer cancel()
		text, usage, err := llm.Complete(ctx, model, llm.Call{Messages: request.Ask(), MaxTokens: max(request.Limits.Tokens, choreTokens), Purpose: "chore"})
		switch {
		case err == nil:
			told.Text = text
			told.Usage.System = contract.ModelUsage{Model: model.Name, Prompt: usage.Prompt, Completion: usage.Completion, Total: usage.Total(), Calls: usage.Calls}
		default:
			s.opt.Log.Info("a task of a chat program is done by rules", "task", request.Chore, "err", err)
		}
	}
	if !streamed {
		writeJSON(w, http.StatusOK, form.Whole(told))
		return
	}
	s.stream(w, r, quietEvents(s.ping), func(_ context.Context, out *stream) {
		to := openAIFollower{form: form, out: out}
		_ = to.say(form.Begin()...) && to.text(told.Text) && to.end(told)
	})
}

const choreTokens = 400

func newReplyID() string { return NewToken()[:26] }

// quietEvents are server-sent events for clients that would take a retry for an
// empty chunk.
func quietEvents(every time.Duration) wireForm {
	form := serverSent
	form.opening, form.every = "", every
	return form
}

func (o *openAIAnswer) stream(w http.ResponseWriter, r *http.Request) {
	s := o.server
	s.stream(w, r, quietEvents(s.ping), func(ctx context.Context, out *stream) {
		to := openAIFollower{form: o.form, out: out, finish: func(a contract.Answer) (openai.Told, error) { return o.told(ctx, a) }}
		if !to.say(o.form.Begin()...) {
			s.abandon(ctx, o.run.ID)
			return
		}
		s.tell(ctx, o.run.ID, appending{to: to, limits: o.request.Limits, unsaid: o.request.Shape != nil})
	})
}

// openAIFollower tells a run in the frames of a form.
type openAIFollower struct {
	form   openAIForm
	out    *stream
	finish func(contract.Answer) (openai.Told, error)
}

func (f openAIFollower) say(chunks ...any) bool {
	for _, chunk := range chunks {
		if frame, err := f.form.Frame(chunk); err != nil || !f.out.send(frame) {
			return false
		}
	}
	return true
}

func (f openAIFollower) sources([]contract.SourceCard) bool { return true }

func (f openAIFollower) text(delta string) bool { return f.say(f.form.Piece(delta)) }

func (f openAIFollower) finished(a contract.Answer) {
	told, err := f.finish(a)
	if err != nil {
		f.failed(api.FailureOf(err))
		return
	}
	if told.Unsaid && !f.text(told.Text) {
		return
	}
	f.end(told)
}

func (f openAIFollower) end(told openai.Told) bool {
	return f.say(f.form.End(told)...) && f.out.send(f.form.Done())
}

func (f openAIFollower) failed(failure api.Failure) {
	f.say(f.form.Failed(statuses[failure.Code], failure))
}

// chatModelList lists Footnote's own names and every provider/model.
func (s *Server) chatModelList(ctx context.Context) (openai.ModelList, error) {
	list := openai.ModelList{Object: "list"}
	add := func(id, owner string) {
		list.Data = append(list.Data, openai.Model{ID: id, Object: "model", Created: s.rooms.Began.Unix(), Owner: owner})
	}
	for _, m := range openai.Models {
		add(m.ID, "footnote")
	}
	models, err := s.api.Models.List(ctx, api.None{})
	for _, p := range models.Providers {
		for _, m := range p.ChatModels {
			add(p.ID+"/"+m.Key, p.ID)
		}
	}
	return list, err
}

// chatModel gives one of the list.
func (s *Server) chatModel(w http.ResponseWriter, r *http.Request) {
	list, err := s.chatModelList(r.Context())
	at := slices.IndexFunc(list.Data, func(m openai.Model) bool { return m.ID == r.PathValue("model") })
	if err == nil && at < 0 {
		err = openai.About("model", fault.New(fault.InvalidModel, "There is no such model.", "Look in /v1/models."))
	}
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, list.Data[at])
}
