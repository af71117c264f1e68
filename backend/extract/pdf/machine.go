//go:build pdfium

package pdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"footnote/backend/extract/format"
)

// machine runs one WebAssembly program made with Emscripten. It has no files and
// no net; its memory is bounded, and it ends with the context of a call.
type machine struct {
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	module  api.Module
	calls   map[string]api.Function
}

const wasmPage = 64 << 10

// compiledHere keeps code for the life of this process where no folder does.
var compiledHere = sync.OnceValue(wazero.NewCompilationCache)

// newMachine compiles and starts code. Limits.Cache keeps what was compiled: it
// takes seconds once, and a tenth of a second after that.
func newMachine(ctx context.Context, code []byte, lim format.Limits) (m *machine, err error) {
	m = &machine{calls: map[string]api.Function{}}
	defer func() {
		if err != nil {
			m.close()
			m = nil
		}
	}()
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(uint32(min(lim.Memory/2, 1<<30) / wasmPage))
	if lim.Cache == "" {
		config = config.WithCompilationCache(compiledHere())
	} else if os.MkdirAll(lim.Cache, 0o700) == nil {
		if m.cache, err = wazero.NewCompilationCacheWithDir(lim.Cache); err != nil {
			return m, fmt.Errorf("open folder of compiled code: %w", err)
		}
		config = config.WithCompilationCache(m.cache)
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return m, fmt.Errorf("start machine: %w", err)
	}
	compiled, err := m.runtime.CompileModule(ctx, code)
	if err != nil {
		return m, fmt.Errorf("compile: %w", err)
	}
	if err := m.environment(ctx, compiled); err != nil {
		return m, err
	}
	m.module, err = m.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return m, fmt.Errorf("start machine: %w", err)
	}
	return m, nil
}

// environment gives the program what it imports: jumps and memory, and for
// everything that would reach out of the machine "no such thing".
func (m *machine) environment(ctx context.Context, compiled wazero.CompiledModule) error {
	env := m.runtime.NewHostModuleBuilder("env")
	exporter, err := emscripten.NewFunctionExporterForModule(compiled)
	if err != nil {
		return fmt.Errorf("start machine: %w", err)
	}
	exporter.ExportFunctions(env)
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module != "env" || len(name) > 7 && name[:7] == "invoke_" || name == "_emscripten_throw_longjmp" {
			continue
		}
		env.NewFunctionBuilder().WithGoModuleFunction(hostFunction(name, len(f.ResultTypes())), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	if _, err := env.Instantiate(ctx); err != nil {
		return fmt.Errorf("start machine: %w", err)
	}
	return nil
}

// notSupported is ENOSYS as a program compiled with Emscripten knows it.
const notSupported = -52

func hostFunction(name string, results int) api.GoModuleFunc {
	return func(_ context.Context, mod api.Module, stack []uint64) {
		switch name {
		case "emscripten_resize_heap":
			want, have := uint32(stack[0]), mod.Memory().Size()
			stack[0] = 1
			if want > have {
				if _, ok := mod.Memory().Grow((want - have + wasmPage - 1) / wasmPage); !ok {
					stack[0] = 0
				}
			}
		case "emscripten_date_now":
			stack[0] = api.EncodeF64(float64(time.Now().UnixMilli()))
		case "_abort_js":
			panic(errors.New("the program gave up"))
		default:
			if results > 0 {
				code := int32(notSupported)
				stack[0] = uint64(uint32(code))
			}
		}
	}
}

// call runs a function of the program. After an error the machine is of no use.
func (m *machine) call(ctx context.Context, name string, args ...uint64) (uint64, error) {
	f, ok := m.calls[name]
	if !ok {
		if f = m.module.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("the program has no function %s", name)
		}
		m.calls[name] = f
	}
	var stack [8]uint64
	copy(stack[:], args)
	if err := f.CallWithStack(ctx, stack[:max(len(args), 1)]); err != nil {
		return 0, fmt.Errorf("run %s: %w", name, err)
	}
	return stack[0], nil
}

// put copies bytes into the program's memory.
func (m *machine) put(ctx context.Context, data []byte) (uint64, error) {
	at, err := m.call(ctx, "malloc", uint64(max(1, len(data))))
	if err != nil {
		return 0, err
	}
	if at == 0 || !m.module.Memory().Write(uint32(at), data) {
		return 0, fmt.Errorf("the file of %d MB does not fit into the machine", len(data)>>20)
	}
	return at, nil
}

// memory is a view of n bytes of the program's memory, good until the next call.
func (m *machine) memory(at uint64, n int) ([]byte, bool) {
	return m.module.Memory().Read(uint32(at), uint32(n))
}

// close ends the program. Its errors say only that it is gone.
func (m *machine) close() {
	ctx := context.Background()
	if m.runtime != nil {
		_ = m.runtime.Close(ctx)
	}
	if m.cache != nil {
		_ = m.cache.Close(ctx)
	}
}
