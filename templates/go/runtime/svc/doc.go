// Package svc is the runtime of the SDK: options, errors, runs of flows and
// ProtoJSON. The client and its messages are in the parent package.
package svc
