/** Values of well-known types, and JSON. */
@NullMarked
package svc.runtime.json;

import org.jspecify.annotations.NullMarked;
