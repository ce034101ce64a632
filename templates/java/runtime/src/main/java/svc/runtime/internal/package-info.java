/** Internal API: the module does not export it, and it may change in any release. */
@NullMarked
package svc.runtime.internal;

import org.jspecify.annotations.NullMarked;
