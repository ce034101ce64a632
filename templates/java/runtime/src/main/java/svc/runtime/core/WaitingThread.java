package svc.runtime.core;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** The thread that waits for the end of a call, and runs its work until then. */
final class WaitingThread implements Executor {
  private final Thread thread = Thread.currentThread();
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** Reports whether this is the current thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs the tasks of a call until its end. */
  <T> T await(CompletableFuture<T> call) throws InterruptedException, ExecutionException {
    call.whenComplete((value, failure) -> tasks.add(() -> {}));
    while (!call.isDone()) {
      tasks.take().run();
    }
    return call.get();
  }
}
