package svc.runtime.json;

import java.util.List;

/**
 * A set of fields ({@code google.protobuf.FieldMask}).
 *
 * @param paths proto names joined by dots, such as {@code user.display_name}
 */
public record FieldMask(List<String> paths) {
  /**
   * Copies the paths.
   *
   * @param paths proto names joined by dots, such as {@code user.display_name}
   */
  public FieldMask {
    paths = List.copyOf(paths);
  }

  /**
   * Makes a set of fields.
   *
   * @param paths proto names joined by dots
   * @return the set
   */
  public static FieldMask of(String... paths) {
    return new FieldMask(List.of(paths));
  }
}
