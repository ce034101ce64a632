package svc.runtime.errors;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Any failure of a call. Its subclasses say what went wrong.
 *
 * <p>Nothing of it ever holds the API key. The answer is not kept when it is serialized.
 */
public class SvcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ErrorDetails details;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   * @param cause the cause, or null
   */
  public SvcException(String message, ErrorDetails details, Throwable cause) {
    super(message, cause);
    this.details = Objects.requireNonNull(details, "details");
  }

  /**
   * Gives all that is known beside the message.
   *
   * @return the details
   */
  public final ErrorDetails details() {
    return details == null ? ErrorDetails.NONE : details;
  }

  /**
   * Gives the HTTP status of the answer.
   *
   * @return the status, empty when there was no answer
   */
  public final OptionalInt status() {
    return details().status();
  }

  /**
   * Gives the service's own stable error class, such as {@code quota_exceeded}.
   *
   * @return the class, empty when the service gave none
   */
  public final Optional<String> code() {
    return details().code();
  }

  /**
   * Gives the headers of the answer.
   *
   * @return the headers, none when there was no answer
   */
  public final HttpHeaders headers() {
    return details().headers();
  }

  /**
   * Gives the body of the answer.
   *
   * @return the body, empty when there was no answer
   */
  public final Optional<String> body() {
    return details().body();
  }

  /**
   * Gives the id of the execution that the call made: a run that is paused or was not waited for is
   * found again by it.
   *
   * @return the id, empty when it is not known
   */
  public final Optional<String> executionId() {
    return details().executionId();
  }

  /**
   * Gives how long the service asks to wait before another attempt.
   *
   * @return the time, empty when it does not ask
   */
  public final Optional<Duration> retryAfter() {
    return details().retryAfter();
  }
}
