package svc.runtime.core;

import java.util.Objects;
import java.util.StringJoiner;

/** Formats an object with those of its members that are set. */
final class Shown {
  private final StringJoiner text;

  Shown(String name) {
    text = new StringJoiner(", ", name + "[", "]");
  }

  /** Shows a member, unless its value is null. */
  Shown with(String member, Object value) {
    return with(member, value, null);
  }

  /** Shows a member, unless it has its default value. */
  Shown with(String member, Object value, Object defaultValue) {
    if (!Objects.equals(value, defaultValue)) {
      text.add(member + "=" + value);
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
