package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.core.ScriptedServer.Request;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.NotFoundException;
import svc.runtime.errors.ServerException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Split streams: creation, upload, and output that is resumed. */
@Timeout(60)
class SplitTest {
  private static final String NODE = "/invocations/v1/nodes/acme/text/1.0.0/Sp%20lit";
  private static final String STREAMS = "/invocations/v1/nodes/streams";
  private static final String ID = "01J-stream_7";
  private static final String RUN = "0123456789abcdef0123456789abcdef";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");

  private static ClientOptions.Builder options(ScriptedServer server) {
    return ClientOptions.builder()
        .apiKey("key")
        .baseUrl(server.url())
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static SplitStream<JsonObject, JsonObject> split(ScriptedServer server) {
    return split(options(server).build(), ID);
  }

  private static SplitStream<JsonObject, JsonObject> split(ClientOptions options, String id) {
    return ServiceConnection.open("test/1", options)
        .splitStream(id, NODE, Codecs.STRUCT, Codecs.STRUCT);
  }

  private static SplitStream<JsonObject, JsonObject> create(ScriptedServer server) {
    ServiceConnection connection = ServiceConnection.open("test/1", options(server).build());
    return Blocking.call(
        CallOptions.none(),
        own -> connection.createStream(NODE, Codecs.STRUCT, Codecs.STRUCT, own));
  }

  private static String message(int id, String text) {
    String fields = "\"execution_id\":\"" + RUN + "\",\"payload\":{\"text\":\"" + text + "\"}";
    return "id: " + id + "\ndata: {" + fields + "}\n\n";
  }

  private static String last(int id) {
    return "id: " + id + "\ndata: {\"is_final\":true,\"success\":true}\n\n";
  }

  private static List<String> texts(Iterable<JsonObject> outputs) {
    List<String> texts = new ArrayList<>();
    outputs.forEach(output -> texts.add(output.text("text").orElseThrow()));
    return texts;
  }

  /** Returns the last event ids that the requests sent, null for none. */
  private static List<String> after(ScriptedServer server) {
    List<String> after = new ArrayList<>();
    server.requests().forEach(each -> after.add(each.headers().get("last-event-id")));
    return after;
  }

  @Test
  void isCreated() throws IOException {
    Answer answer = ScriptedServer.json(201, "{\"stream_id\":\"" + ID + "\"}");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      assertEquals(ID, create(server).id());
      server.assertPosted(STREAMS, "{\"node_ref\":\"acme/text/1.0.0/Sp lit\"}");
    }
  }

  @Test
  void rejectsAResponseWithoutAnId() throws IOException {
    for (String body : List.of("{}", "{\"stream_id\":\"../a\"}", "{\"stream_id\":\"\"}")) {
      try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(201, body))) {
        assertThrows(InvalidResponseException.class, () -> create(server));
      }
    }
  }

  @Test
  void rejectsAMalformedId() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ClientOptions options = options(server).build();
      for (String id : List.of("", "../a", "a\n", "ä")) {
        assertThrows(InvalidMessageException.class, () -> split(options, id));
      }
    }
  }

  @Test
  void uploadsItsInput() throws IOException {
    String body = "{\"execution_id\":\"" + RUN + "\",\"input_frames\":2}";
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, body))) {
      SplitUpload upload = split(server).upload(List.of(INPUT, INPUT));
      assertEquals(new SplitUpload(RUN, 2), upload);
      server.assertUploaded(STREAMS + "/" + ID + "/input", INPUT.toString());
      Request request = server.requests().get(0);
      assertEquals("application/json", request.headers().get("accept"));
    }
  }

  @Test
  void uploadsOnce() throws IOException {
    for (int status : new int[] {409, 503}) {
      Answer refusal = ScriptedServer.json(status, "{\"error_message\":\"no\"}");
      try (ScriptedServer server = ScriptedServer.answering(refusal)) {
        StatusException failure =
            assertThrows(StatusException.class, () -> split(server).upload(List.of(INPUT)));
        assertEquals(status, failure.status().orElseThrow());
        assertEquals(1, server.requests().size());
      }
    }
  }

  @Test
  void detectsAnIncompleteUpload() throws IOException {
    for (String count : List.of("", ",\"input_frames\":1", ",\"input_frames\":3")) {
      String body = "{\"execution_id\":\"" + RUN + "\"" + count + "}";
      try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, body))) {
        StreamInterruptedException failure =
            assertThrows(
                StreamInterruptedException.class,
                () -> split(server).upload(List.of(INPUT, INPUT)));
        assertEquals(RUN, failure.executionId().orElseThrow());
      }
    }
  }

  @Test
  void resumesAfterALostConnection() throws IOException {
    Answer[] answers = {
      // Half of the response arrives: the first message, and part of the second.
      ScriptedServer.cut(message(0, "a") + message(1, "b").repeat(2).strip())
          .with("content-type", "text/event-stream"),
      ScriptedServer.json(503, "{}"),
      ScriptedServer.events(message(1, "b") + "id: 2\ndata: {}"),
      ScriptedServer.events(""),
      ScriptedServer.events(message(2, "c") + last(3))
    };
    try (ScriptedServer server = ScriptedServer.answering(answers);
        FrameStream<JsonObject> outputs = split(server).output()) {
      assertEquals(List.of("a", "b", "c"), texts(outputs));
      assertEquals(Arrays.asList(null, "0", "0", "1", "1"), after(server));
      assertEquals("3", outputs.lastEventId().orElseThrow());
      assertEquals(RUN, outputs.executionId().orElseThrow());
      Request request = server.requests().get(4);
      assertEquals("GET " + STREAMS, request.method() + " " + request.path().substring(0, 29));
      assertEquals("text/event-stream, application/json", request.headers().get("accept"));
    }
  }

  /** A connection that is lost after the first message, and one that the test serves. */
  private static ScriptedServer losingOne() throws IOException {
    return ScriptedServer.answering(
        ScriptedServer.events(message(0, "a")),
        ScriptedServer.begun(message(1, "b")).with("x-request-id", "second"),
        ScriptedServer.json(500, "{}"));
  }

  @Test
  void readsAllFurtherMessagesFromTheNextConnection() throws IOException {
    try (ScriptedServer server = losingOne();
        FrameStream<JsonObject> outputs = split(server).output()) {
      Iterator<JsonObject> iterator = outputs.iterator();
      assertEquals("a", iterator.next().text("text").orElseThrow());
      assertEquals("b", iterator.next().text("text").orElseThrow());
      server.send(1, message(2, "c"));
      assertEquals("c", iterator.next().text("text").orElseThrow());
      server.send(1, message(3, "d"));
      assertEquals("d", iterator.next().text("text").orElseThrow());
      server.send(1, last(4));
      assertFalse(iterator.hasNext());
      assertEquals(2, server.requests().size());
      server.awaitClosed(1);
    }
  }

  @Test
  void publishesAllFurtherMessagesFromTheNextConnection() throws Exception {
    try (ScriptedServer server = losingOne();
        AsyncFrameStream<JsonObject> outputs = split(server).outputAsync()) {
      BlockingQueue<String> taken = new LinkedBlockingQueue<>();
      CompletableFuture<Void> consumed =
          outputs.consume(output -> taken.add(output.text("text").orElseThrow()));
      assertEquals("a", taken.take());
      assertEquals("b", taken.take());
      server.send(1, message(2, "c"));
      assertEquals("c", taken.take());
      server.send(1, message(3, "d"));
      assertEquals("d", taken.take());
      server.send(1, last(4));
      consumed.join();
      assertEquals(2, server.requests().size());
      server.awaitClosed(1);
    }
  }

  @Test
  void namesTheRequestOfALostConnection() throws IOException {
    Lines lines = new Lines();
    try (ScriptedServer server = losingOne();
        FrameStream<JsonObject> outputs =
            split(options(server).logger(lines).build(), ID).output()) {
      Iterator<JsonObject> iterator = outputs.iterator();
      iterator.next();
      iterator.next();
      server.send(1, message(2, "c"));
      iterator.next();
      server.send(1, "");
      assertThrows(ServerException.class, iterator::hasNext);
      assertEquals(
          1,
          lines.all.stream()
              .filter(line -> line.contains("failed: the stream was cut off"))
              .filter(line -> line.contains(", request second)"))
              .count(),
          lines.all.toString());
    }
  }

  @Test
  void doesNotResumeIfMessagesHaveNoIds() throws IOException {
    String unnamed = message(0, "b").replace("id: 0\n", "");
    for (String first : List.of(unnamed, message(7, "a") + unnamed)) {
      try (ScriptedServer server =
              ScriptedServer.answering(
                  ScriptedServer.events(first), ScriptedServer.events(first + last(9)));
          FrameStream<JsonObject> outputs = split(server).output()) {
        List<JsonObject> taken = new ArrayList<>();
        assertThrows(StreamInterruptedException.class, () -> outputs.forEach(taken::add));
        assertEquals(first.split("\n\n").length, taken.size());
        assertEquals(1, server.requests().size());
      }
    }
  }

  @Test
  void publishesResumedOutput() throws IOException {
    Answer lost = ScriptedServer.events(message(0, "a"));
    Answer rest = ScriptedServer.events(message(1, "b") + last(2));
    try (ScriptedServer server = ScriptedServer.answering(lost, rest);
        AsyncFrameStream<JsonObject> outputs = split(server).outputAsync()) {
      List<JsonObject> taken = new ArrayList<>();
      outputs.consume(taken::add).join();
      assertEquals(List.of("a", "b"), texts(taken));
      assertEquals("2", outputs.lastEventId().orElseThrow());
    }
  }

  @Test
  void givesUpAfterConnectionsWithoutMessages() throws IOException {
    Answer first = ScriptedServer.events(message(0, "a"));
    try (ScriptedServer server = ScriptedServer.answering(first, ScriptedServer.events(""));
        FrameStream<JsonObject> outputs = split(server).output()) {
      Iterator<JsonObject> iterator = outputs.iterator();
      iterator.next();
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, iterator::hasNext);
      assertEquals(9, failure.attempts());
      assertEquals(9, server.requests().size());
    }
  }

  @Test
  void throwsTheLastFailureOfAnOutage() throws IOException {
    Answer first = ScriptedServer.events(message(0, "a"));
    try (ScriptedServer server = ScriptedServer.answering(first, ScriptedServer.json(503, "{}"));
        FrameStream<JsonObject> outputs = split(server).output()) {
      Iterator<JsonObject> iterator = outputs.iterator();
      iterator.next();
      assertThrows(UpstreamUnavailableException.class, iterator::hasNext);
      assertEquals(9, server.requests().size());
    }
  }

  @Test
  void uploadsToATransportWithoutANetwork() {
    List<String> received = new ArrayList<>();
    Transport transport =
        (request, bodyHandler) ->
            FixedResponse.bodyOf(request)
                .thenApply(
                    body -> {
                      received.add(body);
                      String fields = "{\"execution_id\":\"run-1\",\"input_frames\":2}";
                      return FixedResponse.of(request, 200, fields);
                    });
    ClientOptions options =
        ClientOptions.builder().apiKey("test").baseUrl("http://test").transport(transport).build();
    SplitUpload upload = split(options, ID).upload(List.of(INPUT, INPUT));
    assertEquals(new SplitUpload("run-1", 2), upload);
    assertEquals(List.of((INPUT + "\n").repeat(2)), received);
  }

  @Test
  void doesNotUseTheRetryBudget() throws IOException {
    Answer[] answers = new Answer[16];
    for (int i = 0; i < 15; i++) {
      answers[i] = ScriptedServer.events(message(i, "a"));
    }
    answers[15] = ScriptedServer.events(last(15));
    try (ScriptedServer server = ScriptedServer.answering(answers);
        FrameStream<JsonObject> outputs =
            split(options(server).retryBudget(0).build(), ID).output()) {
      assertEquals(15, texts(outputs).size());
    }
  }

  @Test
  void doesNotResumeIfRetriesAreDisabled() throws IOException {
    Answer lost = ScriptedServer.events(message(0, "a"));
    try (ScriptedServer server = ScriptedServer.answering(lost);
        FrameStream<JsonObject> outputs =
            split(options(server).maxRetries(0).build(), ID).output()) {
      assertThrows(StreamInterruptedException.class, () -> texts(outputs));
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void readsOutputAfterAnEvent() throws IOException {
    Answer rest = ScriptedServer.events(message(2, "c") + last(3));
    try (ScriptedServer server =
            ScriptedServer.answering(
                ScriptedServer.events(""), rest, ScriptedServer.json(204, ""));
        FrameStream<JsonObject> outputs = split(server).outputAfter("1");
        FrameStream<JsonObject> nothing = split(server).outputAfter("3")) {
      assertEquals(List.of("c"), texts(outputs));
      assertEquals(List.of(), texts(nothing));
      assertEquals(204, nothing.response().status());
      assertTrue(nothing.lastEventId().isEmpty());
      assertEquals(List.of("1", "1", "3"), after(server));
      for (String wrong : List.of("1\r\nx-own: 1", "\u00fc")) {
        assertThrows(InvalidMessageException.class, () -> split(server).outputAfter(wrong));
        assertThrows(InvalidMessageException.class, () -> split(server).outputAfterAsync(wrong));
      }
    }
  }

  @Test
  void reportsWhyItEnded() throws IOException {
    String failed = "data: {\"is_final\":true,\"error\":\"frame 1: no\"}\n\n";
    Answer gone = ScriptedServer.json(404, "{\"error_message\":\"stream not found or expired\"}");
    try (ScriptedServer server =
            ScriptedServer.answering(
                ScriptedServer.events(message(0, "a") + failed),
                ScriptedServer.events(message(0, "a")),
                gone);
        FrameStream<JsonObject> outputs = split(server).output();
        FrameStream<JsonObject> expired = split(server).output()) {
      NodeFailedException failure = assertThrows(NodeFailedException.class, () -> texts(outputs));
      assertEquals("frame 1: no (execution " + RUN + ")", failure.getMessage());
      assertThrows(NotFoundException.class, () -> texts(expired));
    }
  }

  @Test
  void closesTheConnectionWhenItIsClosed() throws IOException {
    Answer open =
        ScriptedServer.stalled(message(0, "a").repeat(2)).with("content-type", "text/event-stream");
    Answer first = ScriptedServer.events(message(0, "a"));
    try (ScriptedServer server = ScriptedServer.answering(first, open)) {
      Iterator<JsonObject> iterator;
      try (FrameStream<JsonObject> outputs = split(server).output()) {
        iterator = outputs.iterator();
        iterator.next();
        iterator.next();
      }
      assertThrows(CallCancelledException.class, iterator::hasNext);
      server.awaitClosed(1);
      assertNull(server.requests().get(0).headers().get("last-event-id"));
    }
  }
}
