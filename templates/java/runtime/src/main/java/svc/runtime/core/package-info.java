/** Options of clients and calls, runs of flows, and transports. */
package svc.runtime.core;
