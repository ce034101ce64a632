package svc.runtime.core;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.json.Codec;

/**
 * The way to the service: address, key and the policy of retries. The calls of a client share one.
 * It is safe for use by many threads, and never shows the key.
 */
public final class Connection {
  private final String identity;
  private final Settings settings;
  private final RetryBudget budget = new RetryBudget();
  private final Deadlines deadlines = new Deadlines();

  private Connection(String identity, Settings settings) {
    this.identity = identity;
    this.settings = settings;
  }

  /**
   * Makes a connection. It sends nothing.
   *
   * @param identity names the SDK to the service
   * @param options how to call
   * @return the connection
   * @throws ConfigurationException when the key or the address is missing or malformed
   */
  public static Connection open(String identity, ClientOptions options) {
    return new Connection(
        Objects.requireNonNull(identity, "identity"),
        Settings.of(Objects.requireNonNull(options, "options")));
  }

  /**
   * Calls a node. Cancelling the future ends the call.
   *
   * @param path the path of the node beneath the address of the service
   * @param inputCodec writes the input
   * @param outputCodec reads the output
   * @param input the input
   * @param options what holds for this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the output
   */
  public <I, O> CompletableFuture<O> callNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new NodeEndpoint<>(path, inputCodec, outputCodec).call(this, input, options);
  }

  /**
   * Runs a flow and waits for its output. Cancelling the future ends the wait, not the run.
   *
   * @param graphId the graph of the flow
   * @param inputCodec writes the input
   * @param outputCodec reads the output
   * @param input the input
   * @param options what holds for this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the output
   */
  public <I, O> CompletableFuture<O> runFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).run(this, input, options);
  }

  /**
   * Starts a flow and does not wait for its output.
   *
   * @param graphId the graph of the flow
   * @param inputCodec writes the input
   * @param outputCodec reads the output
   * @param input the input
   * @param options what holds for this call
   * @param <I> the type of the input
   * @param <O> the type of the output
   * @return the run
   */
  public <I, O> CompletableFuture<Execution<O>> startFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options) {
    return new FlowEndpoint<>(graphId, inputCodec, outputCodec).start(this, input, options);
  }

  /**
   * Finds a run of a flow by its id. It sends nothing.
   *
   * @param id the id
   * @param outputCodec reads the output
   * @param <O> the type of the output
   * @return the run
   */
  public <O> Execution<O> execution(String id, Codec<O> outputCodec) {
    return new Execution<>(this, Objects.requireNonNull(id, "id"), outputCodec);
  }

  /**
   * Gets a flow ready to run without running it.
   *
   * @param graphId the graph of the flow
   * @param options what holds for this call
   * @return ends when it is ready
   */
  public CompletableFuture<Void> warmFlow(String graphId, CallOptions options) {
    return FlowEndpoint.warm(this, graphId, options);
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

  /** Shows where the connection leads. */
  @Override
  public String toString() {
    return "connection to " + settings.baseUrl();
  }
}
