//go:build !amd64 && !arm64

package simd

func kernels() []*Kernel { return nil }
