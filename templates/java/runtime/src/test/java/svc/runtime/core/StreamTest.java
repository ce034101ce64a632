package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Streams: frames, ends, cancellation and streamed input. */
@Timeout(60)
class StreamTest {
  private static final String KEY = "svc-key-of-the-tests";
  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final String WORD = "\"payload\":{\"text\":\"a\"},\"is_final\":false";
  private static final String LAST = "\"is_final\":true,\"success\":true";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");

  private static ClientOptions through(Transport transport) {
    return ClientOptions.builder()
        .apiKey(KEY)
        .baseUrl("http://127.0.0.1")
        .transport(transport)
        .build();
  }

  private static String frames(String... frames) {
    StringBuilder text = new StringBuilder();
    for (String frame : frames) {
      text.append("data: {\"execution_id\":\"" + ID + "\"," + frame + "}\n\n");
    }
    return text.toString();
  }

  /** A response that stalls after the frames, on a connection that stays open. */
  private static Answer open(String... frames) {
    String body = frames(frames);
    return ScriptedServer.stalled(body + body).with("content-type", "text/event-stream");
  }

  private static ServiceConnection connect(ScriptedServer server) {
    return ServiceConnection.open(
        "test/1",
        ClientOptions.builder()
            .apiKey(KEY)
            .baseUrl(server.url())
            .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2))
            .build());
  }

  private static FrameStream<JsonObject> stream(ScriptedServer server, CallOptions options) {
    return connect(server).streamFlow("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, options);
  }

  private static FrameStream<JsonObject> stream(ScriptedServer server) {
    return stream(server, CallOptions.none());
  }

  private static AsyncFrameStream<JsonObject> streamAsync(ScriptedServer server) {
    return connect(server)
        .streamFlowAsync("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
  }

  private static FrameStream<JsonObject> upload(
      ScriptedServer server, Iterable<JsonObject> inputs) {
    return connect(server)
        .uploadToNode("/node", Codecs.STRUCT, Codecs.STRUCT, inputs, CallOptions.none());
  }

  /** Collects the messages of a stream until it ends or fails. */
  private static List<JsonObject> take(FrameStream<JsonObject> outputs) {
    List<JsonObject> taken = new ArrayList<>();
    try (outputs) {
      outputs.forEach(taken::add);
    }
    return taken;
  }

  @Test
  void readsTheEndOfAResponseSoThatItsConnectionIsReused() {
    WholeStream whole = new WholeStream(frames(WORD, LAST));
    ClientOptions options = through(whole);
    FrameStream<JsonObject> outputs =
        ServiceConnection.open("test/1", options)
            .streamFlow("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
    assertEquals(1, take(outputs).size());
    assertTrue(whole.hasEnded);
    assertFalse(whole.isCancelled);
  }

  /** A response that delivers its frames on demand, and then its end. */
  private static final class WholeStream
      implements Transport, HttpResponse.ResponseInfo, Flow.Subscription {
    boolean hasEnded;
    boolean isCancelled;
    private final ByteBuffer frames;
    private HttpResponse.BodySubscriber<byte[]> body;

    WholeStream(String frames) {
      this.frames = ByteBuffer.wrap(frames.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      body = bodyHandler.apply(this);
      body.onSubscribe(this);
      return CompletableFuture.completedFuture(
          FixedResponse.of(request, 200, "").withHeader("content-type", "text/event-stream"));
    }

    @Override
    public int statusCode() {
      return 200;
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(
          Map.of("content-type", List.of("text/event-stream")), (name, value) -> true);
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }

    @Override
    public void request(long count) {
      if (frames.hasRemaining()) {
        ByteBuffer all = frames.slice();
        frames.position(frames.limit());
        body.onNext(List.of(all));
      } else {
        hasEnded = true;
        body.onComplete();
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
    }
  }

  @Test
  void sendsTheRequestWhenIterated() throws IOException {
    Answer answer = ScriptedServer.events(frames(WORD, WORD, LAST)).with("x-own", "1");
    try (ScriptedServer server = ScriptedServer.answering(answer);
        FrameStream<JsonObject> outputs = stream(server)) {
      assertTrue(server.requests().isEmpty());
      assertEquals(2, outputs.stream().count());
      assertEquals(ID, outputs.executionId().orElseThrow());
      assertEquals(200, outputs.response().status());
      assertEquals("1", outputs.response().headers().firstValue("x-own").orElseThrow());
      assertEquals(1, server.requests().size());
      server.assertPosted(
          "/invocations/v1/flows/invoke/stream",
          "{\"graph_id\":\"g-1\",\"input\":{\"text\":\"hello\"},\"timeout_seconds\":300}");
      assertEquals(
          "text/event-stream, application/json", server.requests().get(0).headers().get("accept"));
    }
  }

  @Test
  void returnsTheHeadBeforeTheMessages() throws IOException {
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.events(frames(WORD, LAST)));
        FrameStream<JsonObject> outputs = stream(server)) {
      assertEquals("", outputs.response().body());
      assertEquals(1, outputs.stream().count());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void canBeIteratedOnce() throws IOException {
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.events(frames(WORD, LAST)));
        FrameStream<JsonObject> outputs = stream(server)) {
      Iterator<JsonObject> messages = outputs.iterator();
      assertTrue(messages.hasNext());
      assertTrue(messages.hasNext());
      assertEquals("{\"text\":\"a\"}", messages.next().toString());
      assertFalse(messages.hasNext());
      assertThrows(IllegalStateException.class, outputs::iterator);
      assertThrows(IllegalStateException.class, outputs::stream);
    }
  }

  @Test
  void sendsNothingAfterClose() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      FrameStream<JsonObject> outputs = stream(server);
      outputs.close();
      assertThrows(CallCancelledException.class, outputs.iterator()::hasNext);
      assertThrows(CallCancelledException.class, outputs::response);
      assertTrue(server.requests().isEmpty());
    }
  }

  @Test
  void closesTheConnectionWhenTheLoopExits() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      try (FrameStream<JsonObject> outputs = stream(server)) {
        outputs.iterator().next();
      }
      server.awaitClosed();
    }
  }

  @Test
  void sendsNothingForAnInterruptedThread() {
    AtomicInteger sent = new AtomicInteger();
    Transport transport =
        (request, bodyHandler) -> {
          sent.incrementAndGet();
          return new CompletableFuture<>();
        };
    ClientOptions options = through(transport);
    ServiceConnection connection = ServiceConnection.open("test/1", options);
    FrameStream<JsonObject> outputs =
        connection.streamFlow("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
    Thread.currentThread().interrupt();
    assertThrows(CallCancelledException.class, outputs::response);
    assertTrue(Thread.interrupted());
    Iterator<JsonObject> messages = outputs.iterator();
    assertThrows(CallCancelledException.class, messages::hasNext);
    assertEquals(0, sent.get());
  }

  @Test
  void publishesToASubscriberOfAnInterruptedThread() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.events(frames(WORD, LAST)))) {
      AsyncFrameStream<JsonObject> outputs =
          connect(server)
              .streamFlowAsync("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
      List<JsonObject> received = new ArrayList<>();
      Thread.currentThread().interrupt();
      CompletableFuture<Void> consumed = outputs.consume(received::add);
      assertTrue(Thread.interrupted());
      consumed.join();
      assertEquals(1, received.size());
    }
  }

  @Test
  void closesTheConnectionWhenItsThreadIsInterrupted() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      FrameStream<JsonObject> outputs = stream(server);
      Iterator<JsonObject> messages = outputs.iterator();
      messages.next();
      CompletableFuture<Boolean> waiting = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  waiting.complete(messages.hasNext());
                } catch (CallCancelledException cancelled) {
                  waiting.complete(Thread.currentThread().isInterrupted());
                }
              });
      thread.start();
      thread.interrupt();
      assertTrue(waiting.get());
      server.awaitClosed();
      assertThrows(CallCancelledException.class, messages::hasNext);
    }
  }

  @Test
  void endsAWaitWhenAnotherThreadClosesIt() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      FrameStream<JsonObject> outputs = stream(server);
      Iterator<JsonObject> messages = outputs.iterator();
      messages.next();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(outputs::close);
      CallCancelledException closed = assertThrows(CallCancelledException.class, messages::hasNext);
      assertEquals(ID, closed.executionId().orElseThrow());
      closing.get();
      server.awaitClosed();
    }
  }

  @Test
  void timesOutWithoutAReader() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      CallOptions options = CallOptions.builder().timeout(Duration.ofSeconds(2)).build();
      FrameStream<JsonObject> outputs = stream(server, options);
      Iterator<JsonObject> messages = outputs.iterator();
      messages.next();
      server.awaitClosed();
      CallTimedOutException failure = assertThrows(CallTimedOutException.class, messages::hasNext);
      assertEquals(
          "the call did not complete within its timeout of 2000 ms (execution " + ID + ")",
          failure.getMessage());
      assertEquals(ID, failure.executionId().orElseThrow());
    }
  }

  @Test
  void returnsNoMessageAfterItsTimeoutOrClose() throws Exception {
    for (boolean isClosed : new boolean[] {true, false}) {
      // The second message arrives together with the first one.
      try (ScriptedServer server = ScriptedServer.answering(open(WORD, WORD))) {
        Duration limit = Duration.ofSeconds(isClosed ? 30 : 2);
        FrameStream<JsonObject> outputs =
            stream(server, CallOptions.builder().timeout(limit).build());
        Iterator<JsonObject> messages = outputs.iterator();
        messages.next();
        if (isClosed) {
          outputs.close();
        }
        server.awaitClosed();
        SvcException failure = assertThrows(SvcException.class, messages::hasNext);
        assertEquals(isClosed, failure instanceof CallCancelledException, failure::toString);
        assertEquals(!isClosed, failure instanceof CallTimedOutException, failure::toString);
      }
    }
  }

  @Test
  void closesTheConnectionIfOnlyTheHeadWasRead() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      try (FrameStream<JsonObject> outputs = stream(server)) {
        assertEquals(200, outputs.response().status());
      }
      server.awaitClosed();
    }
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      try (AsyncFrameStream<JsonObject> outputs = streamAsync(server)) {
        assertEquals(200, outputs.response().join().status());
      }
      server.awaitClosed();
    }
  }

  @Test
  void stopsWaitingForAChunkWhenCancelled() {
    EventBody silent = new EventBody();
    CompletableFuture<List<ByteBuffer>> next = silent.next(Duration.ofSeconds(50));
    silent.cancel();
    assertTrue(next.isCancelled());
  }

  @Test
  void isInterruptedByALongSilence() {
    EventBody silent = new EventBody();
    CompletionException failure =
        assertThrows(CompletionException.class, silent.next(Duration.ofMillis(1))::join);
    assertInstanceOf(HttpTimeoutException.class, failure.getCause());
    EventBody whole = EventBody.of(new byte[] {1});
    assertEquals(1, whole.next(Duration.ofSeconds(50)).join().size());
    assertNull(whole.next(Duration.ofSeconds(50)).join());
  }

  @Test
  void rejectsAnEndlessLine() throws IOException {
    Answer endless = ScriptedServer.events("data: " + "a".repeat(FrameReader.LONGEST_FRAME + 1));
    try (ScriptedServer server = ScriptedServer.answering(endless);
        FrameStream<JsonObject> outputs = stream(server)) {
      InvalidResponseException failure =
          assertThrows(InvalidResponseException.class, () -> take(outputs));
      assertTrue(failure.getMessage().contains("longer than"), failure.getMessage());
    }
  }

  @Test
  void refundsARetryWhenOpened() throws IOException {
    Answer down = ScriptedServer.json(503, "{}");
    Answer up = ScriptedServer.events(frames(WORD, LAST));
    try (ScriptedServer server = ScriptedServer.answering(down, up, down, up)) {
      ClientOptions options =
          ClientOptions.builder()
              .apiKey(KEY)
              .baseUrl(server.url())
              .retryBudget(1)
              .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2))
              .build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      for (int i = 0; i < 2; i++) {
        assertEquals(
            1,
            take(connection.streamFlow(
                    "g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none()))
                .size());
      }
    }
  }

  @Test
  void isInterruptedWithoutALastFrame() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.events(frames(WORD)))) {
      Iterator<JsonObject> messages = stream(server).iterator();
      messages.next();
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, messages::hasNext);
      assertEquals(200, failure.status().orElseThrow());
      assertEquals(ID, failure.executionId().orElseThrow());
      assertEquals(1, failure.attempts());
      assertSame(failure, assertThrows(StreamInterruptedException.class, messages::hasNext));
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void reportsThatTheConnectionEnded() throws IOException {
    Answer cut = ScriptedServer.events(frames(WORD)).with("transfer-encoding", "chunked");
    try (ScriptedServer server = ScriptedServer.answering(cut)) {
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, () -> take(stream(server)));
      assertEquals(
          "the stream was cut off: the connection ended (execution " + ID + ")",
          failure.getMessage());
    }
  }

  @Test
  void reportsTheErrorOfTheLastFrame() throws IOException {
    String last = "\"is_final\":true,\"error\":\"tired of " + KEY + "\"";
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.events(frames(WORD, last)))) {
      FlowFailedException failure =
          assertThrows(FlowFailedException.class, () -> take(stream(server)));
      assertEquals("tired of [redacted] (execution " + ID + ")", failure.getMessage());
      assertFalse(failure.body().orElseThrow().contains(KEY));
    }
  }

  @Test
  void rejectsAResponseThatIsNotAStream() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      InvalidResponseException failure =
          assertThrows(InvalidResponseException.class, () -> take(stream(server)));
      assertEquals("{}", failure.body().orElseThrow());
    }
  }

  @Test
  void isRetriedUntilItBegins() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{}"), ScriptedServer.events(frames(WORD, LAST)))) {
      assertEquals(1, take(stream(server)).size());
      assertEquals(2, server.requests().size());
    }
  }

  @Test
  void isRejectedByAClosedClient() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      ServiceConnection connection = connect(server);
      FrameStream<JsonObject> outputs =
          connection.streamNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
      connection.close();
      assertThrows(ConfigurationException.class, () -> take(outputs));
    }
  }

  /** Returns the number of messages that arrive by a transport, of two. */
  private static int takeBy(Transport transport) throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.events(frames(WORD, WORD, LAST)))) {
      ClientOptions options =
          ClientOptions.builder().apiKey(KEY).baseUrl(server.url()).transport(transport).build();
      return take(ServiceConnection.open("test/1", options)
              .streamNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none()))
          .size();
    }
  }

  @Test
  void supportsATransportThatBuffersTheResponse() throws IOException {
    HttpClient http = HttpClient.newHttpClient();
    assertEquals(
        2,
        takeBy(
            (request, handler) ->
                http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())));
  }

  @Test
  void supportsATransportThatIgnoresDemand() throws IOException {
    HttpClient http = HttpClient.newHttpClient();
    assertEquals(
        2,
        takeBy(
            (request, handler) ->
                http.sendAsync(request, head -> new GreedySubscriber(handler.apply(head)))));
  }

  @Test
  void uploadsOneLinePerMessage() throws IOException {
    Answer answer = ScriptedServer.events(frames(WORD, LAST + ",\"input_frames\":2"));
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      assertEquals(1, take(upload(server, List.of(INPUT, INPUT))).size());
      server.assertUploaded("/node", "{\"text\":\"hello\"}");
    }
  }

  @Test
  void detectsAnIncompleteUpload() throws IOException {
    Answer answer = ScriptedServer.events(frames(LAST + ",\"input_frames\":1"));
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      StreamInterruptedException failure =
          assertThrows(
              StreamInterruptedException.class, () -> take(upload(server, List.of(INPUT, INPUT))));
      assertTrue(failure.getMessage().contains("1 of 2"), failure.getMessage());
    }
  }

  @Test
  void failsIfItsSourceFails() throws IOException {
    UncheckedIOException gone = new UncheckedIOException(new IOException("the disk is gone"));
    Iterable<JsonObject> inputs =
        Stream.of(1, 2)
                .map(
                    number -> {
                      if (number == 2) {
                        throw gone;
                      }
                      return INPUT;
                    })
            ::iterator;
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(503, "{}"))) {
      assertSame(
          gone, assertThrows(UncheckedIOException.class, () -> take(upload(server, inputs))));
    }
  }

  @Test
  void rejectsANullSource() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(503, "{}"))) {
      NullPointerException failure =
          assertThrows(NullPointerException.class, () -> upload(server, null));
      assertEquals("inputs", failure.getMessage());
      failure = assertThrows(NullPointerException.class, () -> take(upload(server, () -> null)));
      assertEquals("the iterator of the inputs", failure.getMessage());
      failure =
          assertThrows(
              NullPointerException.class, () -> take(upload(server, Arrays.asList(INPUT, null))));
      assertEquals("input message 1", failure.getMessage());
    }
  }

  @Test
  void endsEvenIfItsSourceNeverReturns() throws Exception {
    CompletableFuture<Void> reading = new CompletableFuture<>();
    CompletableFuture<JsonObject> never = new CompletableFuture<>();
    // It ignores interruption.
    Supplier<JsonObject> silent =
        () -> {
          reading.complete(null);
          return never.join();
        };
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      CallOptions options = CallOptions.builder().timeout(Duration.ofMillis(400)).build();
      FrameStream<JsonObject> late =
          connect(server)
              .uploadToNode(
                  "/node",
                  Codecs.STRUCT,
                  Codecs.STRUCT,
                  Stream.generate(never::join)::iterator,
                  options);
      assertThrows(CallTimedOutException.class, () -> take(late));
      FrameStream<JsonObject> closed = upload(server, Stream.generate(silent)::iterator);
      CompletableFuture<Void> closing = reading.thenRunAsync(closed::close);
      assertThrows(CallCancelledException.class, () -> take(closed));
      closing.get();
    } finally {
      never.complete(INPUT);
    }
  }

  @Test
  void endsItsInputWithTheCall() throws Exception {
    List<Function<HttpRequest, FixedResponse>> answers =
        List.of(
            request -> FixedResponse.of(request, 401, "{}"),
            request ->
                FixedResponse.of(request, 200, frames("\"is_final\":true,\"error\":\"tired\""))
                    .withHeader("content-type", "text/event-stream"));
    for (Function<HttpRequest, FixedResponse> answer : answers) {
      Duplex transport = new Duplex(answer);
      ClientOptions options = through(transport);
      AtomicInteger read = new AtomicInteger();
      Iterable<JsonObject> inputs =
          Stream.generate(
                  () -> {
                    read.incrementAndGet();
                    return INPUT;
                  })
              ::iterator;
      FrameStream<JsonObject> outputs =
          ServiceConnection.open("test/1", options)
              .uploadToNode("/node", Codecs.STRUCT, Codecs.STRUCT, inputs, CallOptions.none());
      assertThrows(SvcException.class, () -> take(outputs));
      assertThrows(CancellationException.class, () -> transport.sent.get(10, TimeUnit.SECONDS));
      int before = read.get();
      Thread.sleep(50);
      int after = read.get();
      // One more message may be read meanwhile.
      assertTrue(after <= before + 1, after - before + " more were read");
    }
  }

  /** Responds to the first line of an input and continues to send the input, as HTTP/2 does. */
  private static final class Duplex implements Transport, Flow.Subscriber<ByteBuffer> {
    final CompletableFuture<Void> sent = new CompletableFuture<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final Function<HttpRequest, FixedResponse> answer;

    Duplex(Function<HttpRequest, FixedResponse> answer) {
      this.answer = answer;
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      request.bodyPublisher().orElseThrow().subscribe(this);
      return begun.thenApplyAsync(nothing -> answer.apply(request));
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer line) {
      begun.complete(null);
    }

    @Override
    public void onError(Throwable failure) {
      sent.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      sent.complete(null);
    }
  }

  @Test
  void logsALostConnectionOnce() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.events(frames(WORD)))) {
      Lines lines = new Lines();
      ClientOptions options =
          ClientOptions.builder().apiKey(KEY).baseUrl(server.url()).logger(lines).build();
      FrameStream<JsonObject> outputs =
          ServiceConnection.open("test/1", options)
              .streamFlow("g-1", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none());
      SvcException lost = assertThrows(StreamInterruptedException.class, () -> take(outputs));
      assertEquals(2, lines.all.size(), lines.all.toString());
      assertEquals(
          "POST /invocations/v1/flows/invoke/stream, attempt 1, failed: " + lost.getMessage(),
          lines.all.get(1));
    }
  }

  @Test
  void stopsItsSourceWhenItIsClosed() throws Exception {
    CompletableFuture<Void> reading = new CompletableFuture<>();
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    CountDownLatch never = new CountDownLatch(1);
    Iterable<JsonObject> inputs =
        Stream.generate(
                () -> {
                  reading.complete(null);
                  try {
                    never.await();
                  } catch (InterruptedException interruption) {
                    stopped.complete(null);
                  }
                  return INPUT;
                })
            ::iterator;
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      FrameStream<JsonObject> outputs = upload(server, inputs);
      CompletableFuture<Void> closing = reading.thenRunAsync(outputs::close);
      assertThrows(CallCancelledException.class, () -> take(outputs));
      closing.get();
      stopped.get();
    }
  }

  @Test
  void reportsALostConnectionInsteadOfItsSource() throws Exception {
    BlockingQueue<Thread> readers = new LinkedBlockingQueue<>();
    Iterable<JsonObject> inputs =
        Stream.generate(
                () -> {
                  readers.add(Thread.currentThread());
                  try {
                    return new LinkedBlockingQueue<JsonObject>().take();
                  } catch (InterruptedException interruption) {
                    throw new IllegalStateException(interruption);
                  }
                })
            ::iterator;
    UploadLosingTransport losing = new UploadLosingTransport(readers);
    try (FrameStream<JsonObject> outputs =
        ServiceConnection.open("test/1", through(losing))
            .uploadToNode("/node", Codecs.STRUCT, Codecs.STRUCT, inputs, CallOptions.none())) {
      ConnectionException lost = assertThrows(ConnectionException.class, () -> take(outputs));
      assertTrue(lost.getMessage().endsWith("reset"), lost::getMessage);
      assertFalse(losing.isSignalled);
    }
  }

  /**
   * Cancels the body of a request while its source is being read, and fails once the body has
   * ended.
   */
  private static final class UploadLosingTransport
      implements Transport, Flow.Subscriber<ByteBuffer> {
    private final BlockingQueue<Thread> readers;
    private final CompletableFuture<HttpResponse<byte[]>> response = new CompletableFuture<>();
    volatile boolean isSignalled;

    UploadLosingTransport(BlockingQueue<Thread> readers) {
      this.readers = readers;
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> handler) {
      request.bodyPublisher().orElseThrow().subscribe(this);
      return response;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(1);
      CompletableFuture.runAsync(() -> lose(subscription), Workers.THREADS);
    }

    private void lose(Flow.Subscription subscription) {
      try {
        Thread reader = readers.take();
        subscription.cancel();
        reader.join();
        response.completeExceptionally(new IOException("reset"));
      } catch (InterruptedException interruption) {
        response.completeExceptionally(interruption);
      }
    }

    @Override
    public void onNext(ByteBuffer line) {
      isSignalled = true;
    }

    @Override
    public void onError(Throwable failure) {
      isSignalled = true;
    }

    @Override
    public void onComplete() {
      isSignalled = true;
    }
  }

  @Test
  void deliversMessagesOnDemand() throws Exception {
    Answer answer = ScriptedServer.events(frames(WORD, WORD, LAST));
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      AsyncFrameStream<JsonObject> outputs = streamAsync(server);
      Recorder recorder = new Recorder();
      outputs.subscribe(recorder);
      assertTrue(server.requests().isEmpty());
      recorder.subscription.request(1);
      assertEquals(1, recorder.received(1).size());
      recorder.subscription.request(1);
      recorder.end.get();
      assertEquals(2, recorder.received(2).size());
      assertEquals(ID, outputs.executionId().orElseThrow());
    }
  }

  @Test
  void closesTheConnectionWhenItsSubscriptionIsCancelled() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      Recorder recorder = new Recorder();
      streamAsync(server).subscribe(recorder);
      recorder.subscription.request(5);
      recorder.received(1);
      recorder.subscription.cancel();
      server.awaitClosed();
      assertFalse(recorder.end.isDone());
    }
  }

  @Test
  void rejectsASecondSubscriberAndInvalidDemand() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      AsyncFrameStream<JsonObject> outputs = streamAsync(server);
      Recorder first = new Recorder();
      outputs.subscribe(first);
      Recorder second = new Recorder();
      outputs.subscribe(second);
      assertInstanceOf(IllegalStateException.class, second.failure());
      first.subscription.request(0);
      assertInstanceOf(IllegalArgumentException.class, first.failure());
      assertTrue(server.requests().isEmpty());
    }
  }

  @Test
  void deliversOnWorkerThreads() throws Exception {
    CompletableFuture<Optional<String>> message = new CompletableFuture<>();
    Iterator<CompletableFuture<Optional<String>>> messages =
        List.of(message, CompletableFuture.completedFuture(Optional.<String>empty())).iterator();
    MessageSource<String> source =
        new MessageSource<>() {
          @Override
          public CompletableFuture<Optional<String>> next() {
            return messages.next();
          }

          @Override
          public ErrorDetails details() {
            return ErrorDetails.NONE;
          }

          @Override
          public void close() {}
        };
    CompletableFuture<String> thread = new CompletableFuture<>();
    Flow.Subscriber<String> subscriber =
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
          }

          @Override
          public void onNext(String item) {
            thread.complete(Thread.currentThread().getName());
          }

          @Override
          public void onError(Throwable failure) {
            thread.completeExceptionally(failure);
          }

          @Override
          public void onComplete() {}
        };
    FrameSubscription.begin(source, subscriber, new AtomicBoolean());
    message.complete(Optional.of("hello"));
    assertEquals("svc worker", thread.get());
  }

  @Test
  void closesTheConnectionWhenItsConsumerFails() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      IllegalStateException full = new IllegalStateException("full");
      CompletableFuture<Void> consumed =
          streamAsync(server)
              .consume(
                  output -> {
                    throw full;
                  });
      assertSame(full, assertThrows(ExecutionException.class, consumed::get).getCause());
      server.awaitClosed();
    }
  }

  @Test
  void closesTheConnectionWhenItsConsumptionIsCancelled() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(open(WORD))) {
      CompletableFuture<JsonObject> first = new CompletableFuture<>();
      CompletableFuture<Void> consumed = streamAsync(server).consume(first::complete);
      first.get();
      consumed.cancel(true);
      server.awaitClosed();
    }
  }

  @Test
  void parsesEventsInChunksOfAnySize() {
    byte[] bytes =
        "\uFEFF:\r\n\r\ndata: ä\r\ndata:b\r\n\r\nevent: other\ndata: c\n\ndata:d\r\r"
            .getBytes(StandardCharsets.UTF_8);
    for (int cut = 0; cut <= bytes.length; cut++) {
      EventParser parser = new EventParser();
      parser.feed(ByteBuffer.wrap(bytes, 0, cut));
      parser.feed(ByteBuffer.wrap(bytes, cut, bytes.length - cut));
      assertEquals("ä\nb", new String(parser.poll().data(), StandardCharsets.UTF_8));
      assertEquals("d", new String(parser.poll().data(), StandardCharsets.UTF_8));
      assertNull(parser.poll());
    }
  }

  /** Delivers a body as it arrives, regardless of demand. */
  private record GreedySubscriber(HttpResponse.BodySubscriber<byte[]> body)
      implements HttpResponse.BodySubscriber<byte[]> {
    @Override
    public CompletionStage<byte[]> getBody() {
      return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> chunk) {
      body.onNext(chunk);
    }

    @Override
    public void onError(Throwable failure) {
      body.onError(failure);
    }

    @Override
    public void onComplete() {
      body.onComplete();
    }
  }

  /** Records what a subscriber receives. */
  private static final class Recorder implements Flow.Subscriber<JsonObject> {
    final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<JsonObject> messages = new ArrayList<>();
    Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
    }

    @Override
    public synchronized void onNext(JsonObject message) {
      messages.add(message);
      notifyAll();
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }

    /** Waits for this number of messages. */
    synchronized List<JsonObject> received(int count) throws InterruptedException {
      while (messages.size() < count) {
        wait();
      }
      return List.copyOf(messages);
    }

    Throwable failure() {
      return assertThrows(ExecutionException.class, end::get).getCause();
    }
  }
}
