package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import svc.runtime.errors.ErrorDetails;

/** The head of an answer, which is known also when its body breaks off. */
final class Head implements HttpResponse.BodyHandler<byte[]> {
  private volatile int status;
  private volatile HttpHeaders headers = ErrorDetails.NONE.headers();

  /** Gives the status, 0 before it has arrived. */
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

  /** Takes the head of an answer that has arrived; gives its body. */
  <T> T take(HttpResponse<T> answer) {
    headers = answer.headers();
    status = answer.statusCode();
    return answer.body();
  }
}
