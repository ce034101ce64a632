/** Exceptions: an unchecked hierarchy with the base class {@link SvcException}. */
package svc.runtime.errors;
