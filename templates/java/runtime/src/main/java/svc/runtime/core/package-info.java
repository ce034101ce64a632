/** Options of clients and calls, runs of flows, and what sends the requests. */
package svc.runtime.core;
