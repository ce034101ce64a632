// Package svc has the options, errors, responses, runs of flows and values that calls
// take and return. The client and its messages are in the parent package.
package svc
