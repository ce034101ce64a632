package svc.runtime.core;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Detects that a silent connection is lost. The WebSocket of the JDK does not report the end of a
 * connection while no message is requested, and nothing reports the loss of a network.
 */
final class Heartbeat {
  /** How long a connection may be silent before it is pinged. Each pong doubles this time. */
  private static final long FIRST_SILENCE = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(16);

  /** How long a ping may remain unanswered. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  /**
   * How long a ping may remain unanswered behind large messages, which take time on a slow network.
   * The service allows its clients the same time.
   */
  private static final Duration LONGEST_WAIT_BEHIND = Duration.ofSeconds(30);

  /** How many characters may be in flight before a ping counts as behind large messages. */
  private static final long FEW = 1 << 16;

  /** The time between pings while one is unanswered. */
  private static final long REPETITION = TimeUnit.MILLISECONDS.toNanos(100);

  private final WebSocket socket;

  /** Whether a message is requested. Otherwise, pongs are not read either. */
  private final BooleanSupplier isWaiting;

  /** Receives the reason why the connection is lost. */
  private final Consumer<Throwable> lost;

  private final long longestWait;
  private final long longestWaitBehind;
  private volatile long heardAt = System.nanoTime();
  private volatile long silence = FIRST_SILENCE;
  private volatile boolean isStopped;

  /** The number of the scheduled beat, which replaces earlier ones. */
  private long scheduled;

  private boolean isPinged;

  /** When the first unanswered ping was sent. */
  private long pingedAt;

  /** The number of characters sent so far. */
  private final AtomicLong sent = new AtomicLong();

  /** The number of characters sent before the first unanswered ping. */
  private volatile long sentBeforePing;

  /** The number of characters that are known to have arrived. */
  private volatile long arrived;

  /** The latest ping, which may not have been sent yet. */
  private CompletableFuture<?> ping = CompletableFuture.completedFuture(null);

  private Heartbeat(
      WebSocket socket,
      BooleanSupplier isWaiting,
      Consumer<Throwable> lost,
      Duration longestWait,
      Duration longestWaitBehind) {
    this.socket = socket;
    this.isWaiting = isWaiting;
    this.lost = lost;
    this.longestWait = longestWait.toNanos();
    this.longestWaitBehind = longestWaitBehind.toNanos();
  }

  /** Starts a heartbeat, which runs until it is stopped. */
  static Heartbeat start(WebSocket socket, BooleanSupplier isWaiting, Consumer<Throwable> lost) {
    return start(socket, isWaiting, lost, LONGEST_WAIT, LONGEST_WAIT_BEHIND);
  }

  /** Starts a heartbeat with custom limits, which tests shorten. */
  static Heartbeat start(
      WebSocket socket,
      BooleanSupplier isWaiting,
      Consumer<Throwable> lost,
      Duration longestWait,
      Duration longestWaitBehind) {
    Heartbeat heartbeat = new Heartbeat(socket, isWaiting, lost, longestWait, longestWaitBehind);
    heartbeat.schedule(FIRST_SILENCE);
    return heartbeat;
  }

  void stop() {
    isStopped = true;
  }

  /** Records a message. */
  void hear() {
    heardAt = System.nanoTime();
    if (silence != FIRST_SILENCE) {
      hurry();
    }
  }

  private synchronized void hurry() {
    silence = FIRST_SILENCE;
    isPinged = false;
    schedule(FIRST_SILENCE);
  }

  /** Records a ping from the other side. */
  void hearPing() {
    heardAt = System.nanoTime();
  }

  /** Records a pong. Everything that was sent before its ping has arrived. */
  void hearPong() {
    hearPing();
    arrived = sentBeforePing;
  }

  /** Records that characters were sent. */
  void send(int characters) {
    sent.addAndGet(characters);
  }

  private synchronized void beat(long number) {
    long now = System.nanoTime();
    if (isStopped || number != scheduled) {
      return;
    }
    if (!isWaiting.getAsBoolean()) {
      isPinged = false;
      schedule(silence);
      return;
    }
    if (isPinged && heardAt - pingedAt >= 0) {
      isPinged = false;
      silence = Math.min(2 * silence, LONGEST_SILENCE);
    }
    long limit = sent.get() - arrived > FEW ? longestWaitBehind : longestWait;
    if (isPinged && now - pingedAt > limit) {
      lost.accept(new TimeoutException("a ping had no pong"));
      return;
    }
    if (!isPinged && now - heardAt >= silence) {
      isPinged = true;
      sentBeforePing = sent.get();
      pingedAt = now;
    }
    if (isPinged) {
      ping();
    }
    schedule(isPinged ? REPETITION : heardAt + silence - now);
  }

  /** Sends a ping. If the other side has closed the connection, the second ping fails. */
  private void ping() {
    if (!ping.isDone()) {
      return;
    }
    ping = socket.sendPing(ByteBuffer.allocate(0));
    ping.whenComplete(
        (sent, failure) -> {
          if (failure != null) {
            lost.accept(Call.causeOf(failure));
          }
        });
  }

  private synchronized void schedule(long delay) {
    long number = ++scheduled;
    CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, Workers.THREADS)
        .execute(() -> beat(number));
  }
}
