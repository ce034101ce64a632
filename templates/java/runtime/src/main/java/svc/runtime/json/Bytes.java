package svc.runtime.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/** An immutable sequence of bytes. */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies bytes.
   *
   * @param bytes the bytes
   * @return the copy
   */
  public static Bytes of(byte... bytes) {
    return new Bytes(Objects.requireNonNull(bytes, "bytes").clone());
  }

  /**
   * Encodes a string as UTF-8.
   *
   * @param text the text
   * @return its bytes
   */
  public static Bytes ofUtf8(String text) {
    return new Bytes(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Decodes base64 in the standard or URL-safe alphabet, with or without padding.
   *
   * @param base64 the text
   * @return its bytes
   * @throws IllegalArgumentException if the text is not base64
   */
  public static Bytes ofBase64(String base64) {
    int end = Objects.requireNonNull(base64, "base64").length();
    while (end > 0 && base64.charAt(end - 1) == '=') {
      end--;
    }
    if (end % 4 == 1) {
      throw new IllegalArgumentException("invalid base64");
    }
    String digits = base64.substring(0, end).replace('-', '+').replace('_', '/');
    return new Bytes(Base64.getDecoder().decode(digits));
  }

  /**
   * Returns the number of bytes.
   *
   * @return the number
   */
  public int size() {
    return bytes.length;
  }

  /**
   * Copies the bytes.
   *
   * @return the copy
   */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /**
   * Decodes the bytes as UTF-8.
   *
   * @return the text
   */
  public String toUtf8() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Encodes the bytes as base64.
   *
   * @return the text
   */
  public String toBase64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the bytes as base64. */
  @Override
  public String toString() {
    return toBase64();
  }
}
