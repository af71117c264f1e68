package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// safetensors is a model file as its authors publish it: the length of a JSON
// header, the header, the tensors. It keeps the first error.
type safetensors struct {
	entries map[string]safetensor
	payload []byte
	err     error
}

type safetensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

func openSafetensors(data []byte) (*safetensors, error) {
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, errors.New("read model: not a safetensors file")
	}
	length := binary.LittleEndian.Uint64(data)
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+length], &raw); err != nil {
		return nil, fmt.Errorf("read header of model: %w", err)
	}
	s := &safetensors{entries: map[string]safetensor{}, payload: data[8+length:]}
	for name, entry := range raw {
		var t safetensor
		if name == "__metadata__" {
			continue
		}
		if err := json.Unmarshal(entry, &t); err != nil {
			return nil, fmt.Errorf("read tensor %q of model: %w", name, err)
		}
		s.entries[name] = t
	}
	return s, nil
}

func (s *safetensors) has(name string) bool {
	_, ok := s.entries[name]
	return ok
}

// tensor is a float32 tensor with this number of dimensions and its shape.
func (s *safetensors) tensor(name string, dimensions int) ([]float32, []int) {
	t, ok := s.entries[name]
	if !ok || t.Type != "F32" || len(t.Shape) != dimensions {
		s.fail(fmt.Errorf("read model: no float32 tensor %q of %d dimensions", name, dimensions))
		return nil, nil
	}
	size := 4
	for _, d := range t.Shape {
		if d <= 0 || size > math.MaxInt32/d {
			s.fail(fmt.Errorf("read model: tensor %q has shape %v", name, t.Shape))
			return nil, nil
		}
		size *= d
	}
	if t.Offsets[0] < 0 || t.Offsets[1] > len(s.payload) || t.Offsets[1]-t.Offsets[0] != size {
		s.fail(fmt.Errorf("read model: tensor %q lies outside the file", name))
		return nil, nil
	}
	v := make([]float32, size/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.payload[t.Offsets[0]+4*i:]))
	}
	return v, t.Shape
}

func (s *safetensors) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}
