package svc.runtime.internal;

/** A strict, single-pass JSON parser (RFC 8259). */
final class JsonReader {
  /** Maximum nesting depth. */
  static final int DEEPEST = 1_000;

  private static final char END = '\0';
  private static final int LONGEST_EXCERPT = 60;

  private final String text;
  private final boolean isStrict;
  private int position;
  private int depth;

  /** Creates a reader. A strict reader rejects unknown fields of messages. */
  JsonReader(String text, boolean isStrict) {
    this.text = text;
    this.isStrict = isStrict;
  }

  /** Returns the first character of the next token, or {@code END}. */
  char peek() {
    while (position < text.length()) {
      char next = text.charAt(position);
      if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
        return next;
      }
      position++;
    }
    return END;
  }

  /** Reports whether the next value is a number. */
  boolean isAtNumber() {
    char next = peek();
    return next == '-' || next >= '0' && next <= '9';
  }

  /** Consumes the next value if it is null. */
  boolean takeNull() {
    if (peek() != 'n') {
      return false;
    }
    word("null");
    return true;
  }

  boolean readBoolean() {
    switch (peek()) {
      case 't':
        word("true");
        return true;
      case 'f':
        word("false");
        return false;
      default:
        throw expected("a boolean");
    }
  }

  /** Starts reading an object. */
  void beginObject() {
    begin('{', "an object");
  }

  /** Returns the key of the next member, or null at the end of the object. Read its value next. */
  String nextKey(boolean isFirst) {
    if (!hasNext('}', isFirst)) {
      return null;
    }
    if (peek() != '"') {
      throw syntax();
    }
    String key = readString();
    mark(':');
    return key;
  }

  /** Starts reading a list. */
  void beginList() {
    begin('[', "a list");
  }

  /** Reports whether the list has another item. Read the item next. */
  boolean hasNextItem(boolean isFirst) {
    return hasNext(']', isFirst);
  }

  String readString() {
    if (peek() != '"') {
      throw expected("a string");
    }
    int start = ++position;
    while (position < text.length()) {
      char next = text.charAt(position);
      if (next == '"') {
        return checked(text.substring(start, position++));
      }
      if (next == '\\') {
        return checked(readEscaped(start));
      }
      if (next < ' ') {
        break;
      }
      position++;
    }
    throw syntax();
  }

  /** Consumes and returns the next value if it is one of the strings; otherwise returns null. */
  String takeString(String... values) {
    if (peek() == '"') {
      for (String value : values) {
        int end = position + 1 + value.length();
        if (text.startsWith(value, position + 1) && text.startsWith("\"", end)) {
          position = end + 1;
          return value;
        }
      }
    }
    return null;
  }

  /** Returns the text of a number. ProtoJSON also allows numbers in strings. */
  String readNumber() {
    if (peek() == '"') {
      String quoted = readString();
      if (!isNumber(quoted)) {
        throw new Problem("expected a number, got " + excerpt(quoted));
      }
      return quoted;
    }
    if (!isAtNumber()) {
      throw expected("a number");
    }
    return bareNumber();
  }

  /** Returns the text of a number outside of a string. */
  String bareNumber() {
    int end = endOfNumber(text, position);
    if (end < 0) {
      throw syntax();
    }
    String number = text.substring(position, end);
    position = end;
    return number;
  }

  static boolean isNumber(String text) {
    return endOfNumber(text, 0) == text.length();
  }

  /** Consumes the next value and returns its text. */
  String raw() {
    peek();
    int start = position;
    skip();
    return text.substring(start, position);
  }

  /** Consumes the value of an unknown field, or rejects it. */
  void skipField(String name) {
    if (isStrict) {
      throw new Problem("unknown field").beneath(name);
    }
    skip();
  }

  /** Consumes the next value. */
  void skip() {
    switch (peek()) {
      case '{':
        beginObject();
        for (String key = nextKey(true); key != null; key = nextKey(false)) {
          skip();
        }
        return;
      case '[':
        beginList();
        for (boolean isFirst = true; hasNextItem(isFirst); isFirst = false) {
          skip();
        }
        return;
      case '"':
        readString();
        return;
      case 't':
      case 'f':
        readBoolean();
        return;
      case 'n':
        word("null");
        return;
      default:
        bareNumber();
    }
  }

  /** Checks for the end of the input. */
  void end() {
    if (peek() != END || position < text.length()) {
      throw syntax();
    }
  }

  /** Returns the problem for an unexpected or missing value. */
  Problem expected(String kind) {
    char first = peek();
    if (first == 't' && !isAt("true")
        || first == 'f' && !isAt("false")
        || first == 'n' && !isAt("null")) {
      return syntax();
    }
    return switch (first) {
      case '{' -> new Problem("expected " + kind + ", got an object");
      case '[' -> new Problem("expected " + kind + ", got a list");
      case '"' -> new Problem("expected " + kind + ", got a string");
      case 't', 'f' -> new Problem("expected " + kind + ", got a boolean");
      case 'n' -> new Problem("expected " + kind + ", got null");
      default -> isAtNumber() ? new Problem("expected " + kind + ", got a number") : syntax();
    };
  }

  /** Quotes a string, truncated if it is long. */
  static String excerpt(String text) {
    return '"'
        + (text.length() > LONGEST_EXCERPT ? text.substring(0, LONGEST_EXCERPT) + "..." : text)
        + '"';
  }

  private void begin(char bracket, String kind) {
    if (peek() != bracket) {
      throw expected(kind);
    }
    position++;
    if (++depth > DEEPEST) {
      throw new Problem("nested too deeply");
    }
  }

  private boolean hasNext(char close, boolean isFirst) {
    if (peek() == close) {
      position++;
      depth--;
      return false;
    }
    if (!isFirst) {
      mark(',');
    }
    return true;
  }

  private void mark(char mark) {
    if (peek() != mark) {
      throw syntax();
    }
    position++;
  }

  private void word(String word) {
    if (!isAt(word)) {
      throw syntax();
    }
    position += word.length();
  }

  private boolean isAt(String word) {
    return text.startsWith(word, position);
  }

  private String readEscaped(int start) {
    StringBuilder value = new StringBuilder(text.length() - start < 256 ? 64 : 256);
    value.append(text, start, position);
    while (position < text.length()) {
      char next = text.charAt(position++);
      if (next == '"') {
        return value.toString();
      }
      if (next < ' ') {
        position--;
        break;
      }
      value.append(next == '\\' ? readEscape() : next);
    }
    throw syntax();
  }

  private char readEscape() {
    char kind = position < text.length() ? text.charAt(position++) : END;
    switch (kind) {
      case '"':
      case '\\':
      case '/':
        return kind;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        return readCodeUnit();
      default:
        position--;
        throw syntax();
    }
  }

  private char readCodeUnit() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = position < text.length() ? hexDigit(text.charAt(position)) : -1;
      if (digit < 0) {
        throw syntax();
      }
      value = value * 16 + digit;
      position++;
    }
    return (char) value;
  }

  private static int hexDigit(char digit) {
    return digit < 128 ? Character.digit(digit, 16) : -1;
  }

  /** Rejects unpaired surrogates, which UTF-8 cannot encode. */
  private static String checked(String value) {
    if (!JsonWriter.isWellFormed(value)) {
      throw new Problem("not valid Unicode");
    }
    return value;
  }

  private Problem syntax() {
    String found =
        position < text.length()
            ? "unexpected " + excerpt(text.substring(position, position + 1))
            : "unexpected end";
    return new Problem("not JSON: " + found + " at character " + position);
  }

  /** Returns the end of the number at an index, or -1. */
  private static int endOfNumber(String text, int start) {
    int at = start < text.length() && text.charAt(start) == '-' ? start + 1 : start;
    int digits = endOfDigits(text, at);
    if (digits == at || text.charAt(at) == '0' && digits > at + 1) {
      return -1;
    }
    at = digits;
    if (at < text.length() && text.charAt(at) == '.') {
      digits = endOfDigits(text, at + 1);
      if (digits == at + 1) {
        return -1;
      }
      at = digits;
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      int exponent = at + 1;
      if (exponent < text.length()
          && (text.charAt(exponent) == '+' || text.charAt(exponent) == '-')) {
        exponent++;
      }
      digits = endOfDigits(text, exponent);
      if (digits == exponent) {
        return -1;
      }
      at = digits;
    }
    return at;
  }

  private static int endOfDigits(String text, int start) {
    int at = start;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
