package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonNull;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/**
 * Reads the fields of pauses.
 *
 * @param json the fields
 */
record PauseFields(JsonObject json) {
  /** Returns a required string. */
  String required(String key) {
    return json.text(key).orElseThrow(() -> new InvalidMessageException(key + " is missing"));
  }

  /** Returns a time, empty if it is missing or malformed. */
  Optional<Instant> time(String key) {
    return json.get(key).map(Object::toString).flatMap(Codecs.TIMESTAMP::tryFromJson);
  }

  /** Returns a value, empty if it is missing or null. */
  Optional<JsonValue> given(String key) {
    return json.get(key).filter(value -> !(value instanceof JsonNull));
  }
}
