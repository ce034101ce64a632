package svc.runtime.internal;

import java.util.ArrayList;
import java.util.List;
import svc.runtime.json.FieldMask;

/** The codec of field masks: a comma-separated string of camel-case paths. */
final class FieldMasks {
  private FieldMasks() {}

  static FieldMask read(JsonReader in) {
    String text = in.readString();
    List<String> paths = new ArrayList<>();
    if (!text.isEmpty()) {
      for (String path : text.split(",", -1)) {
        paths.add(toSnake(path, text));
      }
    }
    return new FieldMask(paths);
  }

  static void write(JsonWriter out, FieldMask mask) {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < mask.paths().size(); i++) {
      try {
        paths.add(toCamel(mask.paths().get(i)));
      } catch (Problem problem) {
        throw problem.beneath(i);
      }
    }
    out.plain(String.join(",", paths));
  }

  private static String toSnake(String camel, String text) {
    StringBuilder snake = new StringBuilder();
    boolean isPath = isPath(camel);
    for (char next : camel.toCharArray()) {
      if (next >= 'A' && next <= 'Z') {
        snake.append('_').append((char) (next + 'a' - 'A'));
      } else {
        snake.append(next);
        isPath = isPath && isPlain(next);
      }
    }
    if (!isPath) {
      throw new Problem(
          "expected a field mask such as user.displayName,photo, got " + JsonReader.excerpt(text));
    }
    return snake.toString();
  }

  private static String toCamel(String snake) {
    StringBuilder camel = new StringBuilder();
    boolean isPath = isPath(snake);
    for (int i = 0; i < snake.length(); i++) {
      char next = snake.charAt(i);
      if (next == '_') {
        i++;
        char letter = i < snake.length() ? snake.charAt(i) : '_';
        isPath = isPath && letter >= 'a' && letter <= 'z';
        camel.append((char) (letter + 'A' - 'a'));
      } else {
        isPath = isPath && isPlain(next);
        camel.append(next);
      }
    }
    if (!isPath) {
      throw new Problem(
          "the path " + JsonReader.excerpt(snake) + " cannot be converted to camel case");
    }
    return camel.toString();
  }

  /** Reports whether a character is valid in a path, except capitals and underscores. */
  private static boolean isPlain(char next) {
    return next == '.' || next >= 'a' && next <= 'z' || next >= '0' && next <= '9';
  }

  /** Reports whether all segments of a path are non-empty. */
  private static boolean isPath(String path) {
    return !path.isEmpty() && !('.' + path + '.').contains("..");
  }
}
