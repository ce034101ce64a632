// Package svc provides the options, errors, responses, handles of runs and values that calls
// take and return. The client and its messages are in the parent package.
package svc
