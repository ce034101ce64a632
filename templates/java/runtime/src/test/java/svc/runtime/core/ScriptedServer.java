package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** An HTTP server with scripted responses. It repeats the last one. */
public final class ScriptedServer implements Closeable {
  /** A WebSocket waits for a message. */
  public static final String HEAR = "?";

  /** A WebSocket closes with the code and reason that follow. */
  public static final String CLOSE = "!";

  /** The timeout of each read, because the timeout of a test does not interrupt a read. */
  private static final int LONGEST_READ_MS = 30_000;

  private final ServerSocket socket;
  private final Queue<Answer> answers;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** Why the server stopped responding; null unless it has failed. */
  private volatile Exception failure;

  private ScriptedServer(Answer... answers) throws IOException {
    this.answers = new ArrayDeque<>(List.of(answers));
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "scripted server");
    thread.setDaemon(true);
    thread.start();
  }

  public static ScriptedServer answering(Answer... answers) throws IOException {
    return new ScriptedServer(answers);
  }

  public static Answer json(int status, String body) {
    return new Answer(status, Map.of("content-type", "application/json"), body, false, false);
  }

  /** An event stream. */
  public static Answer events(String body) {
    return new Answer(200, Map.of("content-type", "text/event-stream"), body, false, false);
  }

  /**
   * A WebSocket that sends messages of up to 65,535 bytes, after which the connection is lost. A
   * message can be replaced by {@link #HEAR} or {@link #CLOSE}.
   */
  public static Answer socket(String... messages) {
    Map<String, String> headers = Map.of("connection", "Upgrade", "upgrade", "websocket");
    return new Answer(101, headers, String.join("\n", messages), false, false);
  }

  /** A response whose body is truncated. */
  public static Answer cut(String body) {
    return new Answer(200, Map.of(), body, true, false);
  }

  /** No response, on a connection that stays open. */
  public static Answer silence() {
    return new Answer(0, Map.of(), "", false, true);
  }

  /** No response, on a connection that ends. */
  public static Answer end() {
    return new Answer(0, Map.of(), "", false, false);
  }

  /** Text that is not an HTTP response, on a connection that ends. */
  public static Answer raw(String text) {
    return new Answer(0, Map.of(), text, false, false);
  }

  /** A response whose body stalls, on a connection that stays open. */
  public static Answer stalled(String body) {
    return new Answer(200, Map.of(), body, true, true);
  }

  /** An event stream that continues with what {@link #send} adds. */
  public static Answer begun(String body) {
    return events(body).with("transfer-encoding", "chunked").stayingOpen();
  }

  /** Sends more of the response to a request. */
  public void send(int request, String text) throws IOException {
    writeChunk(open.get(request).getOutputStream(), text);
  }

  public String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  public List<Request> requests() {
    return requests;
  }

  /** Returns what the client sent over WebSockets. */
  public List<String> messages() {
    return messages;
  }

  /** Waits until this number of requests has arrived. */
  public void awaitRequests(int count) {
    awaitMore(requests, count, "requests");
  }

  private void awaitMore(List<?> arrived, int count, String kind) {
    while (arrived.size() < count) {
      failIfInterrupted(arrived.size() + " " + kind);
      failIfBroken();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Checks the first request. */
  public void assertPosted(String path, String body) {
    Request request = requests.get(0);
    assertEquals("POST " + path, request.method() + " " + request.path());
    assertEquals("application/json", request.headers().get("content-type"));
    MemberSample.assertSame(body, request.body());
  }

  /** Checks that the first request has a line with the message, twice. */
  public void assertUploaded(String path, String message) {
    Request request = requests.get(0);
    assertEquals("POST " + path, request.method() + " " + request.path());
    assertEquals("application/x-ndjson", request.headers().get("content-type"));
    List<String> lines = request.body().lines().toList();
    assertEquals(2, lines.size());
    lines.forEach(line -> MemberSample.assertSame(message, line));
  }

  /** Waits until the client has closed the connection of the first request. */
  public void awaitClosed() throws IOException {
    awaitClosed(0);
  }

  /** Waits until the client has closed the connection of a request. */
  public void awaitClosed(int request) throws IOException {
    awaitMore(open, request + 1, "connections");
    try {
      while (open.get(request).getInputStream().read() >= 0) {
        // Pings may still arrive.
        failIfInterrupted("a connection that is still open");
      }
    } catch (SocketException reset) {
      // A reset closes the connection, too.
    }
  }

  /** Ends the wait of a test that has timed out, which its interruption alone does not. */
  private static void failIfInterrupted(String state) {
    if (Thread.currentThread().isInterrupted()) {
      throw new AssertionError("interrupted with " + state);
    }
  }

  /** Fails a test if its server has stopped responding. */
  private void failIfBroken() {
    Exception cause = failure;
    if (cause != null) {
      throw new AssertionError("the scripted server has failed", cause);
    }
  }

  @Override
  public void close() throws IOException {
    hangUp();
    failIfBroken();
  }

  private void hangUp() throws IOException {
    socket.close();
    for (Socket each : open) {
      each.close();
    }
  }

  private void serve() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        connection.setSoTimeout(LONGEST_READ_MS);
        open.add(connection);
        answer(connection);
      } catch (SocketException | SocketTimeoutException | EOFException closed) {
        // The connection was closed by the client or at the end of the test, or was silent for too
        // long.
      } catch (IOException | RuntimeException broken) {
        failure = broken;
        hangUpAfterFailure();
      }
    }
  }

  /** Closes all connections after a failure, so that nothing waits for the server. */
  private void hangUpAfterFailure() {
    try {
      hangUp();
    } catch (IOException again) {
      failure.addSuppressed(again);
    }
  }

  /** Reads a request and responds. Each connection carries one request. */
  private void answer(Socket connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.getInputStream());
    String[] first = line(in).split(" ");
    if (first.length < 2) {
      connection.close();
      return;
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new EOFException("the client closed the connection within the head of a request");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    boolean isChunked = headers.containsKey("transfer-encoding");
    byte[] bytes = isChunked ? chunks(in) : in.readNBytes(length);
    String body = new String(bytes, StandardCharsets.UTF_8);
    requests.add(new Request(first[0], first[1], headers, body));
    Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
    if (answer.status() == 101) {
      talk(connection, in, answer, headers.get("sec-websocket-key"));
    } else if (answer.status() != 0) {
      write(connection.getOutputStream(), answer);
    } else {
      connection.getOutputStream().write(answer.body().getBytes(StandardCharsets.ISO_8859_1));
    }
    if (!answer.staysOpen()) {
      connection.close();
    }
  }

  private static void write(OutputStream out, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + " scripted\r\n");
    answer.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    boolean isChunked = answer.headers().containsKey("transfer-encoding");
    head.append(isChunked ? "" : "content-length: " + body.length + "\r\n");
    head.append("connection: close\r\n\r\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (isChunked) {
      writeChunk(out, answer.body());
      return;
    }
    out.write(body, 0, answer.isCut() ? body.length / 2 : body.length);
    out.flush();
  }

  private static void writeChunk(OutputStream out, String text) throws IOException {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    String chunk = Integer.toHexString(length) + "\r\n" + text + "\r\n";
    out.write(chunk.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Accepts a WebSocket and executes each line of the body. */
  private void talk(Socket connection, InputStream in, Answer answer, String key)
      throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 101 scripted\r\n");
    answer.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("sec-websocket-accept: " + proof(key) + "\r\n\r\n");
    OutputStream out = connection.getOutputStream();
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    for (String line : answer.body().split("\n")) {
      if (line.equals(HEAR)) {
        messages.add(hear(in));
      } else if (line.startsWith(CLOSE)) {
        int code = Integer.parseInt(line.substring(CLOSE.length(), CLOSE.length() + 4));
        ByteArrayOutputStream farewell = new ByteArrayOutputStream();
        farewell.write(code >> 8);
        farewell.write(code);
        farewell.writeBytes(line.substring(CLOSE.length() + 4).getBytes(StandardCharsets.UTF_8));
        writeFrame(out, 0x88, farewell.toByteArray());
      } else {
        writeFrame(out, 0x81, line.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void writeFrame(OutputStream out, int kind, byte[] content) throws IOException {
    if (content.length < 126) {
      out.write(new byte[] {(byte) kind, (byte) content.length});
    } else {
      int length = content.length;
      out.write(new byte[] {(byte) kind, 126, (byte) (length >> 8), (byte) length});
    }
    out.write(content);
    out.flush();
  }

  /** Returns the next message of the client. */
  private static String hear(InputStream in) throws IOException {
    while (true) {
      int kind = in.read();
      int length = in.read() & 0x7F;
      if (length == 126) {
        length = in.read() << 8 | in.read();
      }
      byte[] mask = in.readNBytes(4);
      byte[] content = in.readNBytes(length);
      for (int i = 0; i < content.length; i++) {
        content[i] ^= mask[i % 4];
      }
      if (kind == 0x81) {
        return new String(content, StandardCharsets.UTF_8);
      }
      if (kind < 0 || kind == 0x88) {
        throw new SocketException("closed by the client");
      }
    }
  }

  private static String proof(String key) {
    byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(text);
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Reads a chunked body, which may be truncated. */
  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int length;
    do {
      String size = line(in);
      length = size.isEmpty() ? 0 : Integer.parseInt(size, 16);
      body.write(in.readNBytes(length));
      line(in);
    } while (length > 0);
    return body.toByteArray();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  /**
   * A scripted response.
   *
   * @param status the HTTP status code, or 0 for no response
   * @param headers additional headers
   * @param body the body
   * @param isCut whether the body is truncated
   * @param staysOpen whether the connection stays open
   */
  public record Answer(
      int status, Map<String, String> headers, String body, boolean isCut, boolean staysOpen) {
    /** Adds a header. */
    public Answer with(String name, String value) {
      Map<String, String> all = new TreeMap<>(headers);
      all.put(name, value);
      return new Answer(status, all, body, isCut, staysOpen);
    }

    /** Leaves the connection open. */
    public Answer stayingOpen() {
      return new Answer(status, headers, body, isCut, true);
    }
  }

  /**
   * A received request.
   *
   * @param method the method
   * @param path the path and query
   * @param headers the headers with lower-case names
   * @param body the body
   */
  public record Request(String method, String path, Map<String, String> headers, String body) {}
}
