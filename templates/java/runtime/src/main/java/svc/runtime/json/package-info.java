/** ProtoJSON: well-known types and codecs of messages. */
@NullMarked
package svc.runtime.json;

import org.jspecify.annotations.NullMarked;
