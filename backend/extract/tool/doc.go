// Package tool runs programs of the system on behalf of a file, without the secrets of the environment.
package tool
