package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pings of a silent WebSocket. */
@Timeout(30)
class HeartbeatTest {
  /** When pings were sent, in {@link System#nanoTime}. */
  private final BlockingQueue<Long> pings = new LinkedBlockingQueue<>();

  private final Heartbeat heartbeat =
      Heartbeat.start(
          (WebSocket)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {WebSocket.class},
                  (socket, method, arguments) -> {
                    pings.add(System.nanoTime());
                    return CompletableFuture.completedFuture(socket);
                  }),
          () -> true,
          () -> {});

  @AfterEach
  void stop() {
    heartbeat.stop();
  }

  @Test
  void pingsAgainSoonWithoutAnAnswer() throws InterruptedException {
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
    for (int i = 0; i < 2; i++) {
      pings.take();
      heartbeat.hearPingOrPong();
    }
    Thread.sleep(300);
    pings.clear();
    long heard = System.nanoTime();
    heartbeat.hear();
    assertSoon(1_500, pings.take() - heard);
  }

  private static void assertSoon(long millis, long nanos) {
    Duration elapsed = Duration.ofNanos(nanos);
    assertTrue(elapsed.toMillis() < millis, elapsed::toString);
  }
}
