package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Threads on which calls go on after a delay or a response. Callbacks of the caller run there, too,
 * and may block, so each task has a thread of its own, which further ones use once it is idle. The
 * common pool of the JDK has few threads, all of which the program may occupy.
 */
final class Workers {
  /** Starts a thread for each task that finds none idle. */
  static final Executor THREADS = Executors.newCachedThreadPool(Workers::thread);

  private Workers() {}

  /**
   * Returns a future whose continuations run here, unless it is complete already. Threads that
   * bring responses and messages must not wait for the caller, who may ask for more of them.
   */
  static <T> CompletableFuture<T> continuing(CompletableFuture<T> future) {
    return future.isDone() ? future : future.whenCompleteAsync((value, failure) -> {}, THREADS);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "svc worker");
    thread.setDaemon(true);
    return thread;
  }
}
