package svc.runtime.core;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.SvcException;

/** The retry policy. */
final class RetryPolicy {
  /** The longest {@code Retry-After} that a call honours. A longer one fails the call. */
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(1);

  /**
   * The shortest {@code Retry-After} of a rate limit for which an attempt does not count as a
   * retry.
   */
  private static final Duration SHORTEST_UNCOUNTED = Duration.ofSeconds(1);

  private static final Duration LONGEST_JITTER = Duration.ofSeconds(5);

  private static final double MOST_SECONDS = 1e9;

  /**
   * How long after a failed attempt a retry may begin. The service forgets idempotency keys after
   * five minutes, and a later retry would start a second run.
   */
  private static final Duration LONGEST_RETRIES = Duration.ofMinutes(4);

  private RetryPolicy() {}

  /**
   * Returns the time within which a retry of a request that starts a run may begin.
   *
   * @param ofCall the time left for the call
   * @param sinceLost the time since the start of the first attempt that may have been processed
   */
  static Duration timeLeft(Duration ofCall, Duration sinceLost) {
    Duration left = LONGEST_RETRIES.minus(sinceLost);
    return left.compareTo(ofCall) < 0 ? left : ofCall;
  }

  /**
   * Reports whether the service may have processed a request: neither a rate limit nor a rejected
   * key prevented it.
   */
  static boolean mayBeHandled(SvcException failure) {
    int status = failure.status().orElse(0);
    return status != 429 && status != 401;
  }

  /**
   * Reports whether a failure is transient. It is not if its {@code Retry-After} is longer than a
   * call honours.
   */
  static boolean mayPass(SvcException failure) {
    if (failure instanceof ConnectionException) {
      return true;
    }
    if (failure
        .retryAfter()
        .filter(delay -> delay.compareTo(LONGEST_RETRY_AFTER) > 0)
        .isPresent()) {
      return false;
    }
    int status = failure.status().orElse(0);
    return failure instanceof StatusException && (status == 408 || status == 429 || status >= 500);
  }

  /**
   * Reports whether a rate limit turned a request away and said when to come back. The service did
   * no work, so the attempt counts neither as a retry nor against the budget. An attempt with a
   * shorter delay counts; otherwise, a call could repeat its request as fast as it can.
   */
  static boolean isTurnedAway(SvcException failure) {
    return failure.status().orElse(0) == 429
        && failure
            .retryAfter()
            .filter(delay -> delay.compareTo(SHORTEST_UNCOUNTED) >= 0)
            .isPresent();
  }

  /**
   * Adds jitter to a delay that the service asked for: up to its own length, or up to the usual
   * delay, at most a second. This keeps callers that were turned away together from coming back
   * together.
   */
  static Duration spread(
      Duration delay, SvcException failure, Settings settings, Duration timeLeft) {
    if (failure.retryAfter().isEmpty()) {
      return delay;
    }
    long room = timeLeft.minus(delay).toNanos();
    long least = Math.min(settings.firstDelay().toNanos(), SHORTEST_UNCOUNTED.toNanos());
    long bound = Math.min(Math.max(delay.toNanos(), least), LONGEST_JITTER.toNanos());
    bound = Math.min(bound, room);
    return bound <= 0 ? delay : delay.plusNanos(ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * Returns the delay before a retry, where 1 is the first. The {@code Retry-After} of the service
   * takes precedence; empty if it is too long.
   */
  static Optional<Duration> delayBefore(int retry, SvcException failure, Settings settings) {
    Optional<Duration> asked = failure.retryAfter();
    if (asked.isPresent()) {
      return asked.filter(delay -> delay.compareTo(LONGEST_RETRY_AFTER) <= 0);
    }
    long bound = settings.firstDelay().toNanos();
    long longest = settings.longestDelay().toNanos();
    for (int i = 1; i < retry && bound < longest; i++) {
      bound *= 2;
    }
    bound = Math.min(bound, longest);
    long delay = bound <= 0 ? 0 : ThreadLocalRandom.current().nextLong(bound);
    return Optional.of(Duration.ofNanos(delay));
  }

  /** Parses a {@code Retry-After} header: seconds or an HTTP date. */
  static Optional<Duration> parseRetryAfter(String header, ZonedDateTime now) {
    String text = header.strip();
    if (text.matches("[0-9]+(\\.[0-9]+)?")) {
      return seconds(Double.parseDouble(text));
    }
    try {
      ZonedDateTime date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
      Duration delay = Duration.between(now, date);
      return Optional.of(delay.isNegative() ? Duration.ZERO : delay);
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  /** Converts seconds to a duration, capped to avoid overflow. */
  static Optional<Duration> seconds(double seconds) {
    return seconds >= 0
        ? Optional.of(Duration.ofNanos((long) (Math.min(seconds, MOST_SECONDS) * 1e9)))
        : Optional.empty();
  }
}
