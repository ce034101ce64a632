package svc.runtime.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import svc.runtime.internal.Codecs;

/**
 * Says how a run is forked.
 *
 * <pre>{@code
 * execution.fork(Fork.latest().withInput(PauseDecision.ofJson(input.toJson())));
 * }</pre>
 */
public final class Fork {
  private static final Fork LATEST = new Fork(null, PauseDecision.ofDefault());

  /** Null for the latest checkpoint. */
  private final String checkpointId;

  private final PauseDecision input;

  private Fork(String checkpointId, PauseDecision input) {
    this.checkpointId = checkpointId;
    this.input = input;
  }

  /**
   * Continues from the latest checkpoint, with the input that the pending node had.
   *
   * @return the fork
   */
  public static Fork latest() {
    return LATEST;
  }

  /**
   * Continues from a checkpoint, with the input that the pending node had.
   *
   * @param checkpointId the id of the checkpoint
   * @return the fork
   */
  public static Fork at(String checkpointId) {
    return new Fork(Objects.requireNonNull(checkpointId, "checkpointId"), LATEST.input);
  }

  /**
   * Starts the pending node with another input, in one of the forms of a decision.
   *
   * @param input the input
   * @return another fork
   */
  public Fork withInput(PauseDecision input) {
    return new Fork(checkpointId, Objects.requireNonNull(input, "input"));
  }

  /** Returns the body of the request. */
  String body() {
    List<String> members = new ArrayList<>();
    if (checkpointId != null) {
      members.add("\"checkpoint_id\":" + Codecs.STRING.toJson(checkpointId));
    }
    input.inputOfFork().ifPresent(members::add);
    return "{" + String.join(",", members) + "}";
  }
}
