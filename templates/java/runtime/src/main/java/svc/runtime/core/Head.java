package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import svc.runtime.errors.ErrorDetails;

/** The status and headers of a response, which are known before its body. */
final class Head implements HttpResponse.BodyHandler<byte[]> {
  private volatile int status;
  private volatile HttpHeaders headers = ErrorDetails.NONE.headers();

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
    return BodySubscribers.ofByteArray();
  }

  /** Stores the status and headers of a response and returns its body. */
  <T> T take(HttpResponse<T> answer) {
    headers = answer.headers();
    status = answer.statusCode();
    return answer.body();
  }
}
