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

  private final WebSocket socket;

  /** Whether messages are requested: without that, answers are not read either. */
  private final BooleanSupplier isWaiting;

  private final Runnable lost;
  private volatile long heardAt = System.nanoTime();
  private volatile long silence = FIRST_SILENCE;
  private volatile boolean isStopped;
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
    heartbeat.scheduleNext();
    return heartbeat;
  }

  void stop() {
    isStopped = true;
  }

  /** Records a message. */
  void hear() {
    heardAt = System.nanoTime();
    silence = FIRST_SILENCE;
  }

  /** Records that the connection is alive. */
  void hearPingOrPong() {
    heardAt = System.nanoTime();
  }

  private synchronized void beat() {
    long now = System.nanoTime();
    if (isStopped) {
      return;
    }
    if (!isWaiting.getAsBoolean()) {
      isPinged = false;
    } else if (!isPinged) {
      pingAfterSilence(now);
    } else if (heardAt - pingedAt >= 0) {
      isPinged = false;
      silence = Math.min(2 * silence, LONGEST_SILENCE);
    } else if (now - pingedAt > LONGEST_ANSWER) {
      lost.run();
      return;
    } else {
      ping();
    }
    scheduleNext();
  }

  private void pingAfterSilence(long now) {
    if (now - heardAt >= silence) {
      isPinged = true;
      pingedAt = now;
      ping();
    }
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

  private void scheduleNext() {
    CompletableFuture.delayedExecutor(silence, TimeUnit.NANOSECONDS, Workers.THREADS)
        .execute(this::beat);
  }
}
