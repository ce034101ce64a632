package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Locale;
import svc.runtime.errors.ErrorDetails;

/** The status and headers of a response, which are known before its body. */
final class Head implements HttpResponse.BodyHandler<byte[]> {
  private volatile int status;
  private volatile HttpHeaders headers = ErrorDetails.NONE.headers();

  /** Whether the body of an event stream is read as it arrives. */
  private final boolean streams;

  private volatile EventBody events;

  Head(boolean streams) {
    this.streams = streams;
  }

  /** Returns the status code, or 0 before the response has arrived. */
  int status() {
    return status;
  }

  HttpHeaders headers() {
    return headers;
  }

  @Override
  public HttpResponse.BodySubscriber<byte[]> apply(HttpResponse.ResponseInfo head) {
    headers = head.headers();
    status = head.statusCode();
    if (!isStreamed()) {
      return BodySubscribers.ofByteArray();
    }
    events = new EventBody();
    return events;
  }

  /** Stores the status and headers of a response and returns its body. */
  <T> T take(HttpResponse<T> answer) {
    headers = answer.headers();
    status = answer.statusCode();
    return answer.body();
  }

  /** Returns the body of an event stream, null if it is none. A transport may have read it. */
  EventBody events(byte[] body) {
    if (events == null && isStreamed()) {
      events = EventBody.of(body);
    }
    return events;
  }

  /** Closes the connection of an event stream. */
  void release() {
    if (events != null) {
      events.cancel();
    }
  }

  private boolean isStreamed() {
    return streams && status >= 200 && status <= 299 && isEventStream();
  }

  private boolean isEventStream() {
    String type = headers.firstValue("content-type").orElse("");
    return type.split(";")[0].strip().toLowerCase(Locale.ROOT).equals("text/event-stream");
  }
}
