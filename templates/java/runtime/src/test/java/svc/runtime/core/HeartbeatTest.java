package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pings of a silent WebSocket. */
@Timeout(30)
class HeartbeatTest {
  /** When pings were sent, in {@link System#nanoTime}. */
  private final BlockingQueue<Long> pings = new LinkedBlockingQueue<>();

  private final CompletableFuture<Long> lost = new CompletableFuture<>();
  private final CompletableFuture<Throwable> reason = new CompletableFuture<>();

  /** Why pings cannot be sent, or null if they can. */
  private IOException unsent;

  private Heartbeat heartbeat;

  private void start(Duration longestWait, Duration longestWaitBehind) {
    WebSocket socket =
        (WebSocket)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WebSocket.class},
                (proxy, method, arguments) -> {
                  pings.add(System.nanoTime());
                  return unsent == null
                      ? CompletableFuture.completedFuture(proxy)
                      : CompletableFuture.failedFuture(unsent);
                });
    Consumer<Throwable> end =
        why -> {
          reason.complete(why);
          lost.complete(System.nanoTime());
        };
    heartbeat = Heartbeat.start(socket, () -> true, end, longestWait, longestWaitBehind);
  }

  @AfterEach
  void stop() {
    heartbeat.stop();
  }

  @Test
  void reportsALostConnectionWithoutAPong() throws InterruptedException {
    start(Duration.ofMillis(200), Duration.ofSeconds(30));
    heartbeat.send(1_000);
    assertSoon(10_000, lost.join() - pings.take());
    assertEquals("a ping had no pong", reason.join().getMessage());
  }

  @Test
  void reportsALostConnectionIfAPingCannotBeSent() {
    unsent = new IOException("Broken pipe");
    start(Duration.ofSeconds(30), Duration.ofSeconds(30));
    assertSame(unsent, reason.join());
  }

  @Test
  void allowsMoreTimeForAPingBehindALargeMessage() throws InterruptedException {
    start(Duration.ofMillis(200), Duration.ofMillis(900));
    heartbeat.send(1 << 20);
    long elapsed = lost.join() - pings.take();
    assertTrue(elapsed > TimeUnit.MILLISECONDS.toNanos(900), elapsed + " ns");
  }

  @Test
  void allowsNoMoreTimeOnceALargeMessageHasArrived() throws InterruptedException {
    start(Duration.ofMillis(200), Duration.ofSeconds(30));
    heartbeat.send(1 << 20);
    pings.take();
    long heard = System.nanoTime();
    heartbeat.hearPong();
    assertSoon(10_000, lost.join() - heard);
  }

  @Test
  void repeatsAnUnansweredPing() throws InterruptedException {
    start(Duration.ofSeconds(30), Duration.ofSeconds(30));
    long shortest = Long.MAX_VALUE;
    for (long before = pings.take(), i = 0; i < 10; i++) {
      long ping = pings.take();
      shortest = Math.min(shortest, ping - before);
      before = ping;
    }
    assertSoon(400, shortest);
  }

  @Test
  void pingsSoonAfterAMessageThatEndsALongSilence() throws InterruptedException {
    start(Duration.ofSeconds(5), Duration.ofSeconds(30));
    for (int i = 0; i < 4; i++) {
      pings.take();
      heartbeat.hearPong();
    }
    Thread.sleep(300);
    pings.clear();
    long heard = System.nanoTime();
    heartbeat.hear();
    assertSoon(6_000, pings.take() - heard);
  }

  private static void assertSoon(long millis, long nanos) {
    Duration elapsed = Duration.ofNanos(nanos);
    assertTrue(elapsed.toMillis() < millis, elapsed::toString);
  }
}
