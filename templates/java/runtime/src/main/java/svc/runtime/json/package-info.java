/** ProtoJSON: well-known types and codecs of messages. */
package svc.runtime.json;
