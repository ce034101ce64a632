package svc.runtime.internal;

/** Builds JSON. */
final class JsonWriter {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final StringBuilder text = new StringBuilder(256);
  private int depth;

  void raw(char mark) {
    text.append(mark);
  }

  void raw(String json) {
    text.append(json);
  }

  void raw(long number) {
    text.append(number);
  }

  /** Starts a list or object. */
  void begin(char bracket) {
    if (++depth > JsonReader.DEEPEST) {
      throw new Problem("nested too deeply");
    }
    text.append(bracket);
  }

  /** Ends a list or object. */
  void end(char bracket) {
    depth--;
    text.append(bracket);
  }

  /** Writes a string with minimal escaping. */
  void string(String value) {
    if (!isWellFormed(value)) {
      throw new Problem("not valid Unicode");
    }
    text.append('"');
    int start = 0;
    for (int i = 0; i < value.length(); i++) {
      char next = value.charAt(i);
      if (next >= ' ' && next != '"' && next != '\\') {
        continue;
      }
      text.append(value, start, i);
      start = i + 1;
      escape(next);
    }
    text.append(value, start, value.length()).append('"');
  }

  /** Writes a string that needs no escaping. */
  void plain(String value) {
    text.append('"').append(value).append('"');
  }

  private void escape(char character) {
    switch (character) {
      case '"', '\\' -> text.append('\\').append(character);
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      default -> text.append("\\u00").append(HEX[character >> 4]).append(HEX[character & 15]);
    }
  }

  /** Reports whether a string has no unpaired surrogates. */
  static boolean isWellFormed(String value) {
    for (int i = 0; i < value.length(); i++) {
      char next = value.charAt(i);
      if (!Character.isSurrogate(next)) {
        continue;
      }
      if (Character.isLowSurrogate(next)
          || ++i == value.length()
          || !Character.isLowSurrogate(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
