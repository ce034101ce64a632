package svc.runtime.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codec;
import svc.runtime.internal.RawObject;

/**
 * Streamed input as the body of a request: one line of JSON per message. The source is read when
 * the transport requests more, on a separate thread, because it may block. A failure of the source
 * fails the call, because the request cannot be completed. The end of the call fails the body,
 * because a transport may continue sending after the response has ended, as HTTP/2 does. If the
 * transport cancels the body, a later failure of the source does not fail the call.
 */
final class InputLines<I> implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  private final Codec<I> input;
  private final Iterable<? extends I> source;
  private final Call call;
  private final Thread thread = new Thread(this::send, "svc-upload");
  private Flow.Subscriber<? super ByteBuffer> subscriber;
  private long demand;
  private volatile long sent;

  /**
   * Whether the source is no longer read, because the call has ended or the transport has
   * cancelled.
   */
  private volatile boolean isStopped;

  private volatile boolean isCancelled;

  /** Creates the input of a call. The end of the call stops it. */
  InputLines(Codec<I> input, Iterable<? extends I> source, Call call) {
    this.input = input;
    this.source = source;
    this.call = call;
    thread.setDaemon(true);
    call.whenEnded(this::stop);
  }

  /** Returns the number of messages read from the source. */
  long sent() {
    return sent;
  }

  /** Returns the exception if the response says that not all messages have arrived. */
  Optional<SvcException> lossIn(RawObject fields, Received response) {
    String received = fields.raw("input_frames").orElse("an unknown number");
    if (received.equals(Long.toString(sent))) {
      return Optional.empty();
    }
    String origin = Failures.origin("", response.executionId(), response.raw().requestId());
    String message =
        "the service received " + received + " of " + sent + " input messages" + origin;
    return Optional.of(
        new StreamInterruptedException(response.key().redact(message), response.details().build()));
  }

  /** Adds the only subscriber. The source can be read only once. */
  @Override
  public synchronized void subscribe(Flow.Subscriber<? super ByteBuffer> first) {
    if (subscriber != null) {
      throw new IllegalStateException("streamed input can be sent once");
    }
    subscriber = first;
    subscriber.onSubscribe(this);
    thread.start();
  }

  @Override
  public synchronized void request(long count) {
    demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
    notifyAll();
  }

  @Override
  public void cancel() {
    isCancelled = true;
    stop();
  }

  /** Stops reading the source. Its further messages are not sent. */
  private void stop() {
    isStopped = true;
    // This does not interrupt a thread that has not started, which checks the flag first.
    thread.interrupt();
  }

  private void send() {
    try {
      Iterator<? extends I> messages =
          Objects.requireNonNull(source.iterator(), "the iterator of the inputs");
      awaitDemand();
      while (!isStopped && messages.hasNext()) {
        byte[] line = lineOf(messages.next());
        sent++;
        subscriber.onNext(ByteBuffer.wrap(line));
        awaitDemand();
      }
      if (isStopped) {
        end(new CancellationException("the call has ended"));
      } else {
        subscriber.onComplete();
      }
    } catch (InterruptedException interruption) {
      fail(new CallCancelledException("the thread of the input was interrupted", interruption));
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
  }

  /** Fails the call and the body, unless the source was stopped. */
  private void fail(Throwable failure) {
    if (isStopped) {
      end(new CancellationException("the call has ended"));
    } else {
      call.fail(failure);
      end(failure);
    }
  }

  /** Fails the body, unless the transport has cancelled it. */
  private void end(Throwable reason) {
    if (!isCancelled) {
      subscriber.onError(reason);
    }
  }

  private synchronized void awaitDemand() throws InterruptedException {
    while (demand == 0 && !isStopped) {
      wait();
    }
    if (demand != Long.MAX_VALUE) {
      demand--;
    }
  }

  private byte[] lineOf(I message) {
    Objects.requireNonNull(message, () -> "input message " + sent);
    try {
      return (input.toJson(message) + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (InvalidMessageException wrong) {
      throw new InvalidMessageException("input message " + sent + ": " + wrong.getMessage());
    }
  }
}
