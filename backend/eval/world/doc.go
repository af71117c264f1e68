// Package world makes a small web of its own, the same for each seed: subjects that
// exist nowhere else, pages and files about them, and a key to what they say.
package world
