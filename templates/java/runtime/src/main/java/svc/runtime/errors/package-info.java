/** Failures of calls: one unchecked tree whose root is {@link SvcException}. */
package svc.runtime.errors;
