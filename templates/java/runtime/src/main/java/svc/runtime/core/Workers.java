package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Threads that continue calls after a delay or a response. They also run callbacks of the caller,
 * which may block, so each concurrent task has its own thread. Idle threads are reused. The common
 * pool of the JDK has few threads, all of which the program may keep busy.
 */
final class Workers {
  /** Starts a thread for each task if none is idle. */
  static final Executor THREADS = Executors.newCachedThreadPool(Workers::thread);

  private Workers() {}

  /**
   * Returns a future whose continuations run here, unless it is already complete. Threads that
   * deliver responses and messages must not wait for the caller, who may request more of them.
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
