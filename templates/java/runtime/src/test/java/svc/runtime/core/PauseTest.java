package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.FlowPausedException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.StatusException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.Bytes;
import svc.runtime.json.JsonObject;

/** Pauses of runs, and decisions on them. */
@Timeout(60)
class PauseTest {
  private static final String RUN = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PAUSE =
      "{\"pause_id\":\"p1\",\"execution_id\":\""
          + RUN
          + "\",\"graph_id\":\"g1\",\"node_name\":\"ask\",\"status\":\"WAITING\","
          + "\"interrupt_payload\":{\"n\":9007199254740993},"
          + "\"resume_schema\":\"acme.v1.Go\",\"expires_at\":\"2026-02-01T09:30:00.000Z\","
          + "\"resume_url\":\"https://svc.example.com/secret\",\"resumed_at\":null}";
  private static final Answer RESUMED =
      ScriptedServer.json(
          200,
          "{\"pause_id\":\"p1\",\"status\":\"RESUMED\",\"resumed_at\":\"2026-01-31T09:31:00.000Z\","
              + "\"resumed_by\":\"bob\",\"resume_value\":null,\"already_resumed\":true}");

  private static Execution<JsonObject> execution(ScriptedServer server) {
    return connection(server).execution(RUN, Codecs.STRUCT);
  }

  private static ServiceConnection connection(ScriptedServer server) {
    return ServiceConnection.open(
        "test/1", ClientOptions.builder().apiKey("key").baseUrl(server.url()).build());
  }

  @Test
  void endsAWaitAtAPause() throws IOException {
    Answer paused =
        ScriptedServer.json(
            200, "{\"execution_id\":\"" + RUN + "\",\"status\":\"RUNNING\",\"pause_id\":\"p1\"}");
    try (ScriptedServer server = ScriptedServer.answering(paused)) {
      FlowPausedException failure =
          assertThrows(FlowPausedException.class, () -> execution(server).await());
      assertEquals("p1", failure.pauseId().orElseThrow());
      assertEquals("flow_paused", failure.code().orElseThrow());
      assertEquals(RUN, failure.executionId().orElseThrow());
    }
  }

  @Test
  void isReadFromJson() {
    assertEquals("p1", Pause.fromJson(PAUSE).id());
    assertThrows(InvalidMessageException.class, () -> Pause.fromJson("{}"));
    assertTrue(ResumedPause.fromJson(RESUMED.body()).alreadyResumed());
    assertThrows(InvalidMessageException.class, () -> ResumedPause.fromJson("{}"));
  }

  @Test
  void listsThePausesOfARun() throws IOException {
    Answer answer = ScriptedServer.json(200, "{\"pauses\":[" + PAUSE + "]}");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      Pause pause = execution(server).pauses().get(0);
      assertEquals("p1", pause.id());
      assertEquals(RUN, pause.executionId());
      assertEquals("g1", pause.graphId().orElseThrow());
      assertEquals("ask", pause.nodeName().orElseThrow());
      assertEquals(PauseStatus.WAITING, pause.status());
      assertEquals("{\"n\":9007199254740993}", pause.question().orElseThrow().toString());
      assertEquals("acme.v1.Go", pause.decisionType().orElseThrow());
      assertEquals(Instant.parse("2026-02-01T09:30:00Z"), pause.expiresAt().orElseThrow());
      assertEquals("https://svc.example.com/secret", pause.resumeUrl().orElseThrow());
      assertTrue(pause.resumedAt().isEmpty() && pause.decision().isEmpty());
      assertEquals("pause p1 (WAITING)", pause.toString());
      assertEquals(
          "/invocations/v1/executions/" + RUN + "/pauses", server.requests().get(0).path());
    }
  }

  /** Anyone who has the link of a pause can decide on it. */
  @Test
  void doesNotShowTheLink() throws IOException {
    String body = "{\"pauses\":[" + PAUSE + "]}";
    AtomicReference<ServiceResponse> raw = new AtomicReference<>();
    CallOptions options = CallOptions.builder().onResponse(raw::set).build();
    Answer answer = ScriptedServer.json(200, body).with("x-request-id", "r1");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      List<Pause> pauses = execution(server).pauses(options);
      assertEquals("[pause p1 (WAITING)]", pauses.toString());
      assertEquals(body, raw.get().body());
      assertEquals(
          "ServiceResponse[status=200, executionId="
              + RUN
              + ", requestId=r1, attempts=1, body="
              + body.length()
              + " characters]",
          raw.get().toString());
    }
    Answer wrong = ScriptedServer.json(200, body.replace("}]}", "}]"));
    try (ScriptedServer server = ScriptedServer.answering(wrong)) {
      InvalidResponseException failure =
          assertThrows(InvalidResponseException.class, () -> execution(server).pauses());
      StringWriter printed = new StringWriter();
      failure.printStackTrace(new PrintWriter(printed));
      assertFalse(printed.toString().contains("svc.example.com"), printed::toString);
      assertTrue(failure.body().orElseThrow().contains("svc.example.com"));
    }
  }

  @Test
  void sendsADecision() throws IOException {
    List<PauseDecision> decisions =
        List.of(
            PauseDecision.ofDefault(),
            PauseDecision.ofJson("{\"n\": 9007199254740993}").by("ann"),
            PauseDecision.of(JsonObject.parse("{\"go\":true}")),
            PauseDecision.ofBytes(Bytes.of((byte) -5, (byte) -1)),
            PauseDecision.ofBytes(Bytes.EMPTY));
    List<String> bodies =
        List.of(
            "{\"pause_id\":\"p1\"}",
            "{\"pause_id\":\"p1\",\"value\":{\"n\": 9007199254740993},\"resumed_by\":\"ann\"}",
            "{\"pause_id\":\"p1\",\"value\":{\"go\":true}}",
            "{\"pause_id\":\"p1\",\"value\":\"+/8=\"}",
            "{\"pause_id\":\"p1\",\"value\":\"\"}");
    for (int i = 0; i < decisions.size(); i++) {
      try (ScriptedServer server = ScriptedServer.answering(RESUMED)) {
        ResumedPause resumed = execution(server).resume("p1", decisions.get(i));
        assertTrue(resumed.alreadyResumed());
        assertEquals("bob", resumed.resumedBy().orElseThrow());
        assertEquals(PauseStatus.RESUMED, resumed.status());
        assertTrue(resumed.decision().isEmpty());
        assertEquals("/invocations/v1/flows/" + RUN + "/resume", server.requests().get(0).path());
        assertEquals(bodies.get(i), server.requests().get(0).body());
      }
    }
  }

  @Test
  void sendsTheInputOfAFork() throws IOException {
    PauseDecision json = PauseDecision.ofJson("\n {\"n\": 1}");
    List<Fork> forks =
        List.of(
            Fork.latest(),
            Fork.at("c1"),
            Fork.latest().withInput(json),
            Fork.at("c1").withInput(json.by("ann")),
            Fork.latest().withInput(PauseDecision.ofBytes(Bytes.of((byte) -5, (byte) -1))));
    List<String> bodies =
        List.of(
            "{}",
            "{\"checkpoint_id\":\"c1\"}",
            "{\"input\":\n {\"n\": 1}}",
            "{\"checkpoint_id\":\"c1\",\"input\":\n {\"n\": 1}}",
            "{\"payload\":\"+/8=\"}");
    Answer forked = ScriptedServer.json(202, "{\"execution_id\":\"" + RUN + "\"}");
    for (int i = 0; i < forks.size(); i++) {
      try (ScriptedServer server = ScriptedServer.answering(forked)) {
        execution(server).fork(forks.get(i));
        assertEquals(bodies.get(i), server.requests().get(0).body());
      }
    }
  }

  @Test
  void rejectsInvalidDecisions() throws IOException {
    for (String json : List.of("\"go\"", "[]", "null", "go", "")) {
      assertThrows(InvalidMessageException.class, () -> PauseDecision.ofJson(json));
    }
    try (ScriptedServer server = ScriptedServer.answering(RESUMED)) {
      Execution<JsonObject> execution = execution(server);
      PauseDecision decision = PauseDecision.ofDefault();
      assertThrows(InvalidMessageException.class, () -> execution.resume("", decision));
      PauseDecision half = decision.by("\ud800");
      assertThrows(InvalidMessageException.class, () -> execution.resume("p1", half));
      assertTrue(server.requests().isEmpty());
    }
  }

  @Test
  void reportsWhyADecisionWasRejected() throws IOException {
    Answer refused =
        ScriptedServer.json(
            409, "{\"error\":\"PAUSE_NOT_WAITING\",\"message\":\"the pause has expired\"}");
    try (ScriptedServer server = ScriptedServer.answering(refused)) {
      StatusException failure =
          assertThrows(
              StatusException.class,
              () -> execution(server).resume("p1", PauseDecision.ofDefault()));
      assertEquals("PAUSE_NOT_WAITING", failure.code().orElseThrow());
    }
  }

  @Test
  void listsThePausesOfAllRuns() throws IOException {
    Answer first = ScriptedServer.json(200, "{\"pauses\":[" + PAUSE + "],\"next_cursor\":\"c 1\"}");
    Answer second =
        ScriptedServer.json(200, "{\"pauses\":[" + PAUSE.replace("WAITING", "ASLEEP") + "]}");
    try (ScriptedServer server = ScriptedServer.answering(first, second)) {
      PauseFilter filter = PauseFilter.WAITING.withPageSize(1);
      List<Pause> pauses = connection(server).listPauses(filter, CallOptions.none()).toList();
      assertEquals(
          List.of(PauseStatus.WAITING, PauseStatus.UNRECOGNIZED),
          pauses.stream().map(Pause::status).toList());
      assertEquals("ASLEEP", pauses.get(1).statusAsString());
      assertEquals(
          "/invocations/v1/pauses?status=WAITING&limit=1&cursor=c+1",
          server.requests().get(1).path());
    }
  }

  @Test
  void readsManyPagesThatAreAvailableAtOnce() {
    AtomicInteger pages = new AtomicInteger();
    Transport transport =
        new FixedTransport(
            request ->
                pages.incrementAndGet() < 5_000
                    ? "{\"pauses\":[],\"next_cursor\":\"c" + pages + "\"}"
                    : "{\"pauses\":[" + PAUSE + "]}");
    ClientOptions options =
        ClientOptions.builder()
            .apiKey("key")
            .baseUrl("http://127.0.0.1")
            .transport(transport)
            .build();
    ServiceConnection connection = ServiceConnection.open("test/1", options);
    assertEquals(1, connection.listPausesAsync(PauseFilter.ALL, CallOptions.none()).join().size());
  }

  @Test
  void rejectsResponsesWithoutPauses() throws IOException {
    for (String body : List.of("[]", "{}", "{\"pauses\":{}}", "{\"pauses\":[{}]}")) {
      try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, body))) {
        assertThrows(InvalidResponseException.class, () -> execution(server).pauses());
      }
    }
  }
}
