package svc.runtime.json;

import svc.runtime.errors.InvalidMessageException;

/** A value that does not fit. Its path grows while it travels outwards. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Where the value stands: {@code lines[2].price}; empty at the root. */
  private final String path;

  Problem(String message) {
    this("", message);
  }

  private Problem(String path, String message) {
    super(message, null, false, false);
    this.path = path;
  }

  /** Says that the value stands beneath a field or key. */
  Problem beneath(String step) {
    String joint = path.isEmpty() || path.startsWith("[") ? "" : ".";
    return new Problem(step + joint + path, getMessage());
  }

  /** Says that the value is an item of a list. */
  Problem beneath(int index) {
    return beneath("[" + index + "]");
  }

  /** Gives the failure that the caller sees. */
  InvalidMessageException of(String name) {
    String where = path.isEmpty() ? name : name + ": " + path;
    return new InvalidMessageException(where + ": " + getMessage());
  }
}
