package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/mcp"
	"footnote/backend/postgres"
	"footnote/backend/postgres/people"
	"footnote/backend/server"
	"footnote/backend/team"
)

const (
	beatEvery   = 20 * time.Second
	roomsAtRest = 30 * time.Minute // after which the rooms of who has not come back are closed
)

// guests are the rooms of the people of a team, made when they come and closed when
// they have been away for a while.
type guests struct {
	program Program
	house   *command.House
	db      *postgres.DB
	now     func() time.Time

	mu sync.Mutex
	by map[int64]*visit
}

// visit is somebody who is here.
type visit struct {
	*server.Guest
	own  *postgres.Own
	last time.Time
	end  func(context.Context) error
}

// team opens the library of several people and lets them in.
func (p Program) team(ctx context.Context, h *command.House) (*server.Team, func(context.Context) error, error) {
	db, err := postgres.Open(ctx, h.Settings.Now().Team.Database, h.Log)
	if err != nil {
		return nil, nil, err
	}
	g := &guests{program: p, house: h, db: db, now: time.Now, by: map[int64]*visit{}}
	ctx, stop := context.WithCancel(ctx)
	var beating sync.WaitGroup
	beating.Go(func() { g.beat(ctx) })
	end := func(closing context.Context) error {
		stop()
		beating.Wait()
		err := g.close(closing, func(*visit) bool { return true })
		db.Close()
		return err
	}
	return &server.Team{Door: team.NewDoor(db, db, time.Now), Rooms: g.rooms, Ready: db.Ready, Audit: db.Audit, Load: g.load}, end, nil
}

// rooms are those of a person who has come in.
func (g *guests) rooms(ctx context.Context, person team.Person) (*server.Guest, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.by[person.ID]
	if v == nil {
		v = g.visit(person)
		if _, err := v.own.CloseOpen(ctx); err != nil {
			return nil, errors.Join(err, v.end(context.WithoutCancel(ctx)))
		}
		if _, err := v.Rooms.Engine.Resume(ctx); err != nil {
			g.house.Log.Error("go on with research", "err", err)
		}
		g.by[person.ID] = v
	}
	v.last = g.now()
	return v.Guest, nil
}

// visit makes rooms over what a person keeps and the library as they see it.
func (g *guests) visit(person team.Person) *visit {
	own := g.db.Own(person.ID, g.now)
	engine, shelf := g.house.With(command.Stores{
		Stores: answer.Stores{Journal: own, Records: own, Archive: own, Preferences: own, Traces: own, Studies: own, Consents: own},
		Texts:  own, Catalog: own.View, Index: own.View.Index(), Resting: true,
	})
	rooms := g.program.rooms(g.house)
	rooms.Engine, rooms.DB, rooms.Library, rooms.Person, rooms.Shared = engine, own, shelf, person.Name, people.Sharing{DB: g.db, Own: own}
	rooms.Warmer, rooms.Refresher, rooms.Tables, rooms.Updates, rooms.OpenPath = nil, nil, nil, nil, nil
	protocol := mcp.Rooms{Engine: engine, Archive: own, Shelf: shelf, Web: engine.Web, Reader: engine.Reader, Cells: engine, Files: shelf.Members, DeepText: g.house.Settings.Now().Limits.DeepQueryChars}
	return &visit{
		Guest: &server.Guest{Rooms: rooms, Protocol: func(serving context.Context) http.Handler { return mcp.HTTP(serving, g.program.Version, protocol) }},
		own:   own, last: g.now(), end: func(ctx context.Context) error { return errors.Join(engine.Close(ctx), shelf.Close()) },
	}
}

// beat tells other processes which runs go on here, ends those that nobody works on
// any more, and closes the rooms of who is away.
func (g *guests) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, v := range g.here() {
			if err := v.own.Beat(ctx, v.Rooms.Engine.Running()); err != nil && ctx.Err() == nil {
				g.house.Log.Warn("tell that runs go on", "err", err)
				continue
			}
			if _, err := v.own.CloseOpen(ctx); err != nil && ctx.Err() == nil {
				g.house.Log.Warn("end runs that were left", "err", err)
			}
		}
		rested := func(v *visit) bool { return g.now().Sub(v.last) > roomsAtRest && len(v.Rooms.Engine.Running()) == 0 }
		if err := g.close(ctx, rested); err != nil {
			g.house.Log.Warn("close rooms", "err", err)
		}
	}
}

func (g *guests) here() (all []*visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, v := range g.by {
		all = append(all, v)
	}
	return all
}

// load tells how many people are here, and how many of their questions go on.
func (g *guests) load() (people, runs int) {
	here := g.here()
	for _, v := range here {
		runs += len(v.Rooms.Engine.Running())
	}
	return len(here), runs
}

const drainTime = 30 * time.Second

// drained is a context that ends after another one: when what is being answered has
// ended, or has had its time. What has not is ended as broken off, and research is
// gone on with by whichever program its person comes to next.
func drained(ctx context.Context, s *server.Server, load func() (people, runs int)) (context.Context, context.CancelFunc) {
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-serving.Done():
			return
		case <-ctx.Done():
		}
		s.Drain()
		for limit := time.Now().Add(drainTime); time.Now().Before(limit); time.Sleep(100 * time.Millisecond) {
			if _, runs := load(); runs == 0 {
				break
			}
		}
		end()
	}()
	return serving, end
}

func (g *guests) close(ctx context.Context, which func(*visit) bool) error {
	g.mu.Lock()
	var gone []*visit
	for id, v := range g.by {
		if which(v) {
			gone = append(gone, v)
			delete(g.by, id)
		}
	}
	g.mu.Unlock()
	var errs []error
	for _, v := range gone {
		errs = append(errs, v.end(ctx))
	}
	return errors.Join(errs...)
}

// serveTeam answers the people of a team over HTTP until ctx ends.
func (p Program) serveTeam(ctx context.Context, h *command.House, opt command.ServeOptions, env *command.Env) (err error) {
	tuneForServing()
	if h.Settings.Now().Team.Database == "" {
		return fault.New(fault.InvalidSetting, "No database of a team is set.", "Set team.database to postgres://name:password@host/database, then run: footnote team init")
	}
	people, end, err := p.team(ctx, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(context.WithoutCancel(ctx))) }()
	s, listener, err := p.listen(h, opt, &api.Rooms{Settings: h.Settings, Version: p.Version, Log: h.Log}, people)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "Open http://%s and sign in.\n", listener.Addr())
	fmt.Fprintf(env.Stdout, "listening %s\n", listener.Addr())
	if server.Remote(listener.Addr()) {
		fmt.Fprintln(env.Stderr, "warning: passwords go over this address as they are; put a server that encrypts before it.")
	}
	serving, stop := drained(ctx, s, people.Load)
	defer stop()
	return s.Serve(serving, listener)
}
