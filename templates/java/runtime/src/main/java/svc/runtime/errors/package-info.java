/** Exceptions: an unchecked hierarchy with the base class {@link SvcException}. */
@NullMarked
package svc.runtime.errors;

import org.jspecify.annotations.NullMarked;
