package svc.runtime.internal;

import svc.runtime.errors.InvalidMessageException;

/** An invalid value. Its path is extended as the exception propagates. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Path of the value, such as {@code lines[2].price}. Empty for the message. */
  private final String path;

  Problem(String message) {
    this("", message);
  }

  private Problem(String path, String message) {
    super(message, null, false, false);
    this.path = path;
  }

  /** Prepends a field or key to the path. */
  Problem beneath(String step) {
    String joint = path.isEmpty() || path.startsWith("[") ? "" : ".";
    return new Problem(step + joint + path, getMessage());
  }

  /** Prepends a list index to the path. */
  Problem beneath(int index) {
    return beneath("[" + index + "]");
  }

  /** Returns the exception for the caller. */
  InvalidMessageException of(String name) {
    String where = path.isEmpty() ? name : name + ": " + path;
    return new InvalidMessageException(where + ": " + getMessage());
  }
}
