package svc.runtime.json;

import java.util.List;

/**
 * A set of field paths ({@code google.protobuf.FieldMask}).
 *
 * @param paths paths of proto field names, such as {@code user.display_name}
 */
public record FieldMask(List<String> paths) {
  /**
   * Copies the paths.
   *
   * @param paths paths of proto field names, such as {@code user.display_name}
   */
  public FieldMask {
    paths = List.copyOf(paths);
  }

  /**
   * Creates a field mask.
   *
   * @param paths paths of proto field names
   * @return the set
   */
  public static FieldMask of(String... paths) {
    return new FieldMask(List.of(paths));
  }
}
