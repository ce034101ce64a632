/** Exact ProtoJSON: values of the well-known types, and what reads and writes messages. */
package svc.runtime.json;
