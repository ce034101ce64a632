package svc.runtime.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codec;
import svc.runtime.internal.Connection;

/** A connection to the service, which all calls of a client share. */
final class ServiceConnection implements Connection {
  private final String identity;
  private final Settings settings;
  private final RetryBudget budget;
  private final Deadlines deadlines = new Deadlines();
  private final LongSupplier clock;
  private volatile boolean isClosed;

  private ServiceConnection(String identity, Settings settings, LongSupplier clock) {
    this.identity = identity;
    this.settings = settings;
    this.clock = clock;
    budget = new RetryBudget(settings.retryBudget());
  }

  static ServiceConnection open(String identity, ClientOptions options) {
    return open(identity, options, System::nanoTime);
  }

  /**
   * Opens a connection.
   *
   * @param clock returns the time in nanoseconds, to measure attempts; tests advance it
   */
  static ServiceConnection open(String identity, ClientOptions options, LongSupplier clock) {
    return new ServiceConnection(
        Objects.requireNonNull(identity, "identity"),
        Settings.of(Objects.requireNonNull(options, "options")),
        clock);
  }

  /** Returns the current time of the clock, in nanoseconds. */
  long now() {
    return clock.getAsLong();
  }

  @Override
  public <I, O> CompletableFuture<O> callNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new NodeEndpoint<>(path, inputCodec, outputCodec).call(this, input, options);
  }

  @Override
  public <I, O> CompletableFuture<O> runFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).run(this, input, options);
  }

  @Override
  public <I, O> FrameStream<O> streamNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).stream(this, input, options));
  }

  @Override
  public <I, O> FrameStream<O> uploadToNode(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options) {
    return new FrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).upload(this, inputs, options));
  }

  @Override
  public <I, O> FrameStream<O> streamFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FrameStream<>(
        new FlowEndpoint<>(graphId, inputCodec, outputCodec).stream(this, input, options));
  }

  @Override
  public <I, O> AsyncFrameStream<O> streamNodeAsync(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new AsyncFrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).stream(this, input, options));
  }

  @Override
  public <I, O> AsyncFrameStream<O> uploadToNodeAsync(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options) {
    return new AsyncFrameStream<>(
        new NodeEndpoint<>(path, inputCodec, outputCodec).upload(this, inputs, options));
  }

  @Override
  public <I, O> AsyncFrameStream<O> streamFlowAsync(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new AsyncFrameStream<>(
        new FlowEndpoint<>(graphId, inputCodec, outputCodec).stream(this, input, options));
  }

  @Override
  public <I, O> CompletableFuture<SplitStream<I, O>> createStream(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options) {
    return SplitStream.create(this, new NodeEndpoint<>(path, inputCodec, outputCodec), options);
  }

  @Override
  public <I, O> SplitStream<I, O> splitStream(
      String id, String path, Codec<I> inputCodec, Codec<O> outputCodec) {
    Objects.requireNonNull(id, "id");
    return new SplitStream<>(this, new NodeEndpoint<>(path, inputCodec, outputCodec), id);
  }

  @Override
  public <I, O> CompletableFuture<LiveSession<I, O>> openLive(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options) {
    return LiveOpening.open(this, new NodeEndpoint<>(path, inputCodec, outputCodec), options);
  }

  @Override
  public <I, O> CompletableFuture<Execution<O>> startFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).start(this, input, options);
  }

  @Override
  public <O> Execution<O> execution(String id, Codec<O> outputCodec) {
    if (!Execution.isId(Objects.requireNonNull(id, "id"))) {
      throw new InvalidMessageException("the execution id must be 32 hexadecimal digits");
    }
    return new Execution<>(this, id, outputCodec, Optional.empty());
  }

  @Override
  public CompletableFuture<Void> warmFlow(String graphId, CallOptions options) {
    return FlowEndpoint.warm(this, graphId, options);
  }

  @Override
  public Stream<Pause> listPauses(PauseFilter filter, CallOptions options) {
    return PauseInbox.list(this, filter, options);
  }

  @Override
  public CompletableFuture<List<Pause>> listPausesAsync(PauseFilter filter, CallOptions options) {
    return PauseInbox.listAsync(this, filter, options);
  }

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

  @Override
  public String baseUrl() {
    return settings.baseUrl();
  }

  /** Shows the base URL, never the API key. */
  @Override
  public String toString() {
    return "Connection[baseUrl=" + baseUrl() + "]";
  }
}
