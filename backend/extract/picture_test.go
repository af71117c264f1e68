package extract

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"footnote/backend/hostile"
)

func pictureLimits() Limits {
	lim := DefaultLimits()
	lim.File, lim.Memory, lim.Time = 8<<20, 256<<20, 20*time.Second
	return lim
}

func TestPicturesAreDrawnAnewInAChild(t *testing.T) {
	pool := testPool(t, "serve", 2, pictureLimits())
	trailer := append(hostile.Drawn(1600, 200, hostile.JPEG), "<script>alert(1)</script>"...)
	for name, c := range map[string]struct {
		from []byte
		want image.Point
	}{
		"png": {hostile.Drawn(900, 900, hostile.PNG), image.Pt(480, 480)}, "jpeg": {trailer, image.Pt(640, 80)}, "gif": {hostile.Drawn(64, 48, hostile.GIF), image.Pt(64, 48)},
		"in passes": {hostile.Progressive(640, 10), image.Pt(480, 480)},
	} {
		data, err := pool.Redraw(t.Context(), c.from)
		if err != nil || bytes.Contains(data, []byte("<script")) {
			t.Fatalf("%s: %v", name, err)
		}
		got, kind, err := image.Decode(bytes.NewReader(data))
		if err != nil || kind != "jpeg" || got.Bounds().Size() != c.want {
			t.Errorf("%s: %s %v %v", name, kind, got.Bounds(), err)
		}
	}
}

func TestHostilePicturesAreRefused(t *testing.T) {
	pool := testPool(t, "serve", 2, pictureLimits())
	for name, picture := range hostile.Pictures() {
		_, err := pool.Redraw(t.Context(), picture)
		var why *Error
		if !errors.As(err, &why) || why.Code == Crashed || why.Code == Timeout {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDrawingEndsWithItsContext(t *testing.T) {
	pool := testPool(t, "hang", 2, pictureLimits())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := pool.Redraw(ctx, hostile.Drawn(64, 64, hostile.PNG)); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func FuzzRedraw(f *testing.F) {
	for name, picture := range hostile.Pictures() {
		if len(picture) < 1<<16 {
			f.Add(picture)
		} else {
			f.Logf("%s is too large for a seed", name)
		}
	}
	for _, encode := range []func(*bytes.Buffer, image.Image) error{hostile.PNG, hostile.JPEG, hostile.GIF} {
		f.Add(hostile.Drawn(64, 48, encode))
	}
	f.Add(hostile.Progressive(64, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := redraw(data)
		var why *Error
		if err != nil {
			if !errors.As(err, &why) || why.Reason == "" {
				t.Errorf("no reason: %v", err)
			}
			return
		}
		size, kind, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || kind != "jpeg" || size.Width > pictureWidth || size.Height > pictureHeight {
			t.Errorf("%s %v %v", kind, size, err)
		}
	})
}
