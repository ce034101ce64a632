package svc.runtime.core;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import svc.runtime.errors.ErrorDetails;

/** The thread that waits for the end of a call, and runs its work until then. */
final class WaitingThread implements Executor {
  private final Thread thread = Thread.currentThread();
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** The details known before a call starts. */
  private final ErrorDetails known;

  /** The latest call that the thread waits for; null before one starts. */
  private volatile Call call;

  WaitingThread(ErrorDetails known) {
    this.known = known;
  }

  /** Reports whether this is the current thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Records a call that the thread waits for. */
  void waitsFor(Call next) {
    call = next;
  }

  /** Returns the details of an exception about the call. */
  ErrorDetails details() {
    Call latest = call;
    return latest == null ? known : latest.details();
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
