// Package svc is the runtime of the SDK: options, errors, runs of flows, and the
// exact JSON of messages. Programs take options and errors from it; the calls and
// messages are in the package above.
package svc
