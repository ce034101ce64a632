package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/**
 * Calls of a program that keeps the common pool busy. With one or two processors, the JDK does not
 * use the pool unless {@code java.util.concurrent.ForkJoinPool.common.parallelism} is greater than
 * 1. No other test runs at the same time, because some need the pool.
 */
@Isolated
@Timeout(60)
class BusyPoolTest {
  private static final String RUN = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");
  private static final Answer BACK = ScriptedServer.json(200, "{\"back\":1}");
  private static final Answer DOWN = ScriptedServer.json(503, "{}");

  private final CountDownLatch isOver = new CountDownLatch(1);

  @BeforeEach
  void occupyTheCommonPool() {
    for (int i = 0; i < 32; i++) {
      // CompletableFuture is unsuitable: a thread that joins another future may run its tasks.
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                try {
                  isOver.await();
                } catch (InterruptedException interruption) {
                  Thread.currentThread().interrupt();
                }
              });
    }
  }

  @AfterEach
  void freeTheCommonPool() {
    isOver.countDown();
  }

  private static ClientOptions.Builder options(ScriptedServer server) {
    return ClientOptions.builder()
        .apiKey("key")
        .baseUrl(server.url())
        .timeout(Duration.ofSeconds(20))
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static ServiceConnection connection(ScriptedServer server) {
    return ServiceConnection.open("test/1", options(server).build());
  }

  private static CompletableFuture<JsonObject> call(
      ServiceConnection connection, CallOptions options) {
    return connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, options);
  }

  @Test
  void retries() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DOWN, DOWN, BACK)) {
      ServiceConnection connection = connection(server);
      JsonObject output = Blocking.call(CallOptions.none(), own -> call(connection, own));
      assertEquals("{\"back\":1}", output.toString());
    }
    try (ScriptedServer server = ScriptedServer.answering(DOWN, DOWN, BACK)) {
      assertEquals("{\"back\":1}", call(connection(server), CallOptions.none()).join().toString());
    }
  }

  @Test
  void limitsAttemptsAndRetriesLostConnections() throws IOException {
    Answer silence = ScriptedServer.silence();
    try (ScriptedServer server = ScriptedServer.answering(silence, BACK);
        ScriptedServer other =
            ScriptedServer.answering(DOWN, silence, ScriptedServer.cut("{}"), BACK)) {
      CompletableFuture<JsonObject> future = call(impatient(server), CallOptions.none());
      JsonObject output = Blocking.call(CallOptions.none(), own -> call(impatient(other), own));
      assertEquals("{\"back\":1}", output.toString());
      assertEquals("{\"back\":1}", future.join().toString());
    }
  }

  private static ServiceConnection impatient(ScriptedServer server) {
    return ServiceConnection.open(
        "test/1", options(server).maxRetries(3).attemptTimeout(Duration.ofSeconds(2)).build());
  }

  @Test
  void waitsForARun() throws IOException {
    String record = "{\"execution_id\":\"" + RUN + "\",\"status\":\"";
    Answer running = ScriptedServer.json(200, record + "RUNNING\"}");
    Answer completed = ScriptedServer.json(200, record + "COMPLETED\"}");
    String event = "{\"type\":\"FLOW_COMPLETED\",\"output\":{\"text\":\"late\"}}";
    Answer empty = ScriptedServer.json(200, "{\"events\":[],\"next_cursor\":\"c1\"}");
    Answer last = ScriptedServer.json(200, "{\"events\":[" + event + "]}");
    Answer[] answers = {running, running, completed, empty, last};
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      assertEquals("{\"text\":\"late\"}", execution.await().toString());
    }
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      assertEquals("{\"text\":\"late\"}", execution.awaitAsync().join().toString());
    }
  }

  @Test
  void streams() throws IOException {
    Answer frames =
        ScriptedServer.events(
            "data: {\"payload\":{\"a\":1}}\n\ndata: {\"is_final\":true,\"success\":true}\n\n");
    try (ScriptedServer server = ScriptedServer.answering(DOWN, frames);
        FrameStream<JsonObject> outputs =
            connection(server)
                .streamNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())) {
      assertEquals(List.of("{\"a\":1}"), outputs.stream().map(Object::toString).toList());
    }
  }
}
