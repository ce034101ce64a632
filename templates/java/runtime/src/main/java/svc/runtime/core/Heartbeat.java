package svc.runtime.core;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Notices that a silent connection is lost. The WebSocket of the JDK does not report the end of a
 * connection while no message is requested, and nothing reports the loss of a network.
 */
final class Heartbeat {
  /** How long a connection is silent before it is pinged; doubled by each answer. */
  private static final long FIRST_SILENCE = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(16);
  private static final long LONGEST_ANSWER = TimeUnit.SECONDS.toNanos(5);

  /** The time between pings while one has no answer. */
  private static final long REPETITION = TimeUnit.MILLISECONDS.toNanos(100);

  private final WebSocket socket;

  /** Whether messages are requested: without that, answers are not read either. */
  private final BooleanSupplier isWaiting;

  private final Runnable lost;
  private volatile long heardAt = System.nanoTime();
  private volatile long silence = FIRST_SILENCE;
  private volatile boolean isStopped;

  /** The number of the scheduled beat, which replaces earlier ones. */
  private long scheduled;

  private boolean isPinged;

  /** When the first ping without an answer was sent. */
  private long pingedAt;

  /** The latest ping, which may not be on its way yet. */
  private CompletableFuture<?> ping = CompletableFuture.completedFuture(null);

  private Heartbeat(WebSocket socket, BooleanSupplier isWaiting, Runnable lost) {
    this.socket = socket;
    this.isWaiting = isWaiting;
    this.lost = lost;
  }

  /** Starts one, which runs until it is stopped. */
  static Heartbeat start(WebSocket socket, BooleanSupplier isWaiting, Runnable lost) {
    Heartbeat heartbeat = new Heartbeat(socket, isWaiting, lost);
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

  /** Records that the connection is alive. */
  void hearPingOrPong() {
    heardAt = System.nanoTime();
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
    if (isPinged && now - pingedAt > LONGEST_ANSWER) {
      lost.run();
      return;
    }
    if (!isPinged && now - heardAt >= silence) {
      isPinged = true;
      pingedAt = now;
    }
    if (isPinged) {
      ping();
    }
    schedule(isPinged ? REPETITION : heardAt + silence - now);
  }

  /** Pings. To a connection that the other side has closed, the second ping cannot be sent. */
  private void ping() {
    if (!ping.isDone()) {
      return;
    }
    ping = socket.sendPing(ByteBuffer.allocate(0));
    ping.whenComplete(
        (sent, failure) -> {
          if (failure != null) {
            lost.run();
          }
        });
  }

  private synchronized void schedule(long delay) {
    long number = ++scheduled;
    CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, Workers.THREADS)
        .execute(() -> beat(number));
  }
}
