package web

import "testing"

func TestServicesBeyondThisComputerAreNotLocal(t *testing.T) {
	allowed := []string{"https://models.example.org:8443"}
	for address, want := range map[string]bool{
		"http://127.0.0.1:11434": true, "http://localhost:1234/v1": true, "http://[::1]:80": true, "http://192.168.1.20:8000/v1": true,
		"https://models.example.org:8443/v1": true, "https://models.example.org/v1": false, "https://api.openai.com/v1": false,
		"http://8.8.8.8": false, "localhost": false, "": false, "http://localhost.example.org": false,
	} {
		if got := Local(address, allowed); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
