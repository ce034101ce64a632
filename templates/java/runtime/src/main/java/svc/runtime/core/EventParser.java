package svc.runtime.core;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/** Parses an event stream (Server-Sent Events) from chunks of any size. */
final class EventParser {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Queue<Event> events = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private boolean hasData;
  private String type = "";
  private String id = "";
  private boolean hasBegun;

  /** Whether the last byte was a CR. An LF after it belongs to the same line ending. */
  private boolean isAfterReturn;

  /** Parses the remaining bytes of a buffer. */
  void feed(ByteBuffer buffer) {
    byte[] chunk = new byte[buffer.remaining()];
    buffer.get(chunk);
    int start = isAfterReturn && chunk.length > 0 && chunk[0] == '\n' ? 1 : 0;
    isAfterReturn &= chunk.length == 0;
    for (int at = start; at < chunk.length; at++) {
      if (chunk[at] != '\n' && chunk[at] != '\r') {
        continue;
      }
      line.write(chunk, start, at - start);
      if (chunk[at] == '\r') {
        isAfterReturn = at + 1 == chunk.length;
        at += at + 1 < chunk.length && chunk[at + 1] == '\n' ? 1 : 0;
      }
      start = at + 1;
      takeLine();
    }
    line.write(chunk, start, chunk.length - start);
  }

  /** Returns the number of parsed bytes that do not yet form a complete event. */
  long pending() {
    return (long) line.size() + data.size();
  }

  /** Removes and returns the next message, or null if none is complete. */
  Event poll() {
    return events.poll();
  }

  /** Prepares for another response: discards an incomplete event. */
  void restart() {
    line.reset();
    data.reset();
    hasData = false;
    type = "";
    id = "";
    hasBegun = false;
    isAfterReturn = false;
  }

  private void takeLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    int start = hasBegun || !startsWithMark(bytes) ? 0 : BYTE_ORDER_MARK.length;
    hasBegun = true;
    if (start == bytes.length) {
      dispatch();
      return;
    }
    int colon = start;
    while (colon < bytes.length && bytes[colon] != ':') {
      colon++;
    }
    int value = Math.min(colon + 1, bytes.length);
    value += value < bytes.length && bytes[value] == ' ' ? 1 : 0;
    takeField(
        new String(bytes, start, colon - start, StandardCharsets.UTF_8),
        ByteBuffer.wrap(bytes, value, bytes.length - value));
  }

  private void takeField(String name, ByteBuffer value) {
    if (name.equals("event")) {
      type = StandardCharsets.UTF_8.decode(value).toString();
    } else if (name.equals("id")) {
      takeId(StandardCharsets.UTF_8.decode(value).toString());
    } else if (name.equals("data")) {
      if (hasData) {
        data.write('\n');
      }
      hasData = true;
      data.write(value.array(), value.position(), value.remaining());
    }
  }

  private void takeId(String text) {
    if (text.indexOf('\0') < 0) {
      id = text;
    }
  }

  private void dispatch() {
    if (hasData && (type.isEmpty() || type.equals("message"))) {
      events.add(new Event(id, data.toByteArray()));
    }
    data.reset();
    hasData = false;
    type = "";
  }

  private static boolean startsWithMark(byte[] bytes) {
    for (int at = 0; at < BYTE_ORDER_MARK.length; at++) {
      if (at >= bytes.length || bytes[at] != BYTE_ORDER_MARK[at]) {
        return false;
      }
    }
    return true;
  }

  /**
   * A message.
   *
   * @param id the last event id of the stream; empty if there was none
   */
  record Event(String id, byte[] data) {}
}
