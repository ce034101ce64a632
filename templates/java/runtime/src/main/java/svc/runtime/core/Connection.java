package svc.runtime.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.Codec;

/**
 * A connection to the service: base URL, API key and retry policy. The calls of a client share it.
 * It is thread-safe and never shows the key.
 *
 * <p>It is for the generated client, and may change in any release.
 */
public final class Connection implements AutoCloseable {
  private final String identity;
  private final Settings settings;
  private final RetryBudget budget;
  private final Deadlines deadlines = new Deadlines();
  private volatile boolean isClosed;

  private Connection(String identity, Settings settings) {
    this.identity = identity;
    this.settings = settings;
    budget = new RetryBudget(settings.retryBudget());
  }

  /**
   * Creates a connection. Sends no request.
   *
   * @param identity identifies the SDK to the service
   * @param options the options
   * @return the connection
   * @throws ConfigurationException if the API key or base URL is missing or malformed
   */
  public static Connection open(String identity, ClientOptions options) {
    return new Connection(
        Objects.requireNonNull(identity, "identity"),
        Settings.of(Objects.requireNonNull(options, "options")));
  }

  /**
   * Calls a node. Cancelling the future ends the call.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the output
   */
  public <I, O> CompletableFuture<O> callNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new NodeEndpoint<>(path, inputCodec, outputCodec).call(this, input, options);
  }

  /**
   * Runs a flow and returns its output. Cancelling the future ends the wait, not the run.
   *
   * @param graphId the graph id of the flow
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the output
   */
  public <I, O> CompletableFuture<O> runFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).run(this, input, options);
  }

  /**
   * Calls a pipeline node and streams its output. Sends no request before it is read.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> FrameStream<O> streamNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).stream(this, input, options));
  }

  /**
   * Calls a pipeline node with many messages, which are read as they are sent, on a thread of their
   * own. The stream ends in time or when it is closed, even if the source never returns. The HTTP
   * client of the JDK reads the response once all messages have been sent, so a refusal is noticed
   * only then.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param inputs the input messages
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> FrameStream<O> uploadToNode(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options) {
    return new FrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).upload(this, inputs, options));
  }

  /**
   * Runs a pipeline flow and streams its output. Sends no request before it is read.
   *
   * @param graphId the graph id of the flow
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> FrameStream<O> streamFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FrameStream<>(
        new FlowEndpoint<>(graphId, inputCodec, outputCodec).stream(this, input, options));
  }

  /**
   * Calls a pipeline node and streams its output. Sends no request before it is read.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> AsyncFrameStream<O> streamNodeAsync(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new AsyncFrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).stream(this, input, options));
  }

  /**
   * Calls a pipeline node with many messages, which are read as they are sent, on a thread of their
   * own. The stream ends in time or when it is closed, even if the source never returns. The HTTP
   * client of the JDK reads the response once all messages have been sent, so a refusal is noticed
   * only then.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param inputs the input messages
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> AsyncFrameStream<O> uploadToNodeAsync(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options) {
    return new AsyncFrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).upload(this, inputs, options));
  }

  /**
   * Runs a pipeline flow and streams its output. Sends no request before it is read.
   *
   * @param graphId the graph id of the flow
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> AsyncFrameStream<O> streamFlowAsync(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new AsyncFrameStream<>(
        new FlowEndpoint<>(graphId, inputCodec, outputCodec).stream(this, input, options));
  }

  /**
   * Creates a split stream of a pipeline node.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   */
  public <I, O> CompletableFuture<SplitStream<I, O>> createStream(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options) {
    return SplitStream.create(this, new NodeEndpoint<>(path, inputCodec, outputCodec), options);
  }

  /**
   * Returns a handle to a split stream by its id. Sends no request.
   *
   * @param id the id
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the stream
   * @throws InvalidMessageException if the id is malformed
   */
  public <I, O> SplitStream<I, O> splitStream(
      String id, String path, Codec<I> inputCodec, Codec<O> outputCodec) {
    Objects.requireNonNull(id, "id");
    return new SplitStream<>(this, new NodeEndpoint<>(path, inputCodec, outputCodec), id);
  }

  /**
   * Opens a live session with a pipeline node.
   *
   * @param path the path of the node relative to the base URL
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param options options of this call, whose timeout ends when the session is ready
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the session, once it is ready
   */
  public <I, O> CompletableFuture<LiveSession<I, O>> openLive(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options) {
    return LiveOpening.open(this, new NodeEndpoint<>(path, inputCodec, outputCodec), options);
  }

  /**
   * Starts a flow without waiting for it to end.
   *
   * @param graphId the graph id of the flow
   * @param inputCodec the codec of the input
   * @param outputCodec the codec of the output
   * @param input the input
   * @param options options of this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the run
   */
  public <I, O> CompletableFuture<Execution<O>> startFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).start(this, input, options);
  }

  /**
   * Returns a handle to an earlier run by its id. Sends no request.
   *
   * @param id the id
   * @param outputCodec the codec of the output
   * @param <O> the type of the output
   * @return the run
   * @throws InvalidMessageException if the id is malformed
   */
  public <O> Execution<O> execution(String id, Codec<O> outputCodec) {
    if (!Execution.isId(Objects.requireNonNull(id, "id"))) {
      throw new InvalidMessageException("the execution id must be 32 hexadecimal digits");
    }
    return new Execution<>(this, id, outputCodec, Optional.empty());
  }

  /**
   * Warms up the nodes of a flow without running it.
   *
   * @param graphId the graph id of the flow
   * @param options options of this call
   * @return completes when the service has accepted the request
   */
  public CompletableFuture<Void> warmFlow(String graphId, CallOptions options) {
    return FlowEndpoint.warm(this, graphId, options);
  }

  /**
   * Returns the pauses of all runs of the tenant, newest first. Pages load lazily.
   *
   * @param filter the pauses to include
   * @param options options of the call for each page
   * @return the pauses
   */
  public Stream<Pause> listPauses(PauseFilter filter, CallOptions options) {
    return PauseInbox.list(this, filter, options);
  }

  /**
   * Returns the pauses of all runs of the tenant, newest first.
   *
   * @param filter the pauses to include
   * @param options options of the call, which includes all pages
   * @return the pauses
   */
  public CompletableFuture<List<Pause>> listPausesAsync(PauseFilter filter, CallOptions options) {
    return PauseInbox.listAsync(this, filter, options);
  }

  /** Refuses further calls. Calls that have begun end as usual. */
  @Override
  public void close() {
    isClosed = true;
  }

  boolean isClosed() {
    return isClosed;
  }

  String identity() {
    return identity;
  }

  Settings settings() {
    return settings;
  }

  RetryBudget budget() {
    return budget;
  }

  Deadlines deadlines() {
    return deadlines;
  }

  /**
   * Returns the base URL.
   *
   * @return the URL
   */
  public String baseUrl() {
    return settings.baseUrl();
  }

  /** Shows the base URL, never the API key. */
  @Override
  public String toString() {
    return "Connection[baseUrl=" + baseUrl() + "]";
  }
}
