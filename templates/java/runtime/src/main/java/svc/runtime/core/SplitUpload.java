package svc.runtime.core;

import java.util.Objects;

/**
 * The result of uploading the input of a {@link SplitStream}.
 *
 * @param executionId the id of the execution of the node
 * @param inputFrames the number of messages that the node received, which equals the number sent
 */
public record SplitUpload(String executionId, long inputFrames) {
  /**
   * Rejects null arguments.
   *
   * @param executionId the id of the execution of the node
   * @param inputFrames the number of messages that the node received, which equals the number sent
   */
  public SplitUpload {
    Objects.requireNonNull(executionId, "executionId");
  }
}
