/** Options of clients and calls, runs of flows, and transports. */
@NullMarked
package svc.runtime.core;

import org.jspecify.annotations.NullMarked;
