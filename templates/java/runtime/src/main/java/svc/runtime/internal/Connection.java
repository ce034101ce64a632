package svc.runtime.internal;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import svc.runtime.core.AsyncFrameStream;
import svc.runtime.core.CallOptions;
import svc.runtime.core.ClientOptions;
import svc.runtime.core.Execution;
import svc.runtime.core.FrameStream;
import svc.runtime.core.LiveSession;
import svc.runtime.core.Pause;
import svc.runtime.core.PauseFilter;
import svc.runtime.core.SplitStream;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.InvalidMessageException;

/**
 * A connection to the service: base URL, API key and retry policy. The calls of a client share it.
 * It is thread-safe and never reveals the key.
 */
public interface Connection extends AutoCloseable {
  /**
   * Creates a connection. Sends no request.
   *
   * @param identity identifies the SDK to the service
   * @param options the options
   * @return the connection
   * @throws ConfigurationException if the API key or base URL is missing or malformed
   */
  static Connection open(String identity, ClientOptions options) {
    Objects.requireNonNull(options, "options");
    return Access.toCore().open(identity, options);
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
  <I, O> CompletableFuture<O> callNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

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
  <I, O> CompletableFuture<O> runFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

  /**
   * Calls a pipeline node and streams its output. No request is sent before the output is read.
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
  <I, O> FrameStream<O> streamNode(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

  /**
   * Calls a pipeline node with many messages, which are read on a separate thread as they are sent.
   * The stream ends at its timeout or when it is closed, even if the source never returns. The HTTP
   * client of the JDK reads the response only after all messages have been sent, so a rejection is
   * not noticed earlier.
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
  <I, O> FrameStream<O> uploadToNode(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options);

  /**
   * Runs a pipeline flow and streams its output. No request is sent before the output is read.
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
  <I, O> FrameStream<O> streamFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

  /**
   * Calls a pipeline node and streams its output. No request is sent before the output is read.
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
  <I, O> AsyncFrameStream<O> streamNodeAsync(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

  /**
   * Calls a pipeline node with many messages, which are read on a separate thread as they are sent.
   * The stream ends at its timeout or when it is closed, even if the source never returns. The HTTP
   * client of the JDK reads the response only after all messages have been sent, so a rejection is
   * not noticed earlier.
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
  <I, O> AsyncFrameStream<O> uploadToNodeAsync(
      String path,
      Codec<I> inputCodec,
      Codec<O> outputCodec,
      Iterable<? extends I> inputs,
      CallOptions options);

  /**
   * Runs a pipeline flow and streams its output. No request is sent before the output is read.
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
  <I, O> AsyncFrameStream<O> streamFlowAsync(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

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
  <I, O> CompletableFuture<SplitStream<I, O>> createStream(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options);

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
  <I, O> SplitStream<I, O> splitStream(
      String id, String path, Codec<I> inputCodec, Codec<O> outputCodec);

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
  <I, O> CompletableFuture<LiveSession<I, O>> openLive(
      String path, Codec<I> inputCodec, Codec<O> outputCodec, CallOptions options);

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
  <I, O> CompletableFuture<Execution<O>> startFlow(
      String graphId, Codec<I> inputCodec, Codec<O> outputCodec, I input, CallOptions options);

  /**
   * Returns a handle to an earlier run by its id. Sends no request.
   *
   * @param id the id
   * @param outputCodec the codec of the output
   * @param <O> the type of the output
   * @return the run
   * @throws InvalidMessageException if the id is malformed
   */
  <O> Execution<O> execution(String id, Codec<O> outputCodec);

  /**
   * Warms up the nodes of a flow without running it.
   *
   * @param graphId the graph id of the flow
   * @param options options of this call
   * @return a future that completes when the service has accepted the request
   */
  CompletableFuture<Void> warmFlow(String graphId, CallOptions options);

  /**
   * Returns the pauses of all runs of the tenant, newest first. Pages load lazily.
   *
   * @param filter the pauses to include
   * @param options options of the call for each page
   * @return the pauses
   */
  Stream<Pause> listPauses(PauseFilter filter, CallOptions options);

  /**
   * Returns the pauses of all runs of the tenant, newest first.
   *
   * @param filter the pauses to include
   * @param options options of the call, which includes all pages
   * @return the pauses
   */
  CompletableFuture<List<Pause>> listPausesAsync(PauseFilter filter, CallOptions options);

  /** Rejects further calls. Calls in flight end as usual. */
  @Override
  void close();

  /**
   * Returns the base URL.
   *
   * @return the URL
   */
  String baseUrl();
}
