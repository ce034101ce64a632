// Package svc provides the options, errors, responses, run handles and values that calls take
// and return. The client and its messages are in the parent package.
package svc
